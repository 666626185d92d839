"""BM25F with one saturation: what the occurrences of a term in the fields of a document are worth, without its rarity.

tf' = sum over fields of weight * occurrences / (1 - b + b * length / average), impact = tf' / (k1 + tf')
(S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009). Impacts are kept in 1/65535,
by both readers, so that resident columns are small and both give the same scores.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .arrays import Array, Impacts, Singles

__all__ = ["ONE", "frequency", "impacts", "saturated"]

ONE = 65535
"""The impact that stands for 1, which no document reaches."""


def impacts(
    planes: Sequence[Array],
    lengths: Sequence[Array],
    averages: Sequence[float],
    weights: Sequence[float],
    b: Sequence[float],
    k1: float,
) -> Impacts:
    """Return the impact of each posting; `planes` and `lengths` hold one array a field, a value a posting.

    A posting whose fields all weigh nothing has impact 0, every other at least 1.
    """
    total = np.zeros(len(planes[0]), np.float32)
    for plane, length, average, weight, share in zip(planes, lengths, averages, weights, b, strict=True):
        if weight:
            held = np.flatnonzero(plane)  # most planes are sparse
            total[held] += np.float32(weight) * frequency(plane[held], length[held], average, share)
    return np.maximum(np.rint(saturated(total, k1) * ONE), total > 0).astype(np.uint16)


def frequency(counts: Array, lengths: Array, average: float, b: float) -> Singles:
    """Return occurrences normalised by the length of the field."""
    norm = np.float32(1 - b) + np.float32(b / max(average, 1e-9)) * lengths.astype(np.float32)
    return counts.astype(np.float32) / norm


def saturated(frequencies: Singles, k1: float) -> Singles:
    """Return tf' / (k1 + tf')."""
    return frequencies / (np.float32(k1) + frequencies)
