"""What surrounds the best definitions in the code graph: callers, callees, types and tests, best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..connection import Connection
from ..readers.values import Row

__all__ = ["Neighbour", "neighbours"]

_WORTH = {
    ("calls", "out"): ("callee", 1.0),
    ("calls", "in"): ("caller", 0.9),
    ("references", "out"): ("type", 0.8),
    ("extends", "out"): ("type", 0.8),
    ("implements", "out"): ("type", 0.8),
    ("overrides", "out"): ("type", 0.5),
    ("overrides", "in"): ("subtype", 0.5),
    ("extends", "in"): ("subtype", 0.5),
    ("implements", "in"): ("subtype", 0.5),
    ("tests", "in"): ("test", 0.7),
    ("contains", "in"): ("scope", 0.6),
}
"""What the other end of an edge is to a definition, by kind and direction, and how much it helps to read it; judged, not measured."""

_MOST_EDGES = 2000
"""Edges at one symbol that are looked at: whatever has more is used everywhere, and none of its uses says much."""


class Neighbour(NamedTuple):
    """The other end of an edge at a definition: `at` is the place of the definition in the order given, `line` lies in the file
    of the edge's source."""

    symbol: int
    at: int
    relation: str
    kind: str
    outward: bool
    line: int
    confidence: float
    evidence: str
    rule: str
    score: float


def neighbours(connection: Connection, definitions: Sequence[Row], shares: Sequence[float]) -> list[Neighbour]:
    """Return the symbols around definitions, each once by its best edge, best first; `shares` weigh the definitions.

    An edge counts by its kind and confidence; the more edges of that kind a definition has, the less each of them.
    """
    if not definitions or not connection.has("edges"):
        return []
    best: dict[int, Neighbour] = {}
    known = {row.symbol for row in definitions}
    for found in _scored(_edges(connection, definitions), definitions, shares):
        old = best.get(found.symbol)
        if found.symbol not in known and (old is None or found.score > old.score):
            best[found.symbol] = found
    return sorted(best.values(), key=lambda n: (-n.score, n.symbol))


class _Edge(NamedTuple):
    src: int
    dst: int
    kind: str
    line: int
    confidence: float
    evidence: str
    rule: str


def _scored(edges: Iterable[_Edge], definitions: Sequence[Row], shares: Sequence[float]) -> list[Neighbour]:
    places = {row.symbol: i for i, row in enumerate(definitions)}
    ends = [
        (edge, near, far, way)
        for edge in edges
        for near, far, way in ((edge.src, edge.dst, "out"), (edge.dst, edge.src, "in"))
        if near in places and (edge.kind, way) in _WORTH
    ]
    counts: dict[tuple[int, str, str], int] = {}
    for edge, near, _, way in ends:
        counts[near, edge.kind, way] = counts.get((near, edge.kind, way), 0) + 1
    out = []
    for edge, near, far, way in ends:
        relation, worth = _WORTH[edge.kind, way]
        at = places[near]
        score = worth * edge.confidence * shares[at] / counts[near, edge.kind, way] ** 0.5
        out.append(
            Neighbour(
                symbol=far,
                at=at,
                relation=relation,
                kind=edge.kind,
                outward=way == "out",
                line=edge.line,
                confidence=edge.confidence,
                evidence=edge.evidence,
                rule=edge.rule,
                score=round(score, 9),
            )
        )
    return out


def _edges(connection: Connection, definitions: Sequence[Row]) -> list[_Edge]:
    """Return the edges at both ends of the definitions: only `src` is pruned by, so sources are looked up first."""
    ids = sorted(row.symbol for row in definitions)
    listed = ",".join(map(str, ids))
    sources = _sources(connection, ids)
    wanted = ",".join(map(str, sorted({*ids, *sources})))
    kinds = ",".join(f"'{kind}'" for kind in sorted({kind for kind, _ in _WORTH}))
    rows = connection.rows(
        f"SELECT src, dst, kind, line, confidence, evidence, rule FROM {connection.source('edges')} WHERE src IN ({wanted}) "
        f"AND (src IN ({listed}) OR dst IN ({listed})) AND src <> dst AND kind IN ({kinds}) ORDER BY src, kind, dst"
    )
    return [_Edge(*row) for row in rows]


def _sources(connection: Connection, ids: Sequence[int]) -> set[int]:
    import numpy as np

    from ..readers.neighbours import LookupNeighbours

    found = LookupNeighbours(connection.snapshot, connection).into(np.array(ids, np.int32), _MOST_EDGES)
    return set(found.others.tolist())
