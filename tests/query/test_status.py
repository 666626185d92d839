"""A snapshot in numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from codequarry.query.status import FileCount, SymbolCount, status
from codequarry.query.store import open_snapshot
from codequarry.schemas.manifest import SourceInfo

from .stores import FileSpec, SymbolSpec, build_store

ONE = SymbolSpec(name="f", lines=(1, 1))
REPOS = {
    "shop": [
        FileSpec(path="a.py", text="def f(): 1\n", symbols=(ONE, ONE)),
        FileSpec(path="b.rs", text="fn f() {}\n", language="rust", symbols=(ONE,), status="partial", reason="parse_errors"),
        FileSpec(path="c.bin", text="", language=None, status="skipped", reason="binary"),
        FileSpec(path="d.js", text="", language="javascript", status="skipped", reason="too_large: 9 MB"),
        FileSpec(path="e.js", text="", language="javascript", status="skipped", reason="too_large: 8 MB"),
    ],
    "web": [FileSpec(path="README", text="hello\n", language=None)],
}


NO_VECTORS = "search by meaning is not available: the index was made without a model"


def test_counts_by_value(tmp_path: Path) -> None:
    snapshot = open_snapshot(build_store(tmp_path, REPOS, commits={"shop": "c0ffee"}))
    found = status(snapshot)
    assert (found.snapshot, found.format_version, found.reproducible) == (snapshot.id, 1, True)
    assert [(s.repo, s.commit) for s in found.sources] == [("shop", "c0ffee"), ("web", None)]
    assert found.files == (
        FileCount(repo="shop", status="indexed", reason=None, files=1),
        FileCount(repo="shop", status="partial", reason="parse_errors", files=1),
        FileCount(repo="shop", status="skipped", reason="binary", files=1),
        FileCount(repo="shop", status="skipped", reason="too_large", files=2),
        FileCount(repo="web", status="indexed", reason=None, files=1),
    )
    assert found.symbols == (SymbolCount(language="python", symbols=2), SymbolCount(language="rust", symbols=1))
    sizes = {table.table: table for table in found.tables}
    assert (sizes["files"].rows, sizes["symbols"].rows) == (6, 9)
    assert found.bytes == sum(path.stat().st_size for path in snapshot.folder.rglob("*.parquet"))
    assert found.bytes == sum(table.bytes for table in found.tables)
    assert found.notes == (NO_VECTORS,)


def test_the_json_form_has_the_contract_of_sources(tmp_path: Path) -> None:
    value = status(open_snapshot(build_store(tmp_path, REPOS))).to_json()
    assert value["sources"][0] == {"repo": "shop", "commit": None, "branch": None, "dirty": None}
    assert value["files"][0] == {"repo": "shop", "status": "indexed", "reason": None, "files": 1}


def test_notes_say_what_a_reader_should_know(tmp_path: Path) -> None:
    snapshot = open_snapshot(build_store(tmp_path / "a", REPOS))
    dirty = SourceInfo(repo="shop", commit="c0ffee", branch="main", dirty=True)
    odd = replace(snapshot, manifest=replace(snapshot.manifest, reproducible=False, sources=(dirty,)))
    assert status(odd).notes == (
        "a file was lost to the clock, so another run may give another snapshot",
        NO_VECTORS,
        "indexed with changes that are in no commit: shop",
    )
    assert status(open_snapshot(build_store(tmp_path / "b", {"r": []}))).notes == ("the index is empty", NO_VECTORS)
    skipped = {"r": [FileSpec(path="c.bin", text="", language=None, status="skipped", reason="binary")]}
    assert status(open_snapshot(build_store(tmp_path / "c", skipped))).notes == (
        "the index is empty: no file of its sources could be indexed",
        NO_VECTORS,
    )
