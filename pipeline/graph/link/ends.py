"""Edges between rows of the symbol table: definitions without a row of their own give way to what is around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .resolve import Edge, Links
    from .world import World

__all__ = ["SymbolEdge", "symbol_edges"]


class SymbolEdge(NamedTuple):
    """An edge by places: a file's number in the input and a position in that file's symbols, -1 for the file's own row."""

    source_file: int
    source: int
    target_file: int
    target: int
    kind: str
    confidence: float
    rule: str
    line: int
    sites: int


def symbol_edges(links: Links) -> list[SymbolEdge]:
    """Return the edges in order, one a (source, target, kind); an edge to something without a row is left out."""
    world = links.world
    merged: dict[tuple[int, int, int, int, str], SymbolEdge] = {}
    for edge in links.edges:
        target = world.definitions[edge.target].symbol if edge.target >= 0 else -1
        if edge.target >= 0 and target < 0:
            continue
        source = _around(world, edge)
        key = (edge.source_file, source, edge.target_file, target, edge.kind)
        collapsed = key[:2] == key[2:4] and edge.source != edge.target
        if not collapsed:
            merged[key] = _sum(merged.get(key), SymbolEdge(*key, edge.confidence, edge.rule, edge.line, edge.sites))
    return sorted(merged.values())


def _around(world: World, edge: Edge) -> int:
    """Return the symbol of the source, or of the nearest definition around it that has one, else -1."""
    d = edge.source
    while d >= 0 and world.definitions[d].symbol < 0:
        scope = world.scope_of(d)
        while scope >= 0 and world.defines(scope) < 0:
            scope = world.parents[scope]
        d = world.defines(scope) if scope >= 0 else -1
    return world.definitions[d].symbol if d >= 0 else -1


def _sum(old: SymbolEdge | None, new: SymbolEdge) -> SymbolEdge:
    if old is None:
        return new
    best = max((old.confidence, old.rule), (new.confidence, new.rule))
    return new._replace(confidence=best[0], rule=best[1], line=min(old.line, new.line), sites=old.sites + new.sites)
