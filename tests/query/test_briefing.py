"""What a newcomer should know of a snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from codequarry.query.briefing import Briefing, Named, Rate, brief
from codequarry.query.briefing_text import briefing_lines
from codequarry.query.connection import Connection
from codequarry.query.store import open_snapshot
from codequarry.query.subsystems import SYNONYMS, Subsystem, divide, matching, wanted_words

from .stores import EdgeSpec, FileSpec, SymbolSpec, build_store


def functions(prefix: str, count: int) -> tuple[SymbolSpec, ...]:
    return tuple(SymbolSpec(name=f"{prefix}_{n}", lines=(n + 1, n + 1)) for n in range(count))


TEXT = "x\n" * 60
FILES = [
    FileSpec(
        path="src/main.py",
        text=TEXT,
        symbols=(SymbolSpec(name="main", lines=(1, 1)), SymbolSpec(name="LIMIT", kind="constant", lines=(2, 2))),
    ),
    FileSpec(path="src/login/check.py", text=TEXT, symbols=functions("check", 30)),
    FileSpec(path="src/parser/lexer.py", text=TEXT, symbols=functions("token", 20)),
    FileSpec(path="src/parser/__main__.py", text=TEXT),
    FileSpec(path="src/tiny/one.py", text=TEXT, symbols=(SymbolSpec(name="one", lines=(1, 1)),)),
    FileSpec(path="tests/test_all.py", text=TEXT, symbols=(SymbolSpec(name="main", lines=(1, 1), is_test=True),)),
    FileSpec(path="examples/main.py", text=TEXT, symbols=(SymbolSpec(name="main", lines=(1, 1)),)),
    FileSpec(path="logo.png", text="", language=None, status="skipped", reason="binary"),
]
EDGES = [
    EdgeSpec(src="check_1", dst="check_0"),
    EdgeSpec(src="check_2", dst="check_0"),
    EdgeSpec(src="check_0", dst="token_3"),
    EdgeSpec(src="check_0", dst="LIMIT", kind="references"),
    EdgeSpec(src="check_1", dst="LIMIT", kind="references"),
    EdgeSpec(src="src/main.py", dst="LIMIT", kind="contains"),
    EdgeSpec(src="src/login/check.py", dst="check_0", kind="contains"),
]
CALLS = {"python": (3, {"unknown": 1, "external": 9, "value": 9}), "rust": (0, {"external": 4})}


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    folder = build_store(tmp_path, {"app": FILES}, edges=EDGES)
    with Connection(open_snapshot(folder), ("files", "symbols", "edges", "edges_in")) as opened:
        yield opened


def part(path: str, files: int, symbols: int, *names: str) -> Subsystem:
    return Subsystem(repo="app", path=path, files=files, symbols=symbols, languages=("python",), names=names)


PARTS = [
    part("examples", 1, 1),
    part("src", 1, 2, "LIMIT"),
    part("src/login", 1, 30, "check_0"),
    part("src/parser", 2, 20, "token_3"),
    part("src/tiny", 1, 1),
    part("tests", 1, 1),
]


def test_large_folders_are_divided_and_small_ones_are_not(connection: Connection) -> None:
    assert divide(connection) == PARTS


def test_a_small_folder_belongs_to_the_one_around_it(tmp_path: Path) -> None:
    files = [
        FileSpec(path="big/a.py", text=TEXT, symbols=functions("f", 50)),
        *(FileSpec(path=f"big/{n}/b.py", text=TEXT, symbols=functions("g", 50)) for n in "xyz"),
        FileSpec(path="big/small/c.py", text=TEXT, symbols=functions("h", 1)),
        FileSpec(path="top.py", text=TEXT),
    ]
    folder = build_store(tmp_path, {"app": files})
    with Connection(open_snapshot(folder), ("files", "symbols")) as connection:
        found = divide(connection)
    assert [(p.path, p.files, p.symbols) for p in found] == [("big", 2, 51), *((f"big/{n}", 1, 50) for n in "xyz")]
    assert {p.names for p in found} == {()}  # there are no edges to tell what is used


def test_a_topic_finds_parts_by_its_words_and_by_synonyms(connection: Connection) -> None:
    def paths(topic: str) -> list[str]:
        return [found.path for found in matching(connection, PARTS, topic)]

    assert paths("login") == ["src/login", "src/parser"]  # names there speak of tokens
    assert paths("authentication") == ["src/login", "src/parser"]
    assert paths("how does the lexer work") == ["src/parser"]
    assert paths("check") == ["src/login"]
    assert paths("zeppelin") == []
    assert paths("?!") == []


def test_words_that_stand_for_a_topic() -> None:
    own, others = wanted_words("dbSchema")
    assert {"db", "schema", "dbschema"} <= own
    assert {"database", "sql"} <= others
    assert own.isdisjoint(others)
    listed = [word for line in SYNONYMS for word in line.split()]
    assert all(word == word.lower() for word in listed)


def test_a_briefing(connection: Connection) -> None:
    found = brief(connection, CALLS)
    assert found == Briefing(
        topic=None,
        matched=False,
        parts=6,
        subsystems=tuple(PARTS[i] for i in (2, 3, 1, 0, 4, 5)),
        entry_points=(
            Named(repo="app", path="src/main.py", line=1, kind="function", name="main", uses=0),
            Named(repo="app", path="src/parser/__main__.py", line=1, kind="file", name="__main__.py", uses=0),
        ),
        hubs=(
            Named(repo="app", path="src/login/check.py", line=1, kind="function", name="check_0", uses=2),
            Named(repo="app", path="src/parser/lexer.py", line=4, kind="function", name="token_3", uses=1),
        ),
        public=54,
        surface=(Named(repo="app", path="src/login/check.py", line=1, kind="function", name="check_0", uses=2),),
        constants=(Named(repo="app", path="src/main.py", line=2, kind="constant", name="LIMIT", uses=2),),
        rates=(Rate(language="python", resolved=3, calls=4),),
    )


def test_a_briefing_about_a_topic_or_else_the_largest_parts(connection: Connection) -> None:
    about, none = brief(connection, {}, "lexer"), brief(connection, {}, "zeppelin")
    assert (about.matched, [p.path for p in about.subsystems]) == (True, ["src/parser"])
    assert (none.matched, len(none.subsystems)) == (False, 6)


def test_lines_of_a_briefing(connection: Connection) -> None:
    assert list(briefing_lines(brief(connection, CALLS)))[:4] == [
        "parts     6 sub-systems",
        "            src/login  1 file, 30 symbols, python; check_0",
        "            src/parser  2 files, 20 symbols, python; token_3",
        "            src  1 file, 2 symbols, python; LIMIT",
    ]
    assert list(briefing_lines(brief(connection, CALLS)))[7:] == [
        "entries   src/main.py:1  function main",
        "          src/parser/__main__.py",
        "hubs      src/login/check.py:1  function check_0, 2 callers",
        "          src/parser/lexer.py:4  function token_3, 1 caller",
        "public    54 declarations",
        "            src/login/check.py:1  function check_0, 2 uses",
        "constants src/main.py:2  constant LIMIT, 2 uses",
        "resolved  75 % of 4 calls in python",
    ]
    assert next(briefing_lines(brief(connection, {}, "lexer"))) == "parts     about 'lexer', 1 of 6"
    assert (
        next(briefing_lines(brief(connection, {}, "zeppelin"))) == "parts     none is about 'zeppelin'; the largest, 6 of 6"
    )


def test_an_empty_snapshot_and_one_without_edges(tmp_path: Path) -> None:
    folder = build_store(tmp_path, {"app": []})
    with Connection(open_snapshot(folder), ("files", "symbols")) as connection:
        found = brief(connection, {}, "x")
    assert (found.parts, found.hubs, found.surface, list(briefing_lines(found))) == (0, (), (), [])


def test_repositories_are_named_where_there_are_several(tmp_path: Path) -> None:
    folder = build_store(tmp_path, {"app": [FILES[0]], "web": [FILES[0]]})
    with Connection(open_snapshot(folder), ("files", "symbols")) as connection:
        lines = list(briefing_lines(brief(connection, {})))
    assert lines[:3] == [
        "parts     2 sub-systems",
        "            app:src  1 file, 2 symbols, python",
        "            web:src  1 file, 2 symbols, python",
    ]
