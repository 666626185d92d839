"""A shard with its place among all others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..shards import Shard

__all__ = ["PlacedShard", "column", "each", "ranges", "release", "shards_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedShard:
    """A shard, mapped into memory, and what its local ids are added to; `source` is the number of its repository."""

    repo: str
    source: int
    shard: Shard
    first_file: int
    first_symbol: int

    @property
    def files(self) -> int:
        """Files of the shard, skipped ones included."""
        return int(self.shard.files.num_rows)

    @property
    def symbols(self) -> int:
        """Rows of the shard in `symbols`, those that stand for files included."""
        return int(self.shard.symbols.num_rows)


def each(shards: Sequence[PlacedShard]) -> Iterator[PlacedShard]:
    """Yield the shards one after the other; what was read of one is given back before the next."""
    for placed in shards:
        yield placed
        placed.shard.release()


def release(shards: Sequence[PlacedShard]) -> None:
    """Give back what was read of the files of all shards."""
    for placed in shards:
        placed.shard.release()


def column(shards: Sequence[PlacedShard], table: str, name: str) -> pa.Array[Any]:
    """Return a column of a table of some shards, end to end; strings where there is no shard."""
    chunks = [chunk for placed in shards for chunk in getattr(placed.shard, table)[name].chunks]
    return pa.chunked_array(chunks, chunks[0].type if chunks else pa.string()).combine_chunks()


def shards_of(firsts: Sequence[int], ids: NDArray[Any]) -> NDArray[np.int64]:
    """Return for each id the position of its shard; `firsts` are the first ids of the shards, ascending."""
    return np.searchsorted(np.array(firsts, np.int64), ids, side="right") - 1


def ranges(counts: NDArray[Any], most: int, widest: int = 1 << 62) -> Iterator[tuple[int, int]]:
    """Cut the places of `counts` into ranges that add up to at most `most` and are no wider than `widest`, or hold one place."""
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        before = int(ends[start - 1]) if start else 0
        stop = int(np.searchsorted(ends, before + most, side="right"))
        stop = min(max(stop, start + 1), start + widest)
        yield start, stop
        start = stop
