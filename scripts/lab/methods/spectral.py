"""Spectral coordinates: what lies near the best, in the space of the graph's smoothest eigenvectors, comes up."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query, top

DIMENSIONS, ROUNDS, ANCHORS, WEIGHT = 32, 30, 5, 0.2


class Spectral:
    """Eigenvectors of (I + S)/2 by orthogonal iteration; cosine with the mean of the five best."""

    def __init__(self, material: Material) -> None:
        drawn = np.random.default_rng(0).standard_normal((material.size, DIMENSIONS))
        for _ in range(ROUNDS):
            moved = np.stack([0.5 * (column + material.spread(column)) for column in drawn.T], axis=1)
            drawn = np.linalg.qr(moved)[0]
        self.places = drawn / np.maximum(np.linalg.norm(drawn, axis=1, keepdims=True), 1e-9)
        self.places[material.degree == 0] = 0.0

    def rank(self, query: Query, base: Array) -> Array:
        anchors = top(base, ANCHORS)
        if not len(anchors):
            return base
        middle = base[anchors] @ self.places[anchors]
        cosine = self.places @ middle / max(float(np.linalg.norm(middle)), 1e-9)
        return base + WEIGHT * np.where(base > 0, np.maximum(cosine, 0.0), 0.0)


METHOD = Method("spectral coordinates", "GraphIQ lab notebook, phases 1 and 6", "interesting, not useful", Spectral)
