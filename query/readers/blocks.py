"""Columns that are stored as one blob a block of ids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...schemas.tables import BLOCK_ROWS
from .arrays import Array, Places
from .decode import BadBlobError

__all__ = ["block_rows", "by_block", "join_blocks"]


def by_block(columns: dict[str, Array]) -> dict[str, Array]:
    """Return rows in the order of their blocks: to sort them in SQL costs a search more than to read them."""
    order = np.argsort(columns["block"], kind="stable")
    return {name: column[order] for name, column in columns.items()}


def block_rows(blocks: Array, total: int) -> Places:
    """Return how many ids each block holds, of `total` ids in all; BadBlobError for a block that cannot be."""
    rows = np.minimum(total - blocks.astype(np.int64) * BLOCK_ROWS, BLOCK_ROWS)
    if len(blocks) and (rows.min() <= 0 or blocks.min() < 0 or np.any(np.diff(blocks) <= 0)):
        raise BadBlobError("a block of statistics lies outside the range of ids")
    return rows


def join_blocks(blobs: Sequence[bytes] | Array, rows: Places, dtype: str, planes: int = 1) -> Array:
    """Return the values of blocks end to end: an array (planes, values), or (values,) for a single plane."""
    width = np.dtype(dtype).itemsize * planes
    if any(len(blob) != n * width for blob, n in zip(blobs, rows.tolist(), strict=True)):
        raise BadBlobError("a block of statistics has the wrong length")
    parts = [np.frombuffer(blob, dtype).reshape(planes, -1) for blob in blobs]
    joined = np.concatenate(parts, axis=1) if parts else np.zeros((planes, 0), dtype)
    return joined if planes > 1 else joined[0]
