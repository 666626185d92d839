"""Sets of terms put together: one sorted vocabulary, and the place of every term in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ._arrow import compute

__all__ = ["unify"]


def unify(vocabularies: Sequence[pa.ChunkedArray[Any]]) -> tuple[pa.Array[Any], list[NDArray[np.int32]]]:
    """Return the union of some term columns in the order of UTF-8 bytes, and for each column its terms' places there."""
    chunks = [column.combine_chunks() for column in vocabularies]
    encoded: Any = pa.chunked_array(chunks, pa.string()).dictionary_encode()
    if not encoded.num_chunks:
        return pa.array([], pa.string()), []
    terms = encoded.chunk(encoded.num_chunks - 1).dictionary
    order = compute.sort_indices(terms)
    ranks = np.empty(len(terms), np.int32)
    ranks[order.to_numpy()] = np.arange(len(terms), dtype=np.int32)
    return terms.take(order), [ranks[chunk.indices.to_numpy()] for chunk in encoded.chunks]
