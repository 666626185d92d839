"""Holographic names again, with the bigrams of their characters instead of their words."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query

from methods.hrr import GATE, WEIGHT, vector


class BigramHrr:
    """The cosine of the sums of random vectors, one a bigram."""

    def __init__(self, material: Material) -> None:
        self.material = material
        self.vectors: dict[str, Array] = {}
        self.names = np.stack([self.encode(words) for words in material.names]).astype(np.float32)

    def encode(self, words: list[str]) -> Array:
        text = f" {' '.join(words)} "
        pairs = [text[i : i + 2] for i in range(len(text) - 1)]
        self.vectors.update({pair: vector(pair) for pair in pairs if pair not in self.vectors})
        total = np.sum([self.vectors[pair] for pair in pairs], axis=0)
        return total / max(float(np.linalg.norm(total)), 1e-9)

    def rank(self, query: Query, base: Array) -> Array:
        cosine = self.names @ self.encode(query.terms).astype(np.float32)
        return base + WEIGHT * self.material.specificity(query) * np.maximum(cosine - GATE, 0.0) / (1 - GATE)


METHOD = Method(
    "character-bigram HRR",
    "GraphIQ lab notebook, phase 4 (V11)",
    "too granular, noisy: below the version before on 3 of 3 codebases",
    BigramHrr,
)
