"""Walks over a graph that is small enough to follow by hand, and the two ways to read its edges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from codequarry.query.connection import Connection
from codequarry.query.graph.walk import Reached, walk, walk_policy
from codequarry.query.readers.neighbours import LookupNeighbours, Neighbours, ResidentNeighbours
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import DamagedError
from codequarry.schemas.tables import EDGE_KINDS, TABLES
from hypothesis import given, settings
from hypothesis import strategies as st

from ..stores import EdgeSpec, FileSpec, SymbolSpec, arrow_table, build_store, publish

NAMES = "abcdef"
SYMBOLS = tuple(SymbolSpec(name=name, lines=(i + 1, i + 1)) for i, name in enumerate(NAMES))
EDGES = (
    EdgeSpec(src="a", dst="b", confidence=1.0),
    EdgeSpec(src="a", dst="b", kind="references", confidence=1.0),
    EdgeSpec(src="a", dst="c", confidence=0.5),
    EdgeSpec(src="b", dst="d", confidence=1.0),
    EdgeSpec(src="e", dst="a", confidence=1.0),
    EdgeSpec(src="f", dst="f", confidence=1.0),
)
ID = {name: i + 1 for i, name in enumerate(NAMES)}
"""The file's own row comes first."""


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    out = tmp_path_factory.mktemp("walk") / "store"
    build_store(out, {"r": [FileSpec(path="x.py", text="\n".join(NAMES), symbols=SYMBOLS)]}, edges=EDGES)
    with Connection(open_snapshot(out)) as opened:
        yield opened


@pytest.fixture(scope="module", params=[LookupNeighbours, ResidentNeighbours])
def neighbours(connection: Connection, request: pytest.FixtureRequest) -> Neighbours:
    made: Neighbours = request.param(connection.snapshot, connection)
    return made


def weights(found: Reached) -> dict[str, float]:
    return {NAMES[s - 1]: float(w) for s, w in zip(found.symbols, found.weights, strict=True)}


def ids(*names: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(sorted(ID[name] for name in names), np.int32)


def test_edges_of_some_symbols(neighbours: Neighbours) -> None:
    out = neighbours.out(ids("a", "d", "f"))
    assert out.starts.tolist() == [0, 3, 3, 4]
    assert out.others.tolist() == [ID["b"], ID["b"], ID["c"], ID["f"]]
    assert [EDGE_KINDS[kind] for kind in out.kinds] == ["calls", "references", "calls", "calls"]
    assert out.confidences.tolist() == [100, 100, 50, 100]
    into = neighbours.into(ids("b", "e"))
    assert (into.starts.tolist(), into.others.tolist()) == ([0, 2, 2], [ID["a"], ID["a"]])
    assert neighbours.out(ids()).starts.tolist() == [0]


def test_one_step_divides_by_the_root_of_what_could_be_taken(neighbours: Neighbours) -> None:
    policy = walk_policy({"calls": 1.0}, {}, {"direct": 1.0}, hops=1)
    found = walk(neighbours, ids("a"), np.array([2.0]), policy)
    assert weights(found) == pytest.approx({"b": 2 / 2**0.5, "c": 1 / 2**0.5})
    assert found.via.tolist() == [ID["a"]] * 2
    assert found.steps.tolist() == [1, 1]


def test_two_steps_both_ways(neighbours: Neighbours) -> None:
    policy = walk_policy({"calls": 1.0}, {"calls": 0.5}, {"direct": 1.0}, fade=0.5)
    found = walk(neighbours, ids("b"), np.array([1.0]), policy)
    # b gives d 1 (out) and a .5 (in); then a gives b and c, e, and d gives b, half as strong
    a = 0.5 * 0.5
    assert weights(found) == pytest.approx(
        {"a": 0.5, "b": a / 2**0.5 + 0.5 * 0.5, "c": 0.5 * a / 2**0.5, "d": 1.0, "e": a * 0.5}
    )
    steps = {NAMES[s - 1]: int(step) for s, step in zip(found.symbols, found.steps, strict=True)}
    assert steps == {"a": 1, "b": 2, "c": 2, "d": 1, "e": 2}


def test_kinds_and_evidence_that_weigh_nothing_are_not_followed(neighbours: Neighbours) -> None:
    for policy in (walk_policy({"extends": 1.0}, {}, {"direct": 1.0}), walk_policy({"calls": 1.0}, {}, {"boundary": 1.0})):
        assert walk(neighbours, ids("a"), np.array([1.0]), policy).symbols.tolist() == []
    assert walk(neighbours, ids(), np.zeros(0), walk_policy({"calls": 1.0}, {}, {"direct": 1.0})).symbols.tolist() == []


def test_a_step_goes_on_from_the_strongest_only(neighbours: Neighbours) -> None:
    policy = walk_policy({"calls": 1.0}, {}, {"direct": 1.0}, spread=1)
    found = walk(neighbours, ids("a"), np.array([1.0]), policy)
    assert sorted(weights(found)) == ["b", "c", "d"]
    assert NAMES[found.via[2] - 1] == "b"


@settings(max_examples=30)
@given(st.data())
def test_both_readers_walk_alike(data: st.DataObject) -> None:
    names = st.sampled_from(NAMES)
    links = data.draw(st.sets(st.tuples(names, names, st.sampled_from(["calls", "references", "extends"])), max_size=20))
    edges = [EdgeSpec(src=s, dst=d, kind=k) for s, d, k in sorted(links)]
    with TemporaryDirectory() as folder:
        build_store(Path(folder), {"r": [FileSpec(path="x.py", text="\n".join(NAMES), symbols=SYMBOLS)]}, edges=edges)
        with Connection(open_snapshot(folder)) as opened:
            starts = ids(*data.draw(st.sets(names, min_size=1)))
            policy = walk_policy({"calls": 1.0, "extends": 0.7}, {"calls": 0.3, "references": 0.2}, {"direct": 1.0})
            one, other = (
                walk(reader(opened.snapshot, opened), starts, np.linspace(1, 2, len(starts)), policy)
                for reader in (LookupNeighbours, ResidentNeighbours)
            )
            assert [column.tolist() for column in one] == [column.tolist() for column in other]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("others", b"\1\0\0"),
        ("others", b"\xff\xff\xff\x7f"),
        ("kinds", b"\0\0\0"),
        ("others", b"\xff\xff\xff\xff"),
        ("symbol", 99),
    ],
)
@pytest.mark.parametrize("reader", [LookupNeighbours, ResidentNeighbours])
def test_blobs_that_lie_are_damage(
    connection: Connection, tmp_path: Path, column: str, value: object, reader: type[LookupNeighbours | ResidentNeighbours]
) -> None:
    snapshot = connection.snapshot
    tables = {name: arrow_table(TABLES[name], _rows(connection, name)) for name in TABLES if snapshot.has(name)}
    rows = tables["edges_out"].to_pylist()
    rows[1][column] = value
    tables["edges_out"] = arrow_table(TABLES["edges_out"], rows)
    manifest = snapshot.manifest
    publish(
        tmp_path, tables, sources=manifest.sources, statistics=manifest.statistics,
        kinds=manifest.kinds, languages=manifest.languages,
    )  # fmt: skip
    with Connection(open_snapshot(tmp_path)) as opened, pytest.raises(DamagedError, match="edges_out"):
        reader(opened.snapshot, opened).out(np.array([rows[1]["symbol"] if column == "symbol" else ID["b"]], np.int32))


def _rows(connection: Connection, table: str) -> list[dict[str, object]]:
    columns = [column.name for column in TABLES[table].columns]
    read = connection.rows(f"SELECT {', '.join(columns)} FROM {table}")
    return [dict(zip(columns, row, strict=True)) for row in read]


def test_a_hub_is_reached_but_not_walked_through(neighbours: Neighbours) -> None:
    policy = walk_policy({"calls": 1.0}, {"calls": 1.0}, {"direct": 1.0}, hub=2)
    assert neighbours.out(ids("a", "b"), 2).starts.tolist() == [0, 0, 1]
    assert sorted(weights(walk(neighbours, ids("e"), np.array([1.0]), policy))) == ["a", "e"]
