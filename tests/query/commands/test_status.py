"""`codequarry status`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from codequarry.query.cli import run
from codequarry.query.store import open_snapshot

from ..parcels import TREE, index_parcels, write_parcels
from ..stores import FileSpec, SymbolSpec, build_store

REPOS = {
    "shop": [
        FileSpec(path="a.py", text="def f(): 1\n", symbols=(SymbolSpec(name="f", lines=(1, 1)),)),
        FileSpec(path="c.bin", text="", language=None, status="skipped", reason="binary"),
        FileSpec(path="d.js", text="", language="javascript", status="skipped", reason="too_large: 9 MB"),
        FileSpec(path="e.js", text="", language="javascript", status="skipped", reason="too_large: 8 MB"),
    ]
}


def test_text(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    snapshot = open_snapshot(build_store(tmp_path, REPOS, commits={"shop": "0123456789abcdef"}))
    assert run(["status", "--index", str(tmp_path)]) == 0
    out, err = capfd.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert lines[0].startswith(f"snapshot  {snapshot.id} (format 1), ")
    assert lines[1:11] == [
        "sources   shop: commit 0123456789ab",
        "files     1 indexed",
        "          3 skipped",
        "            2 too_large",
        "            1 binary",
        "symbols   1 symbol",
        "            1 python",
        "parts     1 sub-system",
        "            .  4 files, 1 symbol, python",
        "public    1 declaration",
    ]
    assert lines[11].startswith("tables    doc_links: 0 rows, ")


def test_a_topic(parcels: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["status", "documentation", "--index", str(parcels)]) == 0
    lines = capfd.readouterr().out.splitlines()
    at = lines.index("parts     about 'documentation', 1 of 4")
    assert lines[at + 1] == "            docs  4 files, 5 symbols, markdown"
    assert run(["status", "documentation", "--index", str(parcels), "--json"]) == 0
    briefing = json.loads(capfd.readouterr().out)["briefing"]
    assert (briefing["topic"], briefing["matched"], [p["path"] for p in briefing["subsystems"]]) == (
        "documentation",
        True,
        ["docs"],
    )


def test_a_checkout(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tree = write_parcels(tmp_path / "tree")
    store = index_parcels(tree, tmp_path / "store")
    assert run(["status", "--index", str(store), "--checkout", str(tree)]) == 0
    assert "\ncheckout  9 the same\n" in capfd.readouterr().out
    for path in TREE:
        (tree / path).unlink()
    assert run(["status", "--index", str(store), "--checkout", str(tree)]) == 0
    out = capfd.readouterr().out
    assert "\ncheckout  9 missing\n            docs/depots.md\n            docs/guide.md\n" in out
    assert run(["status", "--index", str(store), "--checkout", str(tree / "gone")]) == 2


def test_json(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    build_store(tmp_path, REPOS)
    monkeypatch.setenv("CODEQUARRY_INDEX", str(tmp_path))
    assert run(["status", "--json"]) == 0
    value = json.loads(capfd.readouterr().out)
    assert value["sources"] == [{"repo": "shop", "commit": None, "branch": None, "dirty": None}]
    assert [row["files"] for row in value["files"]] == [1, 1, 2]


def test_where_there_is_no_store(tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEQUARRY_INDEX", raising=False)
    monkeypatch.chdir(tmp_path)
    assert run(["status"]) == 1
    out, err = capfd.readouterr()
    assert out == ""
    assert err.startswith(f"codequarry: there is no artifact at {tmp_path}/artifacts: build one with `codequarry index ")
