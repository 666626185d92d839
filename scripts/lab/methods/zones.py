"""Density zones: what lies in the same dense region of the vectors as the best candidates comes up."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query, top

from methods.lsa import Lsa

NEIGHBOURS, SHARE, SEEDS, WEIGHT, BLOCK = 5, 0.5, 5, 0.15, 512


class Zones:
    """One level of HDBSCAN's tree (L. McInnes, J. Healy, 2017): points join over mutual reachability up to its median, so
    half of all points are core points; LSA vectors stand for those of the source."""

    def __init__(self, material: Material) -> None:
        vectors = Lsa(material).documents
        near = np.empty((len(vectors), NEIGHBOURS), int)
        distance = np.empty((len(vectors), NEIGHBOURS))
        for start in range(0, len(vectors), BLOCK):
            cosine = vectors[start : start + BLOCK] @ vectors.T
            count = min(NEIGHBOURS + 1, cosine.shape[1])
            best = np.argpartition(-cosine, count - 1, axis=1)[:, :count]
            order = np.take_along_axis(best, np.argsort(-np.take_along_axis(cosine, best, 1), axis=1), 1)
            kept = np.resize(order[:, 1:] if count > 1 else order, (len(order), NEIGHBOURS))
            near[start : start + BLOCK] = kept
            distance[start : start + BLOCK] = 1 - np.take_along_axis(cosine, kept, 1)
        core = distance[:, -1]
        limit = float(np.quantile(core, SHARE))
        self.zone = np.arange(len(vectors))
        reach = np.maximum(np.maximum(core[:, None], core[near]), distance)
        for place, column in np.argwhere(reach <= limit).tolist():
            self._join(place, int(near[place, column]))
        self.zone = np.array([self._root(i) for i in range(len(vectors))])
        self.sizes = np.bincount(self.zone, minlength=len(vectors))

    def _root(self, place: int) -> int:
        while self.zone[place] != place:
            self.zone[place] = self.zone[self.zone[place]]
            place = int(self.zone[place])
        return place

    def _join(self, one: int, other: int) -> None:
        self.zone[self._root(one)] = self._root(other)

    def rank(self, query: Query, base: Array) -> Array:
        scores = base.copy()
        for seed in top(base, SEEDS):
            if self.sizes[self.zone[seed]] > 1:
                members = (self.zone == self.zone[seed]) & (base > 0)
                scores[members] += WEIGHT * base[seed] / np.sqrt(self.sizes[self.zone[seed]])
        return scores


METHOD = Method(
    "HDBSCAN zones",
    "graphlens, semantic search and clustering",
    "browsing by zones did not pay for itself; search by meaning covers it",
    Zones,
)
