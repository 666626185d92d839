"""Remove pairs that the held-out splits also hold, exactly or nearly.

Two pairs are near-duplicates when the Jaccard similarity of their word triples is at least `LIMIT`. Candidates come
from MinHash with `_BANDS` bands of `_ROWS` hashes (Broder 1997; Leskovec, Rajaraman and Ullman, chapter 3): a pair of
similarity .7 meets in a band with probability 1 - (1 - .7^4)^8 = .89, one of .8 with .99.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["LIMIT", "overlapping"]

LIMIT = 0.7
_BANDS, _ROWS = 8, 4
_MOST = 50
"""Texts compared of one band's bucket: more share it only if they are alike, and one match is enough."""
_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio, the usual multiplier of Fibonacci hashing


def overlapping(texts: Sequence[Sequence[str]], ranks: Sequence[int]) -> NDArray[np.bool_]:
    """Mark the texts that nearly repeat one of a higher rank; a text is its words in order."""
    triples = _triples(texts)
    signatures = _signatures(triples)
    drop = np.zeros(len(texts), dtype=bool)
    lowest = min(ranks, default=0)
    width = _ROWS * signatures.itemsize
    for band in range(_BANDS):
        raw = signatures[:, band * _ROWS : (band + 1) * _ROWS].tobytes()
        keys = [raw[i * width : (i + 1) * width] for i in range(len(texts))]
        above: dict[bytes, list[int]] = defaultdict(list)
        for i, rank in enumerate(ranks):
            if rank > lowest and len(triples[i]):
                above[keys[i]].append(i)
        for i, rank in enumerate(ranks):
            if not drop[i] and keys[i] in above:
                others = (j for j in above[keys[i]][:_MOST] if ranks[j] > rank)
                drop[i] = any(_jaccard(triples[i], triples[j]) >= LIMIT for j in others)
    return drop


def _triples(texts: Sequence[Sequence[str]]) -> list[NDArray[np.uint64]]:
    ids: dict[str, int] = {}
    out = []
    for text in texts:
        numbers = np.array([_word_hash(word, ids) for word in text], dtype=np.uint64)
        if len(numbers) < 3:
            out.append(np.unique(numbers))
            continue
        with np.errstate(over="ignore"):
            joined = (numbers[:-2] * _MIX + numbers[1:-1]) * _MIX + numbers[2:]
        out.append(np.unique(joined))
    return out


def _word_hash(word: str, known: dict[str, int]) -> int:
    if word not in known:
        known[word] = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
    return known[word]


def _signatures(triples: Sequence[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    rng = np.random.default_rng(0)
    factors = rng.integers(1, 2**63, size=(_BANDS * _ROWS, 1), dtype=np.uint64) | np.uint64(1)
    shift = np.uint64(31)
    out = np.zeros((len(triples), _BANDS * _ROWS), dtype=np.uint64)
    for i, row in enumerate(triples):
        if len(row):
            with np.errstate(over="ignore"):
                mixed = row[None, :] * factors
                out[i] = ((mixed ^ (mixed >> shift)) * _MIX).min(axis=1)
    return out


def _jaccard(a: NDArray[np.uint64], b: NDArray[np.uint64]) -> float:
    shared = len(np.intersect1d(a, b, assume_unique=True))
    return shared / max(1, len(a) + len(b) - shared)
