"""Products of counts of tokens with dense matrices, without a library for sparse ones.

A few hundred tokens make most of all occurrences: they are a dense matrix. The others stand in few texts each, and are added
up run by run, all runs of one length at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..vectors.words import of_one_size
from .examples import Counts

__all__ = ["Held"]

Floats = NDArray[np.float32]

_COMMON = 32
"""A token that stands in so many texts of a batch is in the dense matrix; 12 and 64 take as long (measured on two repositories)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """How often the tokens `columns` stand in some texts: of the `common` ones a matrix, of others places and numbers."""

    columns: NDArray[np.int64]
    common: NDArray[np.int64]
    dense: Floats
    texts: NDArray[np.int64]
    tokens: NDArray[np.int64]
    numbers: Floats

    @classmethod
    def of(cls, counts: Counts, texts: NDArray[np.int64]) -> Held:
        """Return the counts of some texts, which are numbered anew in this order."""
        sizes = counts.starts[texts + 1] - counts.starts[texts]
        places = np.repeat(counts.starts[texts] - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum())
        rows, tokens, numbers = np.repeat(np.arange(len(texts)), sizes), counts.tokens[places], counts.numbers[places]
        standing = np.bincount(tokens)
        columns = np.flatnonzero(standing)
        common = standing[columns] >= _COMMON
        tokens = (np.cumsum(standing > 0) - 1)[tokens]
        often = common[tokens]
        dense = np.zeros((len(texts), int(common.sum())), np.float32)
        dense[rows[often], (np.cumsum(common) - 1)[tokens[often]]] = numbers[often]
        rare = ~often
        return cls(
            columns=columns,
            common=np.flatnonzero(common),
            dense=dense,
            texts=rows[rare],
            tokens=tokens[rare],
            numbers=numbers[rare],
        )

    def sums(self, vectors: Floats) -> Floats:
        """Return the sum of each text's tokens, given the vectors of `columns`."""
        out: Floats = self.dense @ vectors[self.common]
        _add(out, self.texts, self.numbers, self.tokens, vectors)
        return out

    def spread(self, gradient: Floats) -> Floats:
        """Return the gradient of each token of `columns`, given that of the sums of all texts."""
        out = np.zeros((len(self.columns), gradient.shape[1]), np.float32)
        out[self.common] = self.dense.T @ gradient
        order = np.argsort(self.tokens, kind="stable")
        _add(out, self.tokens[order], self.numbers[order], self.texts[order], gradient)
        return out


def _add(out: Floats, places: NDArray[np.int64], numbers: Floats, rows: NDArray[np.int64], values: Floats) -> None:
    """Add to each of the ascending `places` of `out` the rows of `values` that stand beside it, so many times each."""
    starts = np.flatnonzero(np.diff(places, prepend=-1))
    for size, some in of_one_size(np.diff(starts, append=len(places))):
        at = starts[some, None] + np.arange(size)
        out[places[starts[some]]] += np.einsum("ij,ijk->ik", numbers[at], values.take(rows[at], axis=0))
