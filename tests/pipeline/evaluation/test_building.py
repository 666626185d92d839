"""Processes that build and search, and what they say when they fail."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from codequarry.pipeline.evaluation.building import build, child, folder_bytes, sizes
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import CodequarryError


def test_a_child_tells_what_it_took_and_how_it_ended() -> None:
    spent, code, said = child((sys.executable, "-c", "import sys; print('x'); sum(range(10**6)); sys.exit('first\\nlast')"))
    assert (code, said) == (1, "last")
    assert spent.cpu > 0
    assert spent.peak > 1


def test_what_the_index_complains_of_is_repeated(tmp_path: Path) -> None:
    with pytest.raises(CodequarryError, match=r"^there is no /nowhere"):
        build(["/nowhere"], tmp_path / "store")


def test_sizes_are_those_of_the_manifest(store: Path) -> None:
    snapshot = open_snapshot(store)
    found = sizes(snapshot.manifest)
    assert found["total"] + (snapshot.folder / "manifest.json").stat().st_size == folder_bytes(snapshot.folder)
    assert found["symbols"] == sum(path.stat().st_size for path in snapshot.paths("symbols"))
