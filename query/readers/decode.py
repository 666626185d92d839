"""From blobs to arrays, with the checks that keep a damaged or crafted artifact from becoming a wrong answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .arrays import Array, Codes, Ids, Places

__all__ = ["BadBlobError", "Gathered", "gather", "planes_of", "running_ids"]


Blobs = Sequence[bytes] | Array
"""Blobs as DuckDB hands them over: a column of objects, or rows."""


class BadBlobError(ValueError):
    """A blob does not hold what its column says; the reader names the table."""


class Gathered(NamedTuple):
    """The blobs of several terms, end to end: `starts` are the bounds of each term's postings (one more than terms)."""

    starts: Places
    ids: Ids
    planes: Codes


def gather(deltas: Blobs, planes: Blobs, fields: int, limit: int) -> Gathered:
    """Decode posting blobs; raises BadBlobError unless ids rise strictly below `limit` and planes fit them."""
    sizes = np.fromiter(map(len, deltas), np.int64, len(deltas))
    widths = np.fromiter(map(len, planes), np.int64, len(planes))
    counts = sizes >> 2
    if np.any(sizes & 3) or np.any(widths != counts * fields):
        raise BadBlobError("a blob of postings has the wrong length")
    starts = np.concatenate([[0], np.cumsum(counts)])
    ids = running_ids(np.frombuffer(b"".join(deltas), "<i4"), starts, limit)
    return Gathered(starts, ids, np.frombuffer(b"".join(planes), np.uint8))


def running_ids(deltas: Array, starts: Places, limit: int, *, several: bool = False) -> Ids:
    """Add up differences within each run that `starts` bounds; ids rise from 0 and stay below `limit`.

    They rise strictly unless there may be `several` equal ones.
    """
    if not len(deltas):
        return np.zeros(0, np.int32)
    sums = np.cumsum(deltas, dtype=np.int64)
    bounds = starts[:-1][np.diff(starts) > 0]
    before = sums[bounds] - deltas[bounds]
    ids = sums - np.repeat(before, np.diff(np.append(bounds, len(deltas))))
    rises = deltas >= 0 if several else deltas > 0
    rises[bounds] = deltas[bounds] >= 0
    if not rises.all() or ids.max() >= limit:
        raise BadBlobError("ids of postings do not rise within their range")
    return ids.astype(np.int32)


def planes_of(gathered: Gathered, fields: int) -> list[Codes]:
    """Return one array a field, parallel to the ids: a term's planes stand one after the other in its blob."""
    counts = np.diff(gathered.starts)
    if len(counts) == 1:
        return list(gathered.planes.reshape(fields, -1))
    place = np.arange(len(gathered.ids)) + np.repeat((fields - 1) * gathered.starts[:-1], counts)
    step = np.repeat(counts, counts)
    return [gathered.planes[place + field * step] for field in range(fields)]
