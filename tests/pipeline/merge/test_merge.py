"""The merge: tables by value, against the slow way, and equal for every cut."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.merge import MergeSource, merge
from codequarry.pipeline.merge import postings as merge_postings
from codequarry.pipeline.roles import roles
from codequarry.schemas import tables
from codequarry.schemas.tables import FILE_FIELDS, ROLES, SYMBOL_FIELDS
from hypothesis import given, settings
from hypothesis import strategies as st

from ..counted import file_counts, held, name_parts, stems, symbol_counts
from ..made import file, files, symbol
from .built import Built, Repos, blocks, build, ids, in_order, planes, shards_of

PATHS = st.sampled_from(
    ["a.py", "src/worker.rs", "src/work/er.py", "tests/test_poll.py", "poll/poll.py", "a#b%.py", "é/漢字.c"]
)
REPOS = st.dictionaries(
    st.sampled_from(["tokio", "a", "Z"]), st.dictionaries(PATHS, files(), max_size=4), min_size=1, max_size=2
)

SMALL: Repos = {
    "zoo": {
        "src/worker.py": file(
            "class Worker:\n    def run(self):\n        return poll()\n",
            symbol("Worker", 0, 57, kind="class", body_start=13, end_line=3, signature="class Worker"),
            symbol("run", 18, 57, body_start=43, parent=0, qualified_name="Worker.run", start_line=2, end_line=3),
            symbol("run", 30, 57, body_start=57, parent=0, qualified_name="Worker.run", start_line=2, end_line=3),
        ),
        "logo.png": file(None),
    },
    "bar": {"tests/a.py": file("x = poll\n", symbol("x", 0, 8, kind="variable", visibility="private", body_start=4))},
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("small") / "snapshot", SMALL)


def test_ids_follow_repository_path_and_place(small: Built) -> None:
    assert [(r["file"], r["repo"], r["path"], r["symbol"]) for r in small.rows("files")] == [
        (0, "bar", "tests/a.py", 0),
        (1, "zoo", "logo.png", 2),
        (2, "zoo", "src/worker.py", 3),
    ]
    assert [(r["symbol"], r["file"], r["kind"], r["name"], r["parent"]) for r in small.rows("symbols")] == [
        (0, 0, "file", "a.py", None),
        (1, 0, "variable", "x", None),
        (2, 1, "file", "logo.png", None),
        (3, 2, "file", "worker.py", None),
        (4, 2, "class", "Worker", None),
        (5, 2, "function", "run", 4),
        (6, 2, "function", "run", 4),
    ]


def test_keys(small: Built) -> None:
    assert [r["key"] for r in small.rows("symbols")] == [
        "bar:tests/a.py",
        "bar:tests/a.py#x",
        "zoo:logo.png",
        "zoo:src/worker.py",
        "zoo:src/worker.py#Worker",
        "zoo:src/worker.py#Worker.run",
        "zoo:src/worker.py#Worker.run~2",
    ]


def test_a_symbol_of_a_test_file_is_a_test(small: Built) -> None:
    assert [r["is_test"] for r in small.rows("symbols")] == [True, True, False, False, False, False, False]
    test, public = 2, 1
    assert blocks(small.rows("symbol_statistics"), "flags", "u1") == [test | public, test, *[public] * 5]


def test_sources_hold_the_texts_of_files_that_have_one(small: Built) -> None:
    assert small.rows("sources") == [
        {"file": 0, "repo": "bar", "path": "tests/a.py", "text": "x = poll\n"},
        {"file": 2, "repo": "zoo", "path": "src/worker.py", "text": SMALL["zoo"]["src/worker.py"].text},
    ]


def test_sources_can_be_left_out(tmp_path: Path) -> None:
    sources = [MergeSource(repo=name, shards=shards_of(files)) for name, files in SMALL.items()]
    merged = merge(sources, tmp_path)
    alone = merge(sources, tmp_path / "none", with_sources=False)
    assert set(merged.tables) - set(alone.tables) == {"sources"}
    assert not (tmp_path / "none" / "sources").exists()


def test_a_posting_list(small: Built) -> None:
    (row,) = [r for r in small.rows("postings") if r["term"] == "worker"]
    assert row["df"] == 3
    assert ids(row["symbols"]) == [4, 5, 6]
    assert planes(row["frequencies"], 5) == [[1, 0, 0], [0, 1, 1], [1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert row["file_df"] == 1
    assert ids(row["files"]) == [2]
    assert planes(row["file_frequencies"], 4) == [[1], [0], [1], [1]]


def test_the_example_of_the_specification(small: Built) -> None:
    (row,) = [r for r in small.rows("postings") if r["term"] == "worker"]
    text = (Path(tables.__file__).parent / "SPEC.md").read_text(encoding="utf-8")
    for column, size in (("symbols", 4), ("frequencies", 3), ("files", 4), ("file_frequencies", 1)):
        pieces = [row[column][i : i + size].hex() for i in range(0, len(row[column]), size)]
        assert re.search(rf"^{column} +{' '.join(pieces)}  ", text, re.M), column


def test_document_frequency_counts_symbols_by_the_path_of_their_file(small: Built) -> None:
    (row,) = [r for r in small.rows("postings") if r["term"] == "src"]
    assert (row["df"], ids(row["symbols"]), ids(row["files"])) == (3, [], [2])


def test_statistics(small: Built) -> None:
    merged = small.merged
    assert merged.kinds == ("class", "file", "function", "variable")
    assert merged.languages == ("python",)
    assert (merged.statistics["files"], merged.statistics["symbols"]) == (3, 4)
    assert merged.statistics["symbol_lengths"][:3] == [4, 2, 2]
    rows = small.rows("symbol_statistics")
    assert blocks(rows, "file", "<i4") == [0, 0, 1, 2, 2, 2, 2]
    assert blocks(rows, "kind", "u1") == [1, 3, 1, 1, 0, 2, 2]
    assert blocks(rows, "lines", "<i4") == [2, 1, 1, 4, 3, 2, 2]
    rows = small.rows("file_statistics")
    assert blocks(rows, "symbol", "<i4") == [0, 2, 3]
    assert blocks(rows, "language", "u1") == [0, 255, 0]
    assert blocks(rows, "repo", "<u2") == [0, 1, 1]
    assert blocks(rows, "directory", "<i4") == [0, 1, 2]
    assert blocks(rows, "roles", "u1") == [1 << ROLES.index("test"), 1 << ROLES.index("non_code"), 0]


def test_nothing_to_merge(tmp_path: Path) -> None:
    for sources in ([], [MergeSource(repo="empty", shards=())]):
        built = Built(folder=tmp_path / str(len(sources)), merged=merge(sources, tmp_path / str(len(sources))))
        assert built.merged.statistics == {
            "files": 0,
            "symbols": 0,
            "symbol_lengths": [0] * len(SYMBOL_FIELDS),
            "file_lengths": [0] * len(FILE_FIELDS),
            "unresolved": [],
        }
        assert all(info.rows == 0 and len(info.parts) == 1 for info in built.merged.tables.values())
        assert all(built.rows(table) == [] for table in built.merged.tables)


def test_keys_are_unique_whatever_names_and_paths_hold(tmp_path: Path) -> None:
    names = ["a", "a", "a~2", "a~1", "b#c", "", ""]
    symbols = [symbol("x", i, i + 1, qualified_name=name) for i, name in enumerate(names)]
    repos = {"r": {path: file("0123456", *symbols) for path in ("p", "p#a", "p%23a", "p%2523a", "p#b#c")}}
    keys = [row["key"] for row in build(tmp_path / "s", repos).rows("symbols")]
    assert len(set(keys)) == len(keys) == 5 * (1 + len(names))
    assert keys[:8] == ["r:p", "r:p#a", "r:p#a~2", "r:p#a~2~1", "r:p#a~1~1", "r:p#b#c", "r:p#", "r:p#~2"]
    assert build(tmp_path / "t", {"a:b": {"c": file("")}, "a": {"b:c": file("")}}).rows("symbols")[1]["key"] == "a%3Ab:c"
    assert {key for key in keys if "#" not in key} == {"r:p", "r:p%23a", "r:p%2523a", "r:p%252523a", "r:p%23b%23c"}


@settings(max_examples=40)
@given(REPOS)
def test_equals_the_slow_way(repos: Repos) -> None:
    folder = Path(mkdtemp())
    try:
        built = build(folder / "s", repos)
        assert _postings(built) == _slow_postings(repos)
        _check_symbols(built, repos)
        _check_files(built, repos)
    finally:
        shutil.rmtree(folder)


@settings(max_examples=40)
@given(REPOS, st.lists(st.integers(0, 4), max_size=2), st.integers(1, 4))
def test_any_cut_gives_the_same_bytes(repos: Repos, bounds: list[int], batches: int) -> None:
    folder = Path(mkdtemp())
    try:
        whole = build(folder / "whole", repos)
        cut = build(folder / "cut", dict(reversed(list(repos.items()))), bounds, batches)
        assert cut.digests() == whole.digests()
        assert cut.merged == whole.merged
    finally:
        shutil.rmtree(folder)


def test_ranges_of_terms_are_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = build(tmp_path / "whole", SMALL)
    monkeypatch.setattr(merge_postings, "MAX_POSTINGS", 3)
    cut = build(tmp_path / "cut", SMALL, bounds=[1])
    assert cut.rows("postings") == whole.rows("postings")
    assert cut.digests() == build(tmp_path / "again", SMALL).digests()


Posting = tuple[int, dict[int, tuple[int, ...]], int, dict[int, tuple[int, ...]]]


def _postings(built: Built) -> dict[str, Posting]:
    """Return term to (df, symbol to frequencies, file_df, file to frequencies)."""
    found: dict[str, Posting] = {}
    for row in built.rows("postings"):
        symbols = zip(*planes(row["frequencies"], len(SYMBOL_FIELDS)), strict=True)
        by_file = zip(*planes(row["file_frequencies"], len(FILE_FIELDS)), strict=True)
        found[row["term"]] = (
            row["df"],
            dict(zip(ids(row["symbols"]), symbols, strict=True)),
            row["file_df"],
            dict(zip(ids(row["files"]), by_file, strict=True)),
        )
        assert ids(row["symbols"]) == sorted(found[row["term"]][1])
        assert ids(row["files"]) == sorted(found[row["term"]][3])
    assert list(found) == sorted(found, key=str.encode)
    return found


def _all_files(repos: Repos) -> list[tuple[str, str, FileFacts]]:
    return [(repo, *row) for repo in sorted(repos, key=str.encode) for row in in_order(repos[repo])]


def _path_counts(path: str) -> dict[str, Counter[str]]:
    folder, _, name = path.rpartition("/")
    return {"basename": stems(name), "directory": stems(folder)}


def _slow_postings(repos: Repos) -> dict[str, Posting]:
    symbols: dict[str, dict[int, tuple[int, ...]]] = {}
    by_file: dict[str, dict[int, tuple[int, ...]]] = {}
    holders: dict[str, set[int]] = {}
    number = 0
    for i, (_, path, facts) in enumerate(_all_files(repos)):
        counts = _path_counts(path) | file_counts(facts)
        for term in {t for c in counts.values() for t in c}:
            by_file.setdefault(term, {})[i] = tuple(min(counts[field][term], 255) for field in FILE_FIELDS)
        in_path = set(counts["basename"]) | set(counts["directory"])
        for one in symbol_counts(facts):
            number += 1
            for term in held(one):
                symbols.setdefault(term, {})[number] = tuple(min(one[field][term], 255) for field in SYMBOL_FIELDS)
            for term in held(one) | in_path:
                holders.setdefault(term, set()).add(number)
        number += 1
    return {
        term: (len(holders.get(term, ())), symbols.get(term, {}), len(by_file.get(term, {})), by_file.get(term, {}))
        for term in set(symbols) | set(by_file)
    }


def _check_symbols(built: Built, repos: Repos) -> None:
    rows = built.rows("symbols")
    statistics = built.rows("symbol_statistics")
    wanted: list[tuple[Any, ...]] = []
    lengths, parts = [], []
    for i, (repo, path, facts) in enumerate(_all_files(repos)):
        in_tests = bool(roles(path, facts.language, facts.generated) & 1 << ROLES.index("test"))
        first = len(wanted)
        wanted.append((repo, path, i, facts.language, "file", path.rpartition("/")[2], None, None, in_tests, None))
        lengths.append([0] * len(SYMBOL_FIELDS))
        parts.append(0)
        for fact, counts in zip(facts.symbols, symbol_counts(facts), strict=True):
            parent = first + 1 + fact.parent if fact.parent >= 0 else None
            names = (fact.kind, fact.name, fact.qualified_name, parent)
            marks = (fact.is_test or in_tests, " ".join(fact.decorators) or None)
            wanted.append((repo, path, i, facts.language, *names, *marks))
            lengths.append([counts[field].total() for field in SYMBOL_FIELDS])
            parts.append(name_parts(fact))
    columns = ("repo", "path", "file", "language", "kind", "name", "qualified_name", "parent", "is_test", "decorators")
    assert [tuple(row[c] for c in columns) for row in rows] == wanted
    assert [row["symbol"] for row in rows] == list(range(len(rows)))
    assert len({row["key"] for row in rows}) == len(rows)
    assert not rows or blocks(statistics, "lengths", "<u2", len(SYMBOL_FIELDS)) == _turned(lengths)
    assert blocks(statistics, "name_parts", "u1") == parts
    assert [built.merged.kinds[k] for k in blocks(statistics, "kind", "u1")] == [row["kind"] for row in rows]


def _check_files(built: Built, repos: Repos) -> None:
    rows = built.rows("files")
    statistics = built.rows("file_statistics")
    wanted = _all_files(repos)
    assert [(row["repo"], row["path"], row["status"], row["reason"]) for row in rows] == [
        (repo, path, facts.status, facts.reason) for repo, path, facts in wanted
    ]
    languages = [None if code == 255 else built.merged.languages[code] for code in blocks(statistics, "language", "u1")]
    assert languages == [facts.language for _, _, facts in wanted]
    assert blocks(statistics, "roles", "u1") == [roles(p, f.language, f.generated) for _, p, f in wanted]
    names = [(repo, path.rpartition("/")[0]) for repo, path, _ in wanted]
    numbers = blocks(statistics, "directory", "<i4")
    assert len(set(zip(names, numbers, strict=True))) == len(set(names)) == len(set(numbers))
    lengths = [
        [(_path_counts(path) | file_counts(facts))[field].total() for field in FILE_FIELDS] for _, path, facts in wanted
    ]
    assert not rows or blocks(statistics, "lengths", "<i4", len(FILE_FIELDS)) == _turned(lengths)
    assert not rows or built.merged.statistics["file_lengths"] == [sum(column) for column in _turned(lengths)]


def _turned(rows: list[list[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*rows, strict=True)]
