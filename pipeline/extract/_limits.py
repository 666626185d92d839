"""Budgets that decide what is extracted from one file; all of them depend on its content alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Limits", "nesting"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Deterministic budgets of one file.

    `max_depth`: brackets open at once, counted before the parse; a language whose grammar crashes or hangs earlier has a lower
    limit of its own in its row. Most grammars parse 100,000 levels in linear time, but queries over such trees are not linear,
    see _depth. Nobody writes them: the deepest hand-written file of the corpora in scripts/bench/extract.py has under 60, and
    generated tables under 500. What nests without brackets is bounded after the parse, by the depth of the tree.
    `max_symbols`: the first so many of a file are kept; the most in the corpora is 5,000, and 150,000 are 10 s of work.
    `max_doc` and `max_signature`: characters kept; one screen of prose, three lines of code. `allow_secrets` reads
    files that look like secrets as any other.
    """

    max_depth: int = 2_000
    allow_secrets: bool = False
    max_doc: int = 2_000
    max_signature: int = 300
    max_symbols: int = 30_000


_STEP = np.zeros(256, dtype=np.int8)
_STEP[list(b"([{")] = 1
_STEP[list(b")]}")] = -1
_NOT_BRACKETS = bytes(b for b in range(256) if b not in b"()[]{}")


def nesting(data: bytes, at_most: int) -> int:
    """Return the largest number of brackets open at once, of all kinds together; a bound if it is under `at_most`.

    Brackets in strings and comments count, which only makes the budget a little smaller.
    """
    opened = data.count(b"(") + data.count(b"[") + data.count(b"{")
    if opened <= at_most:
        return opened
    steps = _STEP[np.frombuffer(data.translate(None, _NOT_BRACKETS), dtype=np.uint8)]
    return max(0, int(np.cumsum(steps, dtype=np.int32).max()))
