"""What a search costs, as a ratio to a reference pass: both do the same kind of work in the same process in turn, so that
the ratio stays when the machine is slow or busy."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from .rows import ASKED, System

__all__ = ["ROUNDS", "ratios"]

ROUNDS = 5

_PASSES = 8
"""Times that the reference is asked for each search: it is that much faster, and a clock that reads little reads badly."""


def ratios(system: System, reference: System, queries: Sequence[str]) -> tuple[float, ...]:
    """Return the CPU of all queries over that of the reference, once a round; the two take turns query by query."""
    return tuple(_round(system, reference, queries) for _ in range(ROUNDS))


def _round(system: System, reference: System, queries: Sequence[str]) -> float:
    ours = theirs = 0
    for query in queries:
        ours += _spent(lambda query=query: system.search(query, ASKED))  # type: ignore[misc]  # bound at once
        theirs += _spent(lambda query=query: [reference.search(query, ASKED) for _ in range(_PASSES)])  # type: ignore[misc]
    return ours * _PASSES / max(theirs, 1)


def _spent(work: Callable[[], object]) -> int:
    start = time.process_time_ns()
    work()
    return time.process_time_ns() - start
