"""Gated holographic name matching: a name is a sum of random vectors, one a word, and of bound pairs of adjacent words."""

from __future__ import annotations

import hashlib
import itertools

import numpy as np
from material import Array, Material, Method, Query

DIMENSIONS, GATE, WEIGHT = 512, 0.25, 0.3


def vector(word: str) -> Array:
    """Return the random unit vector of a word, always the same."""
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    drawn = np.random.default_rng(seed).standard_normal(DIMENSIONS)
    return drawn / np.linalg.norm(drawn)


def bound(a: Array, b: Array) -> Array:
    """Bind two vectors by circular convolution (T. Plate, "Holographic Reduced Representations", 1995)."""
    return np.fft.irfft(np.fft.rfft(a) * np.fft.rfft(b), DIMENSIONS)


class Hrr:
    """Cosine of names; nothing below the gate, above it by how specific the query is."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.vectors: dict[str, Array] = {}
        self.bindings: dict[tuple[str, str], Array] = {}
        self.names = np.stack([self.encode(words) for words in material.names]).astype(np.float32)

    def encode(self, words: list[str]) -> Array:
        self.vectors.update({word: vector(word) for word in words if word not in self.vectors})
        total = np.zeros(DIMENSIONS)
        for word in words:
            total += self.vectors[word]
        for pair in itertools.pairwise(words):
            if pair not in self.bindings:
                self.bindings[pair] = bound(self.vectors[pair[0]], self.vectors[pair[1]])
            total += 0.5 * self.bindings[pair]
        return total / max(float(np.linalg.norm(total)), 1e-9)

    def rank(self, query: Query, base: Array) -> Array:
        cosine = self.names @ self.encode(query.terms).astype(np.float32)
        gated = np.maximum(cosine - GATE, 0.0) / (1 - GATE)
        return base + WEIGHT * self.material.specificity(query) * gated


METHOD = Method(
    "gated HRR",
    "GraphIQ lab notebook, phases 4 and 5",
    "names separate right from wrong 6.8 times; gated at .25 it beats the version before on 3 of 3 codebases",
    Hrr,
)
