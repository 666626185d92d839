"""Ends of edges: definitions without a row in the symbol table give way to what is around them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .world import World

__all__ = ["symbols_around"]


def symbols_around(world: World, definitions: Iterable[int]) -> list[int]:
    """Return for each definition its position in its file's symbols, or that of what is around it, -1 for the file's own row."""
    return [_around(world, d) for d in definitions]


def _around(world: World, d: int) -> int:
    """Return the symbol of the nearest definition around one without, else -1."""
    while d >= 0 and world.definitions[d].symbol < 0:
        scope = world.scope_of(d)
        while scope >= 0 and world.defines(scope) < 0:
            scope = world.parents[scope]
        d = world.defines(scope) if scope >= 0 else -1
    return world.definitions[d].symbol if d >= 0 else -1
