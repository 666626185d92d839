"""Ollivier-Ricci curvature of the edges, by its lower bound from triangles, as the weight of a step over the graph."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query, norm, top

SEEDS, WEIGHT, HUB = 30, 0.3, 200


class Ricci:
    """The bound is that of J. Jost and S. Liu, "Ollivier's Ricci curvature, local clustering and curvature-dimension
    inequalities on graphs", 2014, Theorem 3; a step over an edge of curvature k counts 1 + k."""

    def __init__(self, material: Material) -> None:
        self.material = material
        a, b = material.pairs
        starts = np.searchsorted(a, np.arange(material.size + 1)).tolist()
        near = [frozenset(b[starts[i] : starts[i + 1]].tolist()) for i in range(material.size)]
        triangles = np.array([_common(near[i], near[j]) for i, j in zip(a.tolist(), b.tolist(), strict=True)], float)
        low = np.minimum(material.degree[a], material.degree[b]).astype(float)
        high = np.maximum(material.degree[a], material.degree[b]).astype(float)
        loose = 1 - 1 / low - 1 / high
        self.curvature = -np.maximum(loose - triangles / low, 0) - np.maximum(loose - triangles / high, 0) + triangles / high

    def rank(self, query: Query, base: Array) -> Array:
        seeds = np.zeros(len(base))
        best = top(base, SEEDS)
        seeds[best] = base[best]
        return base + WEIGHT * norm(self.material.spread(seeds, np.maximum(1 + self.curvature, 0.0)))


def _common(one: frozenset[int], other: frozenset[int]) -> int:
    """Return the number of common neighbours; that of two hubs is not counted, which would take the square of their size."""
    return 0 if min(len(one), len(other)) > HUB else len(one & other)


METHOD = Method(
    "Ollivier-Ricci curvature",
    "GraphIQ lab notebook, phase 10",
    "a real structural signal, useless for scoring",
    Ricci,
)
