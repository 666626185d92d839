"""Postings of all shards, placed by counting: range of terms after range of terms, without sorting.

Shards hold their postings in the order (term, id), and their ids follow each other; so where a shard's postings of a term
go is known from the counts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.manifest import TableInfo
from ...schemas.tables import FILE_FIELDS, POSTINGS, SYMBOL_FIELDS
from ..parquet import TableWriter
from ..vocabulary import unify
from .placing import PlacedShard, ranges, release

__all__ = ["binary", "id_blobs", "write_postings"]

MAX_POSTINGS = 2_000_000
"""Postings of one range of terms, which is one row group: about 100 MB while it is made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """One shard's postings of one kind: `terms` are the global places of its terms, ascending, `ends` where each ends."""

    terms: NDArray[np.int32]
    ends: NDArray[np.int64]
    ids: NDArray[np.int32]
    planes: tuple[NDArray[np.uint8], ...]
    first_id: int


def write_postings(shards: Sequence[PlacedShard], snapshot: Path) -> TableInfo:
    """Write `postings`; df counts symbols that hold a term in a field or by the path of their file."""
    terms, places = unify([placed.shard.terms["term"] for placed in shards])
    symbols = [_run(s, p, "symbol", SYMBOL_FIELDS) for s, p in zip(shards, places, strict=True)]
    files = [_run(s, p, "file", FILE_FIELDS) for s, p in zip(shards, places, strict=True)]
    symbol_counts, file_counts = (_counts(runs, len(terms)) for runs in (symbols, files))
    frequencies = symbol_counts.copy()
    for placed, place in zip(shards, places, strict=True):
        frequencies[place] += placed.shard.terms["path_symbols"].to_numpy()
    with TableWriter(snapshot, POSTINGS) as writer:
        for start, stop in ranges(symbol_counts + file_counts, MAX_POSTINGS, POSTINGS.row_group):
            by_symbol = _blobs(symbols, symbol_counts[start:stop], start, len(SYMBOL_FIELDS))
            by_file = _blobs(files, file_counts[start:stop], start, len(FILE_FIELDS))
            columns = {
                "term": terms.slice(start, stop - start),
                "df": frequencies[start:stop].astype(np.int32),
                "symbols": by_symbol[0],
                "frequencies": by_symbol[1],
                "file_df": file_counts[start:stop].astype(np.int32),
                "files": by_file[0],
                "file_frequencies": by_file[1],
            }
            writer.append(pa.table(columns))
            writer.end_group()
            release(shards)
    return writer.info


def _run(placed: PlacedShard, places: NDArray[np.int32], kind: str, fields: Sequence[str]) -> _Run:
    table = placed.shard.symbol_postings if kind == "symbol" else placed.shard.file_postings
    return _Run(
        terms=places,
        ends=np.cumsum(placed.shard.terms[f"{kind}s"].to_numpy(), dtype=np.int64),
        ids=table[kind].to_numpy(),
        planes=tuple(table[field].to_numpy() for field in fields),
        first_id=placed.first_symbol if kind == "symbol" else placed.first_file,
    )


def _counts(runs: Sequence[_Run], terms: int) -> NDArray[np.int64]:
    """Return how many postings each global term has."""
    counts = np.zeros(terms, np.int64)
    for run in runs:
        counts[run.terms] += np.diff(run.ends, prepend=0)
    return counts


def _blobs(runs: Sequence[_Run], counts: NDArray[np.int64], start: int, fields: int) -> tuple[pa.Array[Any], pa.Array[Any]]:
    """Return ids, as differences, and frequencies of the terms from `start` on, one blob a term."""
    starts = np.cumsum(counts) - counts
    total = int(counts.sum())
    ids, planes = np.empty(total, np.int32), np.empty(total * fields, np.uint8)
    filled = np.zeros_like(counts)
    for run in runs:
        _place(run, start, counts, starts, filled, ids, planes)
    differences = np.diff(ids, prepend=np.int32(0))
    first = starts[counts > 0]
    differences[first] = ids[first]
    return binary(differences, starts, 4), binary(planes, starts * fields, 1)


def _place(
    run: _Run,
    start: int,
    counts: NDArray[np.int64],
    starts: NDArray[np.int64],
    filled: NDArray[np.int64],
    ids: NDArray[np.int32],
    planes: NDArray[np.uint8],
) -> None:
    """Put one shard's postings behind those of the shards before it; `filled` counts what each term has by then."""
    low, high = np.searchsorted(run.terms, (start, start + len(counts)))
    terms = run.terms[low:high] - start
    ends = run.ends[low:high]
    begin = int(run.ends[low - 1]) if low else 0
    held = np.diff(ends, prepend=begin)
    stop = begin + int(held.sum())
    # The i-th posting of the slice belongs at i plus something that is the same for all postings of its term.
    shifts = starts[terms] + filled[terms] - (ends - held - begin)
    places = np.repeat(shifts, held) + np.arange(stop - begin)
    ids[places] = run.ids[begin:stop] + np.int32(run.first_id)
    # The planes of a term lie one behind the other, each as long as the term has postings.
    places += np.repeat((len(run.planes) - 1) * starts[terms], held)
    steps = np.repeat(counts[terms], held)
    for plane in run.planes:
        planes[places] = plane[begin:stop]
        places += steps
    filled[terms] += held


def id_blobs(ids: NDArray[np.int32], starts: NDArray[np.int64]) -> pa.Array[Any]:
    """Return ids, ascending within each of the runs that begin at `starts`, as blobs of differences, the first from 0."""
    steps = np.diff(ids, prepend=np.int32(0))
    steps[starts] = ids[starts]
    return binary(steps, starts, 4)


def binary(values: NDArray[np.generic], starts: NDArray[np.int64], width: int) -> pa.Array[Any]:
    """Return blobs one after the other without copying; each begins at its place in `starts`, in elements of `width` bytes."""
    offsets = np.append(starts * width, values.nbytes).astype(np.int32)
    return pa.Array.from_buffers(pa.binary(), len(starts), [None, pa.py_buffer(offsets.data), pa.py_buffer(values.data)])
