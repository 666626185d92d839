"""Predictive surprise: how badly the words around a symbol predict the query, as a Kullback-Leibler divergence."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query, top

CANDIDATES, WEIGHT, VOCABULARY = 200, 0.08, 5000


class Surprise:
    """The model of a candidate: words of itself and of its neighbours, Laplace-smoothed over 5,000 words."""

    def __init__(self, material: Material) -> None:
        self.material = material
        a, b = material.pairs
        self.near, self.at = b, np.searchsorted(a, np.arange(material.size + 1))

    def rank(self, query: Query, base: Array) -> Array:
        best = top(base if base.any() else query.bm25, CANDIDATES)
        if not len(best):
            return base
        sizes = self.at[best + 1] - self.at[best]
        owner = np.concatenate([np.arange(len(best)), np.repeat(np.arange(len(best)), sizes)])
        around = [self.near[self.at[i] : self.at[i + 1]] for i in best.tolist()]
        members = np.concatenate([best, *around])
        total = np.bincount(owner, self.material.terms.lengths[members], len(best))
        divergence = np.zeros(len(best))
        share = 1 / max(len(query.terms), 1)
        for term in query.terms:
            count = np.zeros(self.material.size)
            place = self.material.terms.vocabulary.get(term)
            if place is not None:
                held = slice(*self.material.terms.starts[place : place + 2].tolist())
                count[self.material.terms.documents[held]] = self.material.terms.counts[held]
            seen = np.bincount(owner, count[members], len(best))
            divergence += share * np.log(share * (total + VOCABULARY) / (seen + 1))
        expected = 1 - (divergence - divergence.min()) / max(float(np.ptp(divergence)), 1e-9)
        scores = base.copy()
        scores[best] += WEIGHT * expected
        return scores


METHOD = Method(
    "predictive surprise",
    "GraphIQ lab notebook, phases 11 and 24",
    "no regressions, NDCG -.001, +.003, +.009; taken out of the later version it cost .044 on one codebase",
    Surprise,
)
