"""Priors of symbols that are otherwise equal."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.query import Hit, open_index

from ..stores import EdgeSpec, FileSpec, SymbolSpec, build_store


def ranked(store: Path, *, resident: bool) -> list[Hit]:
    with open_index(store, resident=resident) as index:
        hits = index.search("load", explain=True).results
    return [hit for hit in hits if hit.kind != "file"]


@pytest.mark.parametrize("resident", [True, False])
def test_what_many_call_ranks_higher(tmp_path: Path, resident: bool) -> None:
    """Of equal names the one that is called comes first, though its path comes last."""
    files = [
        FileSpec(
            path=f"{folder}/load.py",
            text="def load(): pass\ndef user(): load()\n",
            symbols=(
                SymbolSpec(name="load", qualified_name=f"{folder}.load", lines=(1, 1)),
                SymbolSpec(name="user", qualified_name=f"{folder}.user", lines=(2, 2)),
            ),
        )
        for folder in "abc"
    ]
    called = [EdgeSpec(src=f"{folder}.user", dst="c.load") for folder in "abc"]
    build_store(tmp_path, {"r": files}, edges=[*called, EdgeSpec(src="b.user", dst="b.load")])
    hits = [hit for hit in ranked(tmp_path, resident=resident) if hit.name == "load"]
    assert [hit.path[0] for hit in hits] == ["c", "b", "a"]
    gains = [(hit.terms or {}).get("callers", 0.0) for hit in hits]
    assert gains[0] > gains[1] > gains[2] == 0.0
