"""What a person reads."""

from __future__ import annotations

from dataclasses import replace

import click
import pytest
from codequarry.query.results import Answer, Hit, Snippet
from codequarry.query.text import answer_lines, count, size, table_lines

from .shop import ADD_ITEM

HIT = replace(ADD_ITEM, score=3.25)
FILE = replace(HIT, rank=2, kind="file", name="cart.py", qualified_name=None, signature=None, start_line=1, symbol=1)
SNIPPET = Snippet(
    line=5,
    lines=("    def add_item(self, sku, qty=1)", "\tself.items[sku] += qty  # add an item"),
    spans=((1, 27, 30), (1, 34, 38), (0, 8, 11)),
)


def answer(*hits: Hit, notes: tuple[str, ...] = ()) -> Answer:
    return Answer(query="add item", family="symbol", mode="lexical", snapshot="0" * 16, notes=notes, results=hits)


def test_a_symbol_and_a_file() -> None:
    assert list(answer_lines(answer(replace(HIT, snippet=SNIPPET), FILE, notes=("one\nnote",)))) == [
        "1. src/cart.py:5  method ShoppingCart.add_item",
        "   def add_item(self, sku, qty=1)",
        "   6 |     self.items[sku] += qty  # add an item",
        "2. src/cart.py:1  file",
        "note: one\\x0anote",
    ]


def test_nothing_found() -> None:
    assert list(answer_lines(replace(answer(), query="a\x1bb"))) == ["nothing found for 'a\\x1bb'"]


def test_repositories_are_named_when_there_are_several() -> None:
    lines = list(answer_lines(answer(HIT, replace(FILE, repo="web"))))
    assert [line for line in lines if "src" in line] == [
        "1. shop src/cart.py:5  method ShoppingCart.add_item",
        "2. web src/cart.py:1  file",
    ]


def test_ranks_of_two_digits_are_aligned() -> None:
    lines = list(answer_lines(answer(*(replace(FILE, rank=i) for i in range(1, 11)))))
    assert lines[0] == " 1. src/cart.py:1  file"
    assert lines[9] == "10. src/cart.py:1  file"


def test_the_terms_of_a_score_are_shown_as_a_sum() -> None:
    terms = {"name": 3.5, "path": -0.25, "nothing": 0.0}
    assert list(answer_lines(answer(replace(HIT, terms=terms))))[-1] == "   score 3.2500 = 3.5000 name -0.2500 path"


def test_colour_marks_the_matched_words_and_changes_no_text() -> None:
    plain = list(answer_lines(answer(replace(HIT, snippet=SNIPPET), FILE)))
    painted = list(answer_lines(answer(replace(HIT, snippet=SNIPPET), FILE), colour=True))
    assert [click.unstyle(line) for line in painted] == plain
    assert "\x1b[31m\x1b[1madd\x1b[0m an \x1b[31m\x1b[1mitem\x1b[0m" in painted[2]
    assert "\x1b[1m ShoppingCart.add_item\x1b[0m" in painted[0]


@pytest.mark.parametrize("width", [20, 40, 79])
def test_lines_are_cut_to_the_width(width: int) -> None:
    long = replace(HIT, signature="def f(" + "x" * 300 + ")", snippet=SNIPPET, path="p/" * 60 + "a.py")
    for colour in (False, True):
        lines = [click.unstyle(line) for line in answer_lines(answer(long), colour=colour, width=width)]
        assert max(map(len, lines)) <= max(width, 23)


def test_source_text_cannot_act_on_a_terminal() -> None:
    nasty = replace(
        HIT,
        path="a\x1b]0;title\x07.py",
        signature="def \u202ef()",
        snippet=Snippet(line=1, lines=("x \x1b[2J y\r",), spans=((0, 0, 1),)),
    )
    text = "\n".join(answer_lines(answer(nasty)))
    assert not set(text) & set("\x1b\x07\r\u202e")
    assert "\\x1b[2J" in text


def test_overlapping_spans_are_marked_once() -> None:
    snippet = Snippet(line=1, lines=("abcdef",), spans=((0, 0, 3), (0, 2, 5)))
    line = list(answer_lines(answer(replace(HIT, signature=None, snippet=snippet)), colour=True))[-1]
    assert click.unstyle(line).endswith("| abcdef")


def test_a_table_aligns_numbers_right_and_shows_nulls() -> None:
    rows = [("a", 1, None, b"xy"), ("long name", 1000, 2.5, b"x")]
    assert list(table_lines(["name", "n", "x", "blob"], rows)) == [
        "name          n     x  blob",
        "---------  ----  ----  ---------",
        "a             1  NULL  <2 bytes>",
        "long name  1000   2.5  <1 byte>",
        "(2 rows)",
    ]


def test_a_table_without_rows_and_one_with_a_long_cell() -> None:
    assert list(table_lines(["only"], [])) == ["only", "----", "(0 rows)"]
    line = list(table_lines(["text"], [("x\n" * 200,)]))[2]
    assert (len(line), line[-1]) == (120, "…")


@pytest.mark.parametrize(("number", "text"), [(0, "0 rows"), (1, "1 row"), (12345, "12,345 rows")])
def test_counts(number: int, text: str) -> None:
    assert count(number, "row") == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (4_560_000, "4.6 MB"), (12 * 10**9, "12.0 GB"), (3 * 10**15, "3.0 PB")],
)
def test_sizes(number: int, text: str) -> None:
    assert size(number) == text
