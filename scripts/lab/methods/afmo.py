"""Adaptive feature maps: each question weighs the features by how well they tell its own best candidates apart."""

from __future__ import annotations

import numpy as np
from features_26 import Features
from material import Array, Material, Method, Query, norm

BEST, WEIGHT = 10, 0.3


class Afmo:
    """The weight of a feature is the distance of its mean over the ten best from that over the rest, in deviations.

    The source names the method and says no more; this is the plainest reading of its name.
    """

    def __init__(self, material: Material) -> None:
        self.features = Features(material)

    def rank(self, query: Query, base: Array) -> Array:
        best, values = self.features.of(query, base)
        if len(best) <= BEST:
            return base
        deviation = values.std(axis=0)
        distance = values[:BEST].mean(axis=0) - values[BEST:].mean(axis=0)
        weights = np.where(deviation > 1e-9, distance / np.maximum(deviation, 1e-9), 0.0)
        fitted = values @ weights
        scores = base.copy()
        scores[best] += WEIGHT * norm(fitted - fitted.min())
        return scores


METHOD = Method("AFMO", "GraphIQ lab notebook, phase 1", "no improvement", Afmo)
