"""Cuts the texts of a batch of files so that every byte belongs to the body of one owner.

An *owner* is a symbol, or the file itself for text that is in no symbol. Owners are numbered in order, a file before its
symbols, which is the order of the rows of a batch's symbol table.

Bytes from a symbol's `body_start` to its end are its own, but for the extents of symbols inside. The head of a symbol
(`start_byte` to `body_start`: name, parameters, heritage) belongs to its parent, so that a class is found by the names of
its methods; without a parent, to the symbol or file that encloses it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Extents", "Segments", "changes", "cut"]


class Extents(NamedTuple):
    """Places of all symbols of a batch in the joined text of its files; int64, ordered by (start, -end)."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    body_starts: NDArray[np.int64]
    parents: NDArray[np.int64]  # position among all symbols, or -1
    files: NDArray[np.int64]


class Segments(NamedTuple):
    """Contiguous segments of the joined text: where each begins, and whose body it is."""

    starts: NDArray[np.int64]
    owners: NDArray[np.int64]


def cut(symbols: Extents, file_starts: NDArray[np.int64]) -> Segments:
    """Return the segments of a batch's joined text; the first begins at 0."""
    count = len(symbols.starts)
    around, ends = _enclosing(symbols)
    starts = np.minimum(symbols.starts, ends)
    bodies = np.clip(symbols.body_starts, starts, ends)
    own = np.arange(count) + symbols.files + 1
    files = np.arange(len(file_starts))
    file_owners = np.searchsorted(symbols.files, files) + files
    outer = np.where(around >= 0, own[around], file_owners[symbols.files])
    heads = np.where(symbols.parents >= 0, own[symbols.parents], outer)
    after = np.where((around >= 0) & (ends < bodies[around]), heads[around], outer)
    whole = np.flatnonzero(ends > starts)
    over = (around >= 0) & (starts <= bodies[around]) & (bodies[around] < ends)  # inside when an outer body begins
    has_body = ends > bodies
    has_body[around[over]] = False  # what follows the inner symbol is that body all the same
    open_ = np.flatnonzero(has_body)
    # At one place: ends (inner first), then a file's start, then heads and bodies (outer first); the last one wins.
    places = np.concatenate([ends[whole], file_starts, starts[whole], bodies[open_]])
    first = np.full(len(file_starts), count + 1)
    ranks = np.concatenate([count - whole, first, count + 2 + 2 * whole, count + 3 + 2 * open_])
    owners = np.concatenate([after[whole], file_owners, heads[whole], own[open_]])
    order = np.lexsort((ranks, places))
    places, owners = places[order], owners[order]
    last = changes(places[::-1])[::-1]
    places, owners = places[last], owners[last]
    first = changes(owners)
    return Segments(places[first], owners[first])


def changes(values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return where an array differs from the element before; true at the first."""
    changed = np.ones(len(values), bool)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


def _enclosing(symbols: Extents) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each symbol the innermost one whose extent holds its start, or -1, and its end clipped to that extent."""
    around: list[int] = []
    ends: list[int] = []
    stack: list[int] = []
    for i, (start, end) in enumerate(zip(symbols.starts.tolist(), symbols.ends.tolist(), strict=True)):
        while stack and ends[stack[-1]] <= start:
            stack.pop()
        around.append(stack[-1] if stack else -1)
        ends.append(min(end, ends[stack[-1]]) if stack else end)
        stack.append(i)
    return np.array(around, np.int64), np.array(ends, np.int64)
