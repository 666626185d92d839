"""Content search: which lines match, in which order they stand, and the same lines as ripgrep on the same files."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from codequarry.query import Index, _multiline, open_index
from codequarry.query._multiline import WINDOW
from codequarry.query.content import MAX_WIDTH
from codequarry.query.patterns import MAX_PATTERN
from codequarry.schemas.errors import StoreError, UsageError

from .stores import FileSpec, SymbolSpec, build_store

ROOT = Path(__file__).resolve().parents[2]
RG = shutil.which("rg")

LIMIT = """\
import time

class Limiter:
    def limit(self):
        # the limit of limits
        return self.rate

def limit_all(): limit()
RATE = "a+b"
"""
FILES = [
    FileSpec(
        path="src/limit.py",
        text=LIMIT,
        symbols=(
            SymbolSpec(name="Limiter", lines=(3, 6), kind="class"),
            SymbolSpec(
                name="limit", lines=(4, 6), kind="method", qualified_name="Limiter.limit", signature="def limit(self)"
            ),
            SymbolSpec(name="limit_all", lines=(8, 8)),
        ),
    ),
    FileSpec(
        path="tests/test_limit.py",
        text="def test_limit(): limit()\n",
        roles=("test",),
        symbols=(SymbolSpec(name="test_limit", lines=(1, 1), is_test=True),),
    ),
    FileSpec(path="doc.md", text="A limit.\r\n\r\nLast Limit", language="markdown"),
    FileSpec(path="empty.py", text=""),
    FileSpec(path="odd.txt", text="ünï\x00code\n\nfinal line\n", language=None),
]


@pytest.fixture(scope="module", params=[True, False], ids=["resident", "lookup"])
def limits(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Index]:
    out = tmp_path_factory.mktemp("content")
    build_store(out, {"app": FILES}, commits={"app": "c" * 40})
    with open_index(out, resident=request.param) as index:
        yield index


def places(index: Index, query: str, **options: object) -> list[tuple[str, int | None]]:
    answer = index.search(query, k=100, match="content", **options)  # type: ignore[arg-type]  # a choice of options
    assert answer.mode == "content"
    return [(hit.path, hit.line) for hit in answer.results]


def test_a_row_is_a_line_with_the_symbol_around_it(limits: Index) -> None:
    answer = limits.search("limits", match="content", explain=True)
    (hit,) = answer.results
    assert (hit.path, hit.line, hit.key, hit.qualified_name) == (
        "src/limit.py",
        5,
        "app:src/limit.py#Limiter.limit",
        "Limiter.limit",
    )
    assert (hit.kind, hit.signature, hit.start_line, hit.end_line, hit.language) == (
        "method",
        "def limit(self)",
        4,
        6,
        "python",
    )
    assert hit.matched_by == ("content",)
    assert (hit.score, hit.terms) == (1.5, {"match": 1.0, "whole_word": 0.5})
    assert hit.provenance.commit == "c" * 40
    assert hit.snippet is not None
    assert hit.snippet.lines == ("        # the limit of limits",)
    assert [hit.snippet.lines[row][start:end] for row, start, end in hit.snippet.spans] == ["limits"]
    assert hit.to_json()["line"] == 5
    assert answer.complete


def test_a_line_outside_every_symbol_has_nulls(limits: Index) -> None:
    (hit,) = limits.search("import time", match="content").results
    row = hit.to_json()
    assert (row["path"], row["line"], row["language"]) == ("src/limit.py", 1, "python")
    assert [row[name] for name in "start_line end_line name qualified_name kind signature key".split()] == [None] * 7


def test_definitions_stand_above_whole_words_above_parts_above_tests(limits: Index) -> None:
    answer = limits.search("limit", match="content", k=20)
    assert [(hit.path, hit.line, hit.score) for hit in answer.results] == [
        ("src/limit.py", 4, 3.0),
        ("src/limit.py", 8, 2.5),
        ("src/limit.py", 3, 2.0),
        ("tests/test_limit.py", 1, 1.75),
        ("doc.md", 1, 1.5),
        ("doc.md", 3, 1.5),
        ("src/limit.py", 5, 1.5),
    ]


def test_what_was_cut_is_told(limits: Index) -> None:
    answer = limits.search("limit", match="content", k=2)
    assert [hit.line for hit in answer.results] == [4, 8]
    assert not answer.complete
    assert answer.notes == ("the best 2 of the matching lines, capped from 7: -k shows more",)


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [
        ("Limit", {}, [("src/limit.py", 3), ("doc.md", 3)]),
        ("Limit", {"case": "ignore", "paths": "*.md"}, [("doc.md", 1), ("doc.md", 3)]),
        ("last", {"case": "exact"}, []),
        (r"\Slast", {"regex": True}, []),
        (r"\bLAST", {"regex": True, "case": "ignore"}, [("doc.md", 3)]),
        ("a+b", {}, [("src/limit.py", 9)]),
        ("a+b", {"regex": True}, []),
        ("limit", {"word": True, "languages": "python", "tests": False}, [("src/limit.py", 4), ("src/limit.py", 5), ("src/limit.py", 8)]),
        ("limit", {"kinds": "class"}, [("src/limit.py", 3)]),
        ("limit", {"kinds": "file"}, [("doc.md", 1), ("doc.md", 3)]),
        ("limit", {"tests": True}, [("tests/test_limit.py", 1)]),
        ("limit", {"repos": "app", "paths": "doc.md", "word": True}, [("doc.md", 1), ("doc.md", 3)]),
        ("^$", {"regex": True, "paths": "*.txt"}, [("odd.txt", 2)]),
        ("^\r?$", {"regex": True, "languages": "markdown"}, [("doc.md", 2)]),
        (r"\.$", {"regex": True}, []),
        (r"\.\s$", {"regex": True}, [("doc.md", 1)]),
        (r"\A\s*\z", {"regex": True, "tests": False, "paths": "*.*t*"}, [("odd.txt", 2)]),
        ("ï\0c", {}, [("odd.txt", 1)]),
        ("^.{8}$", {"regex": True}, [("odd.txt", 1)]),
        ("\ud800", {}, []),
        (":\n    def", {}, []),
        (":\n    def", {"multiline": True}, [("src/limit.py", 3)]),
        (r"class\s+\w+:\s+def.*\n.*limits\n", {"regex": True, "multiline": True}, [("src/limit.py", 3)]),
        (r"^.*limit$", {"regex": True, "multiline": True, "case": "ignore"}, [("doc.md", 3)]),
        (r"time\s+class", {"regex": True, "multiline": True, "word": True}, [("src/limit.py", 1)]),
        (r"tim\s+class|rate\n\ndef", {"regex": True, "multiline": True, "word": True}, [("src/limit.py", 6)]),
        ("x*", {"regex": True, "multiline": True, "paths": "odd.txt"}, [("odd.txt", 1), ("odd.txt", 2), ("odd.txt", 3)]),
        (r"\n", {"regex": True, "multiline": True, "paths": "*.md"}, [("doc.md", 1), ("doc.md", 2)]),
        ("import", {"multiline": True}, [("src/limit.py", 1)]),
    ],
)  # fmt: skip
def test_what_matches(limits: Index, query: str, options: dict[str, object], expected: list[tuple[str, int]]) -> None:
    assert places(limits, query, **options) == expected


@pytest.mark.parametrize("query", ["(", "a)(b", "[z-a]", r"\1", "(?=a)", "a{1001}", r"((a{100}){100}){100}", "*"])
def test_a_bad_expression_is_one_sentence(limits: Index, query: str) -> None:
    with pytest.raises(UsageError, match="is not a regular expression") as caught:
        limits.search(query, match="content", regex=True)
    assert "\n" not in str(caught.value)
    assert limits.search(query, match="content").mode == "content"  # as it stands it is a query like any other


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"match": "text"}, "there is no way to match 'text'"),
        ({"match": "content", "case": "upper"}, "there is no case 'upper'"),
        ({"regex": True}, "use them with match content"),
        ({"match": "name", "word": True}, "use them with match content"),
    ],
)
def test_a_wrong_request(limits: Index, options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        limits.search("x", **options)  # type: ignore[arg-type]  # wrong on purpose


def test_a_query_that_is_too_long(limits: Index) -> None:
    with pytest.raises(UsageError, match="has 1,001 characters"):
        limits.search("x" * (MAX_PATTERN + 1), match="content")


@pytest.mark.parametrize(
    ("query", "options", "note"),
    [
        ("", {}, "the query is blank"),
        ("zzqxv", {}, "nothing in the index matches"),
        ("zzqxv", {"paths": "*.md"}, "nothing that the filters allow matches"),
        ("limit", {"languages": "cobol"}, "unknown language 'cobol': this index has markdown, python"),
        ("a\nb", {}, "the query holds the end of a line: give --multiline for matches that span lines"),
    ],
)
def test_no_rows_have_a_reason(limits: Index, query: str, options: dict[str, object], note: str) -> None:
    answer = limits.search(query, match="content", **options)  # type: ignore[arg-type]  # a choice of options
    assert answer.results == ()
    assert note in answer.notes


def test_a_snapshot_without_sources_says_so(tmp_path: Path) -> None:
    build_store(tmp_path, {"app": FILES}, with_sources=False)
    with open_index(tmp_path) as index, pytest.raises(StoreError, match="holds no source texts to search: index again"):
        index.search("limit", match="content")


def test_a_long_line_is_cut_around_its_match(tmp_path: Path) -> None:
    build_store(tmp_path, {"app": [FileSpec(path="a.txt", text="x" * 5000 + " needle " + "y" * 5000)]})
    with open_index(tmp_path) as index:
        (hit,) = index.search("needle", match="content").results
    assert hit.snippet is not None
    (line,) = hit.snippet.lines
    assert len(line) == MAX_WIDTH
    ((_, start, end),) = hit.snippet.spans
    assert line[start:end] == "needle"


def test_texts_longer_than_a_window(tmp_path: Path) -> None:
    text = "".join(f"begin {n}\nend\n" if n % 7 == 0 else f"line {n}\n" for n in range(30_000))
    assert len(text) > 4 * WINDOW
    build_store(tmp_path, {"app": [FileSpec(path="a.txt", text=text), FileSpec(path="b.txt", text="z" * 3 * WINDOW)]})
    expected = [("a.txt", i) for i, line in enumerate(text.split("\n"), 1) if line.startswith("begin")]
    with open_index(tmp_path) as index:
        for query in (r"begin \d+\nend", r"^begin \d+$\n^end$"):
            answer = index.search(query, k=10_000, match="content", regex=True, multiline=True)
            assert [(hit.path, hit.line) for hit in answer.results] == expected
        answer = index.search(r"z\n?z{3}", match="content", regex=True, multiline=True)
        assert [(hit.path, hit.line) for hit in answer.results] == [("b.txt", 1)]


def test_no_pattern_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each match that is tried here reads to the end of the text, which an unbounded search does once a character."""
    monkeypatch.setattr(_multiline, "SECONDS", 0.0)
    build_store(tmp_path, {"app": [FileSpec(path=f"{name}.txt", text="a" * 100_000) for name in "ab"]})
    with open_index(tmp_path) as index:
        answer = index.search(r"(?s)a.*b|a", match="content", regex=True, multiline=True)
        assert not answer.complete
        assert [note.partition(" after")[0] for note in answer.notes] == ["the search was stopped"]
        answer = index.search(r"(a*)*b|(a|aa)+$", match="content", regex=True)
        assert [(hit.path, hit.line) for hit in answer.results] == [("a.txt", 1), ("b.txt", 1)]


# --- the same lines as ripgrep -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, dict[str, str]]:
    """Return a store, the same texts as files, and the texts: the project's own sources, and some odd ones."""
    texts = {str(p.relative_to(ROOT)): p.read_text() for p in sorted((ROOT / "query").rglob("*.py"))}
    texts |= {"docs/commands.md": (ROOT / "docs" / "commands.md").read_text(), "empty": "", "no_end": "def last(): pass"}
    texts |= {"crlf.txt": "one two\r\n\r\nthree-four\r\n", "many/blank.txt": "\n\n\n", "utf8.txt": "größe = 'ß'\n# 购物车\n"}
    out = tmp_path_factory.mktemp("ripgrep")
    build_store(out / "store", {"app": [FileSpec(path=path, text=text) for path, text in texts.items()]})
    for path, text in texts.items():
        (out / "files" / path).parent.mkdir(parents=True, exist_ok=True)
        (out / "files" / path).write_bytes(text.encode())
    return out / "store", out / "files", texts


def ripgrep(folder: Path, query: str, options: list[str]) -> set[tuple[str, int]]:
    """Return the files and lines that match."""
    plain = ["--no-config", "--no-unicode", "--text", "--no-ignore", "--hidden", "--json"]
    done = subprocess.run([str(RG), *plain, *options, "-e", query, "."], cwd=folder, capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return {
        (event["data"]["path"]["text"][2:], event["data"]["line_number"]) for event in events if event["type"] == "match"
    }


def plain_lines(texts: dict[str, str]) -> list[str]:
    every = "\n".join(texts.values()).replace("\r", "").split("\n")
    return [line for line in every if line.strip() and line.isascii()]


def literal(rnd: random.Random, lines: list[str], longest: int = 20) -> str:
    line = rnd.choice(lines)
    start = rnd.randrange(len(line))
    return line[start : start + rnd.randint(1, longest)]


def quoted(text: str) -> str:
    """Return text as an expression of either engine."""
    return "".join(f"\\{c}" if c in r"\.+*?()|[]{}^$" else c for c in text)


def expression(rnd: random.Random, lines: list[str]) -> str:
    a, b = quoted(literal(rnd, lines, 5)), quoted(literal(rnd, lines, 3))
    return rnd.choice(
        [
            *(rf"{a}\w+", rf"\b{a}", rf"^\s*{a}", f"{a}$", rf"{a}\s*\(", f"({a}|{b})", f"{a}[a-z]{{2,4}}", f"{a}.*:$", "^$"),
            *(rf"\d+{a}", f"[^ ]{a}", f"({a})?{b}", rf"\W{a}", rf"{a}\B", f"{a}.*?{b}", f"(?:{a})+[^a-f]", r"\s$", r"^\S+$"),
        ]
    )


def across(rnd: random.Random, lines: list[str]) -> str:
    a, b = quoted(literal(rnd, lines, 5)), quoted(literal(rnd, lines, 3))
    return rnd.choice(
        [rf"{a}\s*\n\s*\w+", f"{a}[^)]*\\)", rf"^\s*{a}[\s\S]{{0,80}}?{b}", rf"\b{a}\s+\w", rf"{a}\n", rf"\n{a}", r"\)\n\n"]
    )


@pytest.mark.skipif(RG is None, reason="ripgrep is not installed")
@pytest.mark.parametrize("make", [literal, expression])
def test_the_same_lines_as_ripgrep(
    make: Callable[[random.Random, list[str]], str], tree: tuple[Path, Path, dict[str, str]]
) -> None:
    store, folder, texts = tree
    rnd, lines = random.Random(make.__name__), plain_lines(texts)
    with open_index(store) as index:
        for _ in range(200):
            query, case, word = make(rnd, lines), rnd.choice(["smart", "exact", "ignore"]), rnd.random() < 0.3
            options = [{"smart": "-S", "exact": "-s", "ignore": "-i"}[case], *["-w"] * word, *["-F"] * (make is literal)]
            answer = index.search(query, k=10**6, match="content", regex=make is expression, case=case, word=word)
            found = {(hit.path, hit.line) for hit in answer.results}
            assert len(found) == len(answer.results)
            assert found == ripgrep(folder, query, options), (query, options)


def test_the_same_first_lines_as_python(tree: tuple[Path, Path, dict[str, str]]) -> None:
    """Ripgrep goes on behind the line on which a match ends, and so is no measure for what spans lines."""
    store, _, texts = tree
    rnd, lines = random.Random("across"), plain_lines(texts)
    with open_index(store) as index:
        for _ in range(60):
            query, case = across(rnd, lines), rnd.choice(["exact", "ignore"])
            answer = index.search(query, k=10**6, match="content", regex=True, case=case, multiline=True)
            found = {(hit.path, hit.line) for hit in answer.results if len(texts[hit.path]) <= WINDOW}
            pattern = re.compile(query, re.ASCII | re.MULTILINE | (re.IGNORECASE if case == "ignore" else 0))
            assert found == {
                (path, text.count("\n", 0, match.start()) + 1)
                for path, text in texts.items()
                if len(text) <= WINDOW
                for match in pattern.finditer(text)
            }, (query, case)
