"""Cosines between a query and every symbol and file, from the stored vectors: whole numbers, so exact in any order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ...schemas.tables import BLOCK_ROWS, SCALE_UNIT
from ..connection import Connection
from ..store import Snapshot
from .arrays import Array, Singles
from .blocks import block_rows
from .decode import BadBlobError
from .files import blaming

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.int8]

__all__ = ["LookupVectors", "ResidentVectors", "Vectors"]

_BLOCKS = 8
"""Fetched at a time: 4 MB with 128 dimensions."""


class Vectors(Protocol):
    """Read access to the vectors of one snapshot."""

    def cosines(self, query: Singles) -> Singles:
        """Return the cosine of a unit vector and the vector of each symbol id; 0 for those that have none."""

    def rows(self, symbols: Array) -> Singles:
        """Return the vectors of symbol ids, a row each, of length one but for rounding."""


class LookupVectors:
    """Reads the table block after block; nothing stays in memory."""

    def __init__(self, snapshot: Snapshot, connection: Connection) -> None:
        self._snapshot = snapshot
        self._connection = connection

    def cosines(self, query: Singles) -> Singles:
        """See Vectors."""
        out = np.zeros(self._snapshot.rows("symbols"), np.float32)
        whole, step = _whole(query)
        for first, scales, codes in _blocks(self._snapshot, self._connection):
            out[first : first + len(scales)] = _products(codes, whole) * scales * step
        return out

    def rows(self, symbols: Array) -> Singles:
        """See Vectors."""
        blocks = sorted({int(block) for block in symbols // BLOCK_ROWS})
        where = f"WHERE block IN ({','.join(map(str, blocks)) or 'NULL'})"
        out = np.zeros((len(symbols), self._snapshot.manifest.model.dimensions), np.float32)
        for first, scales, codes in _blocks(self._snapshot, self._connection, where):
            here = np.flatnonzero((symbols >= first) & (symbols < first + len(scales)))
            places = symbols[here] - first
            out[here] = codes[places] * scales[places, None]
        return out


class ResidentVectors:
    """Holds all vectors: a byte a dimension and four bytes a symbol."""

    def __init__(self, snapshot: Snapshot, connection: Connection) -> None:
        total, dimensions = snapshot.rows("symbols"), snapshot.manifest.model.dimensions
        self._scales = np.zeros(total, np.float32)
        self._codes = np.zeros((total, dimensions), np.int8)
        for first, scales, codes in _blocks(snapshot, connection):
            self._scales[first : first + len(scales)] = scales
            self._codes[first : first + len(scales)] = codes

    def cosines(self, query: Singles) -> Singles:
        """See Vectors."""
        whole, step = _whole(query)
        out = np.empty(len(self._scales), np.float32)
        for start in range(0, len(out), BLOCK_ROWS):  # a block of float32 stays in the processor's cache
            out[start : start + BLOCK_ROWS] = _products(self._codes[start : start + BLOCK_ROWS], whole)
        return out * self._scales * step

    def rows(self, symbols: Array) -> Singles:
        """See Vectors."""
        vectors: Singles = self._codes[symbols] * self._scales[symbols, None]
        return vectors


def _whole(query: Singles) -> tuple[Singles, np.float32]:
    """Return a vector in whole numbers from -127 to 127, and what they are multiplied by."""
    largest = float(np.abs(query).max(initial=0.0))
    step = largest / 127 if largest > 0 else 1.0
    return np.rint(query / step).astype(np.float32), np.float32(step)


def _products(codes: Bytes, whole: Singles) -> Singles:
    """Multiply rows of whole numbers; sums stay below 2**24, so float32 holds them exactly whatever their order."""
    products: Singles = codes.astype(np.float32) @ whole
    return products


def _blocks(snapshot: Snapshot, connection: Connection, where: str = "") -> Iterator[tuple[int, Singles, Bytes]]:
    """Yield the first id of each block, its scales and its rows of whole numbers, in the order of ids."""
    total, dimensions = snapshot.rows("symbols"), snapshot.manifest.model.dimensions
    with blaming(snapshot, "vectors"):
        for chunk in connection.chunks(f"SELECT block, scales, vectors FROM vectors {where} ORDER BY block", _BLOCKS):
            rows = block_rows(np.array([block for block, _, _ in chunk]), total).tolist()
            for (block, scales, codes), count in zip(chunk, rows, strict=True):
                if len(scales) != 2 * count or len(codes) != dimensions * count:
                    raise BadBlobError("a block of vectors has the wrong length")
                steps = np.frombuffer(scales, "<u2").astype(np.float32) * np.float32(SCALE_UNIT)
                yield block * BLOCK_ROWS, steps, np.frombuffer(codes, np.int8).reshape(count, dimensions)
