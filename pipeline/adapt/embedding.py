"""The vectors of a shard whose facts were extracted without a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from ..shards import read, write
from ..vectors import field_vectors
from ..vectors.words import vectorizer
from .facts import shard_facts

__all__ = ["embed"]

_FILES = 64
"""Files whose fields are added up at once: about what a worker gets."""


def embed(path: Path, model: Path) -> None:
    """Give the symbols in a shard's file their vectors by the model in a folder; the file is replaced."""
    shard, known = read(path), vectorizer(model)
    count = shard.files.num_rows
    vectors = [
        field_vectors(shard_facts(shard, start, min(start + _FILES, count)), known) for start in range(0, count, _FILES)
    ]
    rows = np.concatenate(vectors or [np.zeros((0, known.encoder.dimensions), np.float16)])
    place = shard.symbols.column_names.index("vector")
    column = pa.array([row.tobytes() for row in rows], pa.binary())
    write(path, replace(shard, symbols=shard.symbols.set_column(place, "vector", column)))
