"""Structural evidence convolution: a score in each of seven channels, and more for those whose scores are uneven."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query, norm, top

CANDIDATES, WEIGHT, COHERENCE = 300, 0.3, 3


class Sec:
    """Channels: the five fields of a symbol, what it leads to, and what leads to it."""

    def __init__(self, material: Material) -> None:
        self.material = material

    def channels(self, query: Query) -> Array:
        """Return how much of the query each document holds in each channel (7, documents)."""
        found = np.zeros((7, self.material.size))
        for term in query.terms:
            if term in self.material.fields:
                symbols, planes = self.material.fields[term]
                found[:5, symbols] += self.material.idf(term) * (planes > 0)
        held = found[:5].max(axis=0)
        src, dst, _ = self.material.edges
        degree = np.sqrt(np.maximum(self.material.degree, 1))
        found[5] = np.bincount(src, held[dst], self.material.size) / degree
        found[6] = np.bincount(dst, held[src], self.material.size) / degree
        return found / np.maximum(found.max(axis=1, keepdims=True), 1e-9)

    def rank(self, query: Query, base: Array) -> Array:
        channels = self.channels(query)
        total = channels.sum(axis=0)
        share = channels / np.maximum(total, 1e-9)
        entropy = -(share * np.log(np.maximum(share, 1e-12))).sum(axis=0)
        negentropy = np.where(total > 0, 1 - entropy / np.log(7), 0.0)
        coherence = np.minimum((channels > 0.2).sum(axis=0), COHERENCE) / COHERENCE
        strength = norm(total) * (0.5 + 0.5 * negentropy) * coherence
        only = np.zeros(len(base))
        best = top(base, CANDIDATES) if base.any() else top(strength, CANDIDATES)
        only[best] = strength[best]
        return base + WEIGHT * norm(only)


METHOD = Method(
    "SEC with negentropy",
    "GraphIQ lab notebook, phases 1 and 3; removed as a reranker in phase 29",
    "marginal gains on one codebase; as a reranker it hurts all three",
    Sec,
)
