"""The best lines of a hit come from the artifact."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.query import Index, open_index
from codequarry.query.snippets import best_lines, word_pattern

from .shop import build_shop

TEXT = """def load(path):

    # read the configuration
    with open(path) as stream:
        return parse_config(stream.read())
    raise ConfigError("retry loading")
"""


def best(terms: list[str], start: int = 1, end: int = 6, count: int = 1) -> tuple[int, tuple[str, ...]] | None:
    snippet = best_lines(TEXT, start, end, word_pattern(terms), count)
    return None if snippet is None else (snippet.line, snippet.lines)


@pytest.mark.parametrize(
    ("terms", "line"),
    [
        (["config"], 3),
        (["pars", "config"], 5),
        (["retri"], 6),
        (["load", "retri"], 6),
        (["path"], 1),
        (["error"], 6),
        (["nosuch"], 1),
        ([], 1),
    ],
)
def test_the_line_with_most_distinct_words_wins(terms: list[str], line: int) -> None:
    found = best(terms)
    assert found is not None
    assert found[0] == line


def test_only_lines_of_the_hit_are_looked_at() -> None:
    assert best(["retri"], 1, 4) == (1, ("def load(path):",))
    assert best(["load"], 3, 6) == (6, ('    raise ConfigError("retry loading")',))
    assert best(["load"], 2, 2) is None
    assert best(["load"], 40, 50) is None


def test_several_lines_are_adjacent() -> None:
    lines = tuple(TEXT.split("\n"))
    assert best(["path", "config"], count=3) == (1, lines[:3])
    assert best(["retri"], count=3) == (6, lines[5:6])


@pytest.mark.parametrize(
    ("terms", "line", "words"),
    [
        (["app"], "app = application.app_name; myApp(happy, APP)", ["app", "app", "app", "App", "APP"]),
        (["notifi"], "notify notified renotify Notify", ["notif", "notif", "Notif"]),
        (["购物"], "买购物车", ["购物"]),
        (["a.b"], "a.b axb", ["a.b"]),
    ],
)
def test_words_are_marked_where_a_part_begins(terms: list[str], line: str, words: list[str]) -> None:
    snippet = best_lines(line, 1, 1, word_pattern(terms), 1)
    assert snippet is not None
    assert [snippet.lines[row][start:end] for row, start, end in snippet.spans] == words


def test_long_lines_are_cut() -> None:
    snippet = best_lines("x" * 5000, 1, 1, None, 1)
    assert snippet is not None
    assert len(snippet.lines[0]) == 400


def test_carriage_returns_are_left_out() -> None:
    snippet = best_lines("one\r\ntwo\r\n", 2, 2, word_pattern(["two"]), 1)
    assert snippet is not None
    assert snippet.lines == ("two",)


def test_a_search_brings_them(index: Index) -> None:
    hits = index.search("add item QuantityError", snippet_lines=1).results
    (method,) = (hit for hit in hits if hit.qualified_name == "ShoppingCart.add_item")
    assert method.snippet is not None
    assert (method.snippet.line, method.snippet.lines) == (
        6,
        ('        """Add an item; raises QuantityError on qty < 1."""',),
    )
    assert index.search("add item").results[0].snippet is None
    assert index.search("zzqxv", snippet_lines=1).results == ()


def test_a_snapshot_without_sources_has_none(tmp_path: Path) -> None:
    build_shop(tmp_path, with_sources=False)
    with open_index(tmp_path) as index:
        hits = index.search("add item", snippet_lines=1).results
    assert hits
    assert all(hit.snippet is None for hit in hits)


def test_a_skipped_file_has_none(index: Index) -> None:
    assert index.search("assets/logo.png", snippet_lines=1).results[0].snippet is None
