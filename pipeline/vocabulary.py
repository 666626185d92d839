"""Sets of terms put together: one sorted vocabulary, and the place of every term in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._arrow import compute

__all__ = ["unify"]

_NONE = pa.array([], pa.string())


def unify(vocabularies: Sequence[pa.ChunkedArray[Any]]) -> tuple[pa.Array[Any], list[NDArray[np.int32]]]:
    """Return the union of some term columns in the order of UTF-8 bytes, and for each column its terms' places there."""
    # Encoded as one array and split by length: dictionary_encode drops empty chunks, and their places with them.
    chunks = [chunk for column in vocabularies for chunk in column.chunks]
    encoded: Any = pa.concat_arrays(chunks or [_NONE]).dictionary_encode()
    terms = encoded.dictionary
    order = compute.sort_indices(terms)
    ranks = np.empty(len(terms), np.int32)
    ranks[order.to_numpy()] = np.arange(len(terms), dtype=np.int32)
    ends = np.cumsum([len(column) for column in vocabularies], dtype=np.int64)
    places = np.split(ranks[encoded.indices.to_numpy()], ends)[: len(ends)]
    return terms.take(order), places
