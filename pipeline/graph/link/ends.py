"""Edges between rows of the symbol table: definitions without a row of their own give way to what is around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .resolve import Links
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
    """Return the edges, one a (source, target, kind), in no order; an edge to something without a row is left out."""
    world = links.world
    symbols = [item.symbol for item in world.definitions]
    around: dict[int, int] = {-1: -1}
    merged: dict[tuple[int, int, int, int, str], SymbolEdge] = {}
    for source_file, d, target_file, other, kind, confidence, rule, line, sites in links.edges:
        target = symbols[other] if other >= 0 else -1
        if other >= 0 and target < 0:
            continue
        source = around.get(d)
        if source is None:
            source = around[d] = symbols[d] if symbols[d] >= 0 else _around(world, d)
        if source == target and source_file == target_file and d != other:
            continue
        key = (source_file, source, target_file, target, kind)
        new = SymbolEdge(source_file, source, target_file, target, kind, confidence, rule, line, sites)
        old = merged.get(key)
        merged[key] = new if old is None else _sum(old, new)
    return list(merged.values())


def _around(world: World, d: int) -> int:
    """Return the symbol of the nearest definition around one without, else -1."""
    while d >= 0 and world.definitions[d].symbol < 0:
        scope = world.scope_of(d)
        while scope >= 0 and world.defines(scope) < 0:
            scope = world.parents[scope]
        d = world.defines(scope) if scope >= 0 else -1
    return world.definitions[d].symbol if d >= 0 else -1


def _sum(old: SymbolEdge, new: SymbolEdge) -> SymbolEdge:
    best = max((old.confidence, old.rule), (new.confidence, new.rule))
    return new._replace(confidence=best[0], rule=best[1], line=min(old.line, new.line), sites=old.sites + new.sites)
