"""Many texts to vectors at once: every distinct word is split and encoded once a process."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...query.encoder import Encoder
from ..terms.lexicon import PartLexicon

__all__ = ["Vectorizer", "of_one_size", "vectorizer"]

Floats = NDArray[np.float32]

DIMENSIONS_LIMIT = 256
"""Of wider models the first so many are used: their dimensions are in the order of their worth."""

_PAIRS = 1 << 11
"""Distinct words of texts added up at once: 2 MB of rows, which stay in the processor's cache."""

_STEPS = 2.0**20
"""Vectors of words are rounded to this part of one: sums of them are exact in float64, so that their order, which
depends on what a process has seen before, does not show."""


class Vectorizer:
    """A model with the vectors of all words that were seen."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self._lexicon = PartLexicon()
        self._parts = self._lexicon.parts
        self._table = np.zeros((0, encoder.dimensions))

    def units(self, blanked: bytes, count: int) -> Floats:
        """Return unit vectors [count, dimensions] of texts joined by SEPARATOR and blanked; zeros where no word is known."""
        found = self._lexicon.read(blanked)
        self._learn()
        keys = found.segments.astype(np.int64) << 32 | found.codes
        keys.sort()
        first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        numbers = np.diff(first, append=len(keys)).astype(np.float64)
        texts, words = keys[first] >> 32, keys[first] & 0xFFFFFFFF
        out = np.zeros((count, self.encoder.dimensions))
        starts = np.flatnonzero(np.append(True, texts[1:] != texts[:-1])[: len(texts)])
        for size, some in of_one_size(np.diff(starts, append=len(texts))):
            pairs = starts[some, None] + np.arange(size)
            rows = self._table.take(words[pairs], axis=0)
            out[texts[starts[some]]] = np.einsum("ij,ijk->ik", numbers[pairs], rows)
        lengths = np.sqrt(np.einsum("ij,ij->i", out, out))
        out /= np.where(lengths > 0, lengths, 1)[:, None]
        return out.astype(np.float32)

    def _learn(self) -> None:
        """Encode the words that the lexicon has met since the last time."""
        if self._lexicon.parts is not self._parts:  # it has started anew
            self._parts, self._table = self._lexicon.parts, self._table[:0]
        new = self._parts[len(self._table) :]
        if new:
            rows = np.rint(self.encoder.encode_words(new).astype(np.float64) * _STEPS) / _STEPS
            self._table = np.concatenate([self._table, rows])


def of_one_size(sizes: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each size and positions that have it, so many that they have about `_PAIRS` words.

    Sums of equally many rows are three times as fast as those of runs of rows, `np.add.reduceat`.
    """
    order = np.argsort(sizes, kind="stable")
    bounds = np.flatnonzero(np.diff(sizes[order], prepend=0)).tolist()
    for low, high in pairwise([*bounds, len(order)]):
        size = int(sizes[order[low]])
        step = max(1, _PAIRS // size)
        for at in range(low, high, step):
            yield size, order[at : min(at + step, high)]


@lru_cache(maxsize=2)
def vectorizer(folder: Path) -> Vectorizer:
    """Return the vectorizer of a model folder, one a process and those that are forked from it.

    Raises StoreError as Encoder.load does.
    """
    encoder = Encoder.load(folder)
    if encoder.dimensions > DIMENSIONS_LIMIT:
        encoder = Encoder.load(folder, dimensions=DIMENSIONS_LIMIT)
    return Vectorizer(encoder)
