"""The vectors of all symbols and files: the path added, scaled to length one, rounded to eight bits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.manifest import TableInfo
from ...schemas.tables import BLOCK_ROWS, SCALE_UNIT, VECTORS
from ..parquet import TableWriter
from ..vectors import path_vectors
from ..vectors.fields import PATH_WEIGHTS
from ..vectors.words import Vectorizer
from .placing import PlacedShard, each

__all__ = ["write_vectors"]

_ROWS = 1 << 13
"""Rows made at a time: 4 MB of float32, several times over."""


def write_vectors(shards: Sequence[PlacedShard], vectorizer: Vectorizer, snapshot: Path) -> TableInfo:
    """Write `vectors`, a row a block of BLOCK_ROWS symbols."""
    block = 0
    scales, codes = np.zeros(0, np.uint16), np.zeros((0, vectorizer.encoder.dimensions), np.int8)
    with TableWriter(snapshot, VECTORS) as writer:
        for more_scales, more_codes in _quantized(shards, vectorizer):
            scales, codes = np.concatenate([scales, more_scales]), np.concatenate([codes, more_codes])
            while len(scales) >= BLOCK_ROWS:
                writer.append(_row(block, scales[:BLOCK_ROWS], codes[:BLOCK_ROWS]))
                scales, codes, block = scales[BLOCK_ROWS:], codes[BLOCK_ROWS:], block + 1
        if len(scales):
            writer.append(_row(block, scales, codes))
    return writer.info


def _quantized(
    shards: Sequence[PlacedShard], vectorizer: Vectorizer
) -> Iterator[tuple[NDArray[np.uint16], NDArray[np.int8]]]:
    """Yield scales, in units of SCALE_UNIT, and the whole numbers they multiply."""
    for placed in each(shards):
        files: list[str] = [str(path) for path in placed.shard.files["path"].to_pylist()]
        paths = path_vectors(files, vectorizer)
        owners = placed.shard.symbols["file"].to_numpy()
        own = np.zeros(placed.symbols, bool)
        own[placed.shard.files["symbol"].to_numpy()] = True
        blobs = placed.shard.symbols["vector"]
        for start in range(0, placed.symbols, _ROWS):
            part = slice(start, start + _ROWS)
            raw = b"".join(blob.as_buffer() for blob in blobs[part])
            vectors = np.frombuffer(raw, "<f2").reshape(-1, paths.shape[1]).astype(np.float32)
            vectors += paths[owners[part]] * np.where(own[part], *PATH_WEIGHTS[::-1]).astype(np.float32)[:, None]
            yield _rounded(vectors)


def _rounded(vectors: NDArray[np.float32]) -> tuple[NDArray[np.uint16], NDArray[np.int8]]:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float32))
    vectors = (vectors / np.where(lengths > 0, lengths, 1)[:, None]).astype(np.float32)
    scales = np.ceil(np.abs(vectors).max(axis=1) / 127 / SCALE_UNIT).astype(np.uint16)
    steps = np.maximum(scales, 1).astype(np.float32) * np.float32(SCALE_UNIT)
    return scales, np.rint(vectors / steps[:, None]).astype(np.int8)


def _row(block: int, scales: NDArray[np.uint16], codes: NDArray[np.int8]) -> pa.Table:
    return pa.table(
        {
            "block": pa.array([block], pa.int32()),
            "scales": pa.array([scales.astype("<u2").tobytes()], pa.binary()),
            "vectors": pa.array([codes.tobytes()], pa.binary()),
        }
    )
