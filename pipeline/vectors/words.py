"""Many texts to vectors at once: every distinct word is split and encoded once a process."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...query.encoder import Encoder
from ..terms.lexicon import SEPARATOR, PartLexicon, blank

__all__ = ["Vectorizer", "joined", "vectorizer"]

Floats = NDArray[np.float32]

_PAIRS = 1 << 13
"""Distinct words of texts added up at once: 8 MB of rows, which stay in the processor's cache."""

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
        bounds = [*starts[np.flatnonzero(np.diff(starts // _PAIRS, prepend=-1))].tolist(), len(texts)]
        for low, high in pairwise(bounds):
            part = slice(*np.searchsorted(starts, (low, high)))
            rows = self._table[words[low:high]] * numbers[low:high, None]
            out[texts[starts[part]]] = np.add.reduceat(rows, starts[part] - low, axis=0)
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


@lru_cache(maxsize=2)
def vectorizer(folder: Path, dimensions: int) -> Vectorizer:
    """Return the vectorizer of a model folder, one a process; raises StoreError as Encoder.load does."""
    return Vectorizer(Encoder.load(folder, dimensions=dimensions))


def joined(texts: list[str]) -> bytes:
    """Return texts as `Vectorizer.units` takes them."""
    whole = SEPARATOR.join(texts)
    if texts and whole.count("\0") != len(texts) - 1:
        whole = SEPARATOR.join(text.replace("\0", " ") for text in texts)
    return blank(whole.encode("utf-8", "replace"))
