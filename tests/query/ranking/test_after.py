"""The lock, exact names first, and the cap of a file's rows: each changes the order where its switch is on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from codequarry.query import Answer, Index, open_index
from codequarry.query.ranking import policy

from ..stores import FileSpec, SymbolSpec, build_store


@pytest.fixture(autouse=True)
def families() -> Iterator[None]:
    """Put the policies back that a test has changed."""
    before = dict(policy.FAMILIES)
    yield
    policy.FAMILIES.update(before)


def switch(**changes: Any) -> None:
    policy.FAMILIES.update({name: used._replace(**changes) for name, used in policy.FAMILIES.items()})


def names(answer: Answer) -> list[str]:
    return [f"{hit.path}#{hit.name}" for hit in answer.results if hit.kind != "file"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One file full of matches, and another with one."""
    out = tmp_path_factory.mktemp("store")
    full = tuple(SymbolSpec(name=f"read_{word}_frame", lines=(i, i)) for i, word in enumerate("abcd", 1))
    files = [
        FileSpec(path="full.py", text="read frame\n" * 4, symbols=full),
        FileSpec(path="other.py", text="read a frame\n", symbols=(SymbolSpec(name="read_long_frames", lines=(1, 1)),)),
    ]
    build_store(out, {"r": files})
    return out


def test_a_file_does_not_fill_the_list(store: Path) -> None:
    with open_index(store) as index:
        assert names(index.search("read frame"))[-1] == "other.py#read_long_frames"
        switch(file_cap=1)
        capped = index.search("read frame", explain=True)
    assert names(capped)[1] == "other.py#read_long_frames"
    cut = [hit for hit in capped.results if hit.path == "full.py" and hit.kind != "file"]
    assert [(hit.terms or {}).get("file_cap", 0.0) < 0.0 for hit in cut] == [False, True, True, True]


def test_the_first_seed_is_locked_only_if_it_leads(index: Index) -> None:
    switch(lock=1.0)
    led = index.search("QuantityError", explain=True).trace
    assert led is not None
    assert (led["locked"], led["confidence"]["lead"] > 1.2) == (True, True)
    tied = index.search("acquire", explain=True).trace
    assert tied is not None
    assert (tied["locked"], tied["confidence"]["lead"]) == (False, pytest.approx(1.0, abs=0.2))
    switch(lock=0.0)
    off = index.search("QuantityError", explain=True).trace
    assert off is not None
    assert off["locked"] is False


def test_what_is_locked_is_first(store: Path) -> None:
    switch(lock=1.0, lock_lead=0.0)
    with open_index(store) as index:
        answer = index.search("read long frames", explain=True)
    assert answer.results[0].name == "read_long_frames"


def test_exact_names_are_promoted_above_all_else(index: Index) -> None:
    query = "where do we look up the price with ShoppingCart in tests of carts"
    plain = index.search(query, explain=True)
    switch(promote=1.0)
    lifted = index.search(query, explain=True)
    assert lifted.results[0].qualified_name == "ShoppingCart"
    assert (lifted.results[0].terms or {}).get("promotion", 0.0) > 0.0
    assert all("promotion" not in (hit.terms or {}) for hit in plain.results)


def test_the_seeds_own_gate_silences_the_overlap_of_names(index: Index) -> None:
    assert "name_overlap" in (index.search("add item", explain=True).results[0].terms or {})
    switch(overlap_lead=50.0)
    assert "name_overlap" not in (index.search("add item", explain=True).results[0].terms or {})
    switch(overlap_lead=0.0, overlap_specificity=1.0)
    assert "name_overlap" not in (index.search("add item", explain=True).results[0].terms or {})


def test_coverage_by_rarity(index: Index) -> None:
    plain = (index.search("add price item", explain=True).results[0].terms or {})["coverage"]
    switch(coverage_specificity=1.0)
    rare = (index.search("add price item", explain=True).results[0].terms or {})["coverage"]
    assert rare != plain
    assert 0.0 < rare <= 0.13
