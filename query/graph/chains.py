"""A shortest chain of edges between symbols, whatever the edges are read from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Generic, NamedTuple, TypeVar

__all__ = ["MOST_VISITED", "Chain", "Step", "shortest_chain"]

MOST_VISITED = 20_000
"""Symbols that one walk looks at; an answer that was cut says so."""

E = TypeVar("E")


class Step(NamedTuple, Generic[E]):
    """One edge of a chain, from the symbol before to this one."""

    near: int
    far: int
    edge: E


class Chain(NamedTuple, Generic[E]):
    """The steps from a start to an end, none where no chain was found; `cut` is how many symbols were seen if that was too many."""

    steps: tuple[Step[E], ...] = ()
    cut: int | None = None


def shortest_chain(
    starts: Collection[int], ends: Collection[int], longest: int, edges: Callable[[list[int]], Iterable[tuple[int, int, E]]]
) -> Chain[E]:
    """Return a shortest chain of at most `longest` edges from any of the starts to any of the others, the ends.

    `edges` gives (near, far, edge) for ascending symbols; the first that leads to a symbol is kept, and of ends that are
    equally near the lowest.
    """
    came: dict[int, Step[E]] = {}
    front = sorted(starts)
    for step in range(1, longest + 1):
        fresh: list[int] = []
        for near, far, edge in edges(front):
            if far not in came and far not in starts:
                came[far] = Step(near, far, edge)
                fresh.append(far)
        if any(end in came for end in ends):
            return Chain(steps=_back(came, min(end for end in ends if end in came)))
        if not fresh or step == longest:
            break
        if len(came) > MOST_VISITED:
            return Chain(cut=len(came))
        front = sorted(fresh)
    return Chain()


def _back(came: dict[int, Step[E]], end: int) -> tuple[Step[E], ...]:
    steps = [came[end]]
    while steps[-1].near in came:
        steps.append(came[steps[-1].near])
    return tuple(reversed(steps))
