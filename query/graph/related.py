"""What surrounds a symbol: who calls it and whom it calls, its types, its tests, what may break, and paths to another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import log2
from typing import Any

from ..connection import Connection
from .chains import MOST_VISITED, shortest_chain
from .hops import Edge, degrees, edges_from, edges_to
from .naming import Place, places

__all__ = ["GROUPS", "SHOWN", "Relation", "Relations", "connecting_path", "impact", "relations"]

GROUPS: dict[str, tuple[str, tuple[str, ...]]] = {
    "callers": ("in", ("calls",)),
    "callees": ("out", ("calls",)),
    "types": ("out", ("extends", "implements", "references")),
    "subtypes": ("in", ("extends", "implements", "overrides")),
    "overrides": ("out", ("overrides",)),
    "references": ("in", ("references",)),
    "tests": ("in", ("tests",)),
    "imported_by": ("in", ("imports", "reexports")),
}
"""Groups of relations by name: the direction of their edges, and the kinds."""

SHOWN = tuple(name for name in GROUPS if name != "overrides")
"""Groups that are shown where none is chosen."""

HUB = 200
"""A symbol with more edges that lead to it is shown, but not walked through: nearly everything would be related to it."""

_IMPACT = {"calls": 1.0, "extends": 0.9, "implements": 0.9, "overrides": 0.9, "references": 0.7, "reexports": 0.6,
           "imports": 0.4, "tests": 0.3}  # fmt: skip
"""How likely a change of an edge's target is felt at its source, before confidence; a judgement, not a measurement."""

_FADE = 0.6
"""Of impact that one more step keeps."""

_PATHS = ("calls", "extends", "implements", "overrides", "references", "imports", "reexports")


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """One related symbol: the edge that leads to it, how many steps away it is, and for an impact its score.

    `line` lies in the file of the edge's source; `via` is the key of the symbol one step nearer.
    """

    place: Place
    kind: str
    depth: int
    confidence: float
    evidence: str
    rule: str
    path: str
    line: int
    sites: int
    via: str
    score: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return plain values; `at` is where the relation is stated."""
        row = self.place.to_json()
        row |= {"relation": self.kind, "depth": self.depth, "confidence": round(self.confidence, 4), "rule": self.rule}
        row |= {
            "evidence": self.evidence,
            "at": {"path": self.path, "line": self.line},
            "sites": self.sites,
            "via": self.via,
        }
        if self.score is not None:
            row["score"] = round(self.score, 6)
        return row


@dataclass(frozen=True, slots=True, kw_only=True)
class Relations:
    """The groups of relations of one symbol, each with at most the asked number of rows; `totals` counts all of them."""

    symbol: Place
    groups: Mapping[str, tuple[Relation, ...]]
    totals: Mapping[str, int]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return what `relations --json` prints."""
        return {
            "symbol": self.symbol.to_json(),
            "complete": not self.notes,
            "notes": list(self.notes),
            "groups": {
                name: {"total": self.totals[name], "relations": [row.to_json() for row in rows]}
                for name, rows in self.groups.items()
            },
        }


@dataclass(slots=True)
class _Found:
    """A symbol that a walk has reached: by which edge, how far, and from which symbol."""

    edge: Edge
    depth: int
    near: int
    score: float = 0.0


def relations(connection: Connection, symbol: Place, names: Sequence[str], *, depth: int = 1, limit: int = 20) -> Relations:
    """Return the named groups (see GROUPS), up to `depth` steps away, nearest first."""
    groups, totals, notes = {}, {}, []
    for name in names:
        direction, kinds = GROUPS[name]
        found, cut = _walk(connection, symbol.symbol, direction, kinds, depth)
        order = sorted(found, key=lambda s: (found[s].depth, -found[s].edge.confidence, s))
        groups[name] = _shown(connection, found, order[:limit])
        totals[name] = len(order)
        notes += [f"{name}: {note}" for note in cut]
    return Relations(symbol=symbol, groups=groups, totals=totals, notes=tuple(notes))


def impact(connection: Connection, symbol: Place, *, depth: int = 3, limit: int = 20) -> Relations:
    """Return what may break when the symbol changes, most likely first.

    A change is felt by whatever uses the symbol, or a part of it, with a strength that fades with every step and with the
    number of symbols that use the same thing; what is reached over several ways adds up.
    """
    start = _with_parts(connection, symbol.symbol)
    felt = dict.fromkeys(start, 1.0)
    found: dict[int, _Found] = {}
    frontier, notes = dict(felt), []
    for step in range(1, depth + 1):
        counts = degrees(connection, frontier)
        edges = edges_to(connection, frontier, _IMPACT)
        reached: dict[int, float] = {}
        for edge in edges:
            if edge.src in start:
                continue
            damping = 1 / log2(2 + counts.get(edge.dst, 0) / HUB)
            gain = frontier[edge.dst] * _IMPACT[edge.kind] * edge.confidence * damping * (1 if step == 1 else _FADE)
            reached[edge.src] = 1 - (1 - reached.get(edge.src, 0.0)) * (1 - gain)
            if edge.src not in found:
                found[edge.src] = _Found(edge, step, edge.dst)
        for source, gain in reached.items():
            found[source].score = 1 - (1 - found[source].score) * (1 - gain)
        frontier = {s: gain for s, gain in reached.items() if found[s].depth == step and counts.get(s, 0) <= HUB}
        if len(found) > MOST_VISITED:
            notes.append(_stopped(len(found)))
            break
        if not frontier:
            break
    order = sorted(found, key=lambda s: (-round(found[s].score, 9), found[s].depth, s))
    rows = _shown(connection, found, order[:limit], scored=True)
    return Relations(symbol=symbol, groups={"impact": rows}, totals={"impact": len(order)}, notes=tuple(notes))


def connecting_path(connection: Connection, symbol: Place, other: Place, *, depth: int = 6) -> Relations:
    """Return the shortest chain of uses from one symbol to the other, or else from the other back; no rows if none."""
    notes: list[str] = []
    for start, end in ((symbol, other), (other, symbol)):
        chain = shortest_chain([start.symbol], [end.symbol], depth, partial(_uses, connection))
        if chain.steps:
            found = {step.far: _Found(step.edge, depth, step.near) for depth, step in enumerate(chain.steps, 1)}
            rows = _shown(connection, found, list(found))
            return Relations(symbol=start, groups={"path": rows}, totals={"path": len(rows)}, notes=())
        if chain.cut is not None:
            notes.append(_stopped(chain.cut))
    notes = [*dict.fromkeys(notes)]
    return Relations(symbol=symbol, groups={"path": ()}, totals={"path": 0}, notes=tuple(notes))


def _uses(connection: Connection, symbols: Sequence[int]) -> Iterator[tuple[int, int, Edge]]:
    """Yield what symbols use; a path goes through parts too, for whoever uses a class or file uses what it contains."""
    for kinds in (_PATHS, ("contains",)):
        yield from ((edge.src, edge.dst, edge) for edge in edges_from(connection, symbols, kinds))


def _stopped(count: int) -> str:
    return f"stopped after {count:,} symbols"


def _walk(
    connection: Connection, start: int, direction: str, kinds: Iterable[str], depth: int
) -> tuple[dict[int, _Found], list[str]]:
    """Return every symbol within `depth` steps by the first edge that reaches it, and what was cut."""
    found: dict[int, _Found] = {}
    frontier, hubs = {start}, 0
    for step in range(1, depth + 1):
        edges = (edges_from if direction == "out" else edges_to)(connection, frontier, kinds)
        reached = {}
        for edge in edges:
            near, far = (edge.src, edge.dst) if direction == "out" else (edge.dst, edge.src)
            if far != start and far not in found and far not in reached:
                reached[far] = _Found(edge, step, near)
        found |= reached
        if not reached or step == depth:
            break
        if len(found) > MOST_VISITED:
            return found, [_stopped(len(found))]
        counts = degrees(connection, reached)
        frontier = {symbol for symbol in reached if counts.get(symbol, 0) <= HUB}
        hubs += len(reached) - len(frontier)
    return found, [f"not followed through {hubs} with more than {HUB} edges each"] if hubs else []


def _with_parts(connection: Connection, symbol: int) -> set[int]:
    """Return a symbol with all that it contains."""
    found, frontier = {symbol}, {symbol}
    while frontier:
        frontier = {edge.dst for edge in edges_from(connection, frontier, ("contains",))} - found
        found |= frontier
    return found


def _shown(
    connection: Connection, found: Mapping[int, _Found], order: Sequence[int], *, scored: bool = False
) -> tuple[Relation, ...]:
    known = places(connection, [*order, *(found[s].near for s in order), *(found[s].edge.src for s in order)])
    rows = []
    for symbol in order:
        hit = found[symbol]
        rows.append(
            Relation(
                place=known[symbol],
                kind=hit.edge.kind,
                depth=hit.depth,
                confidence=hit.edge.confidence,
                evidence=hit.edge.evidence,
                rule=hit.edge.rule,
                path=known[hit.edge.src].path,
                line=hit.edge.line,
                sites=hit.edge.sites,
                via=known[hit.near].key,
                score=hit.score if scored else None,
            )
        )
    return tuple(rows)
