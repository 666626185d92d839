"""`codequarry pack` and `codequarry unpack`."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from codequarry.query.cli import run

from ..stores import FileSpec, build_store


def test_there_and_back(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    snapshot = build_store(tmp_path / "store", {"r": [FileSpec(path="a.py", text="x\n")]}).name
    file = tmp_path / "r.tar"
    assert run(["pack", str(file), "--index", str(tmp_path / "store")]) == 0
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert capfd.readouterr().out == f"{digest}  {file}\n"

    assert run(["pack", str(file), "--index", str(tmp_path / "store")]) == 2
    assert capfd.readouterr().err == f"codequarry: {file} exists: choose another name, or replace it with --force\n"
    assert run(["pack", str(file), "--index", str(tmp_path / "store"), "--force"]) == 0
    assert capfd.readouterr().out.startswith(digest)

    copy = tmp_path / "copy"
    assert run(["unpack", str(file), "--out", str(copy)]) == 0
    assert capfd.readouterr().out == f"{copy}: snapshot {snapshot}\n"
    assert run(["unpack", str(file), "--out", str(copy)]) == 2
    assert run(["unpack", str(copy / "latest.json"), "--out", str(tmp_path / "third")]) == 4
    assert run(["unpack", str(tmp_path / "none.tar"), "--out", str(tmp_path / "third")]) == 1


def test_without_a_store_nothing_is_written(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["pack", str(tmp_path / "x.tar"), "--index", str(tmp_path / "none")]) == 1
    assert list(tmp_path.iterdir()) == []
