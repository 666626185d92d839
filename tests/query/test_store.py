"""Opening an artifact: what is accepted from wherever it lies, and what is refused with which sentence."""

from __future__ import annotations

from pathlib import Path

from codequarry.query.store import open_snapshot

from .stores import FileSpec, build_store


def test_x(tmp_path: Path) -> None:
    folder = build_store(tmp_path / "out", {"r": [FileSpec(path="a.py", text="x\n")]})
    assert open_snapshot(tmp_path / "out").folder == folder
