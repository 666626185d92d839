"""Signals of the code graph, each with its switch: terms of neighbours, the walk, calls between files; by both readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from codequarry.query import Hit, open_index
from codequarry.query.ranking import policy
from codequarry.schemas.errors import UsageError

from ..stores import EdgeSpec, FileSpec, SymbolSpec, build_store

OPENED = [pytest.param(True, id="resident"), pytest.param(False, id="lookup")]


@pytest.fixture(autouse=True)
def families() -> Iterator[None]:
    """Put the policies back that a test has changed."""
    before = dict(policy.FAMILIES)
    yield
    policy.FAMILIES.update(before)


def switch(**changes: Any) -> None:
    policy.FAMILIES.update({name: used._replace(**changes) for name, used in policy.FAMILIES.items()})


def twins(folders: str = "abc") -> list[FileSpec]:
    """Return files of equal content, each with `parse` and `help_parse`, but for their paths."""
    return [
        FileSpec(
            path=f"{folder}/parse.py",
            text="def parse(): pass\ndef help_parse(): parse()\n",
            symbols=(
                SymbolSpec(name="parse", qualified_name=f"{folder}.parse", lines=(1, 1)),
                SymbolSpec(name="help_parse", qualified_name=f"{folder}.help_parse", lines=(2, 2)),
            ),
        )
        for folder in folders
    ]


def found(store: Path, query: str, *, resident: bool, **more: Any) -> list[Hit]:
    with open_index(store, resident=resident) as index:
        return [hit for hit in index.search(query, k=20, explain=True, **more).results if hit.kind != "file"]


def terms(hits: list[Hit], name: str) -> dict[str, float]:
    return {hit.path[0]: (hit.terms or {}).get(name, 0.0) for hit in hits if hit.name == "parse"}


@pytest.mark.parametrize("resident", OPENED)
def test_terms_of_neighbours_are_exact_and_gated(tmp_path: Path, resident: bool) -> None:
    near = {"frames": {"b.parse": 255, "c.parse": 20}, "sockets": {"c.parse": 255}, "frame": {"a.parse": 255}}
    build_store(tmp_path, {"r": twins()}, neighbor_terms=near)
    switch(neighbours=0.5, neighbours_gate=0.4)
    gains = terms(found(tmp_path, "parse frames sockets", resident=resident), "neighbours")
    assert gains == {"a": 0.0, "b": 0.0, "c": pytest.approx(0.5 * 2 / 3)}
    switch(neighbours_gate=0.1)
    gains = terms(found(tmp_path, "parse frames sockets", resident=resident), "neighbours")
    assert gains == {"a": 0.0, "b": pytest.approx(0.5 / 3), "c": pytest.approx(0.5 * 2 / 3)}


@pytest.mark.parametrize("resident", OPENED)
def test_the_walk_gives_to_what_the_best_use(tmp_path: Path, resident: bool) -> None:
    build_store(tmp_path, {"r": twins()}, edges=[EdgeSpec(src="a.help_parse", dst="b.parse")])
    switch(walk=0.1, walk_hops=1, walk_coverage=0.0)
    gains = terms(found(tmp_path, "help parse", resident=resident), "walk")
    assert (gains["a"], gains["c"]) == (0.0, 0.0)
    assert gains["b"] > 0.05


@pytest.mark.parametrize("resident", OPENED)
def test_the_walk_gives_nothing_to_what_holds_too_little_of_the_query(tmp_path: Path, resident: bool) -> None:
    build_store(tmp_path, {"r": twins()}, edges=[EdgeSpec(src="a.help_parse", dst="b.parse")])
    switch(walk=0.1, walk_hops=1, walk_coverage=0.9)
    assert set(terms(found(tmp_path, "help parse", resident=resident), "walk").values()) == {0.0}


def test_the_walk_does_not_start_where_the_query_is_not_specific(tmp_path: Path) -> None:
    build_store(tmp_path, {"r": twins()}, edges=[EdgeSpec(src="a.help_parse", dst="b.parse")])
    switch(walk=0.1, walk_coverage=0.0, walk_specificity=0.99)
    with open_index(tmp_path) as index:
        answer = index.search("help parse", explain=True)
    assert answer.trace is not None
    gate = next(gate for gate in answer.trace["gates"] if gate["gate"] == "walk_specificity")
    assert (gate["passed"], answer.trace["reached"]) == (False, 0)


@pytest.mark.parametrize("resident", OPENED)
def test_files_gain_by_calls_from_the_best_files(tmp_path: Path, resident: bool) -> None:
    """Two files match alike, but only one of them is called by the file that matches best."""
    best = FileSpec(
        path="z/encode_frame.py",
        text="encode frame encode frame\n",
        symbols=(SymbolSpec(name="encode_frame", lines=(1, 1)),),
    )
    build_store(tmp_path, {"r": [best, *twins("ab")]}, edges=[EdgeSpec(src="encode_frame", dst="b.parse")])
    switch(callers=0.0)
    query = "encode a frame and parse"
    assert [hit.path for hit in found(tmp_path, query, resident=resident) if hit.name == "parse"] == [
        "b/parse.py",
        "a/parse.py",
    ]
    switch(file_walk=0.0)
    assert [hit.path for hit in found(tmp_path, query, resident=resident) if hit.name == "parse"] == [
        "a/parse.py",
        "b/parse.py",
    ]


def both(store: Path, query: str) -> None:
    """Assert that both readers give the same answer."""
    with open_index(store) as index, open_index(store, resident=False) as other:
        assert index.search(query, explain=True) == other.search(query, explain=True)


def test_both_readers_agree_with_every_signal_on(tmp_path: Path) -> None:
    edges = [EdgeSpec(src=f"{a}.help_parse", dst=f"{b}.parse", confidence=0.5) for a in "abc" for b in "abc"]
    edges.append(EdgeSpec(src="a.parse", dst="b.parse", kind="shares_type"))
    near = {"help": {"a.parse": 3, "c.parse": 250}}
    build_store(tmp_path, {"r": twins()}, edges=edges, neighbor_terms=near)
    switch(
        walk=0.1,
        neighbours=0.5,
        file_walk=0.3,
        expand=0.8,
        expand_kinds=("shares_type",),
        literals=0.5,
        prefixes=4,
        file_cap=1,
    )
    for query in ("help parse", "pars", "hel 'parse' 1", "all parse help", "parse vs help_parse"):
        both(tmp_path, query)


@pytest.mark.parametrize("resident", OPENED)
def test_a_closed_index_reads_no_graph(shop: Path, resident: bool) -> None:
    with open_index(shop, resident=resident) as index:
        index.search("cart")
    with pytest.raises(UsageError, match="the index is closed"):
        index._opened_graph()
