"""CARE, confidence-anchored reciprocal expansion: two rankings in three tiers, the sure first place of BM25 locked."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query, norm, top

BOTH, BONUS, LEXICAL, STRUCTURAL, RANK_BONUS, GAP = (0.6, 0.4), 0.10, 0.7, 0.45, (0.15, 0.08, 0.08), 1.2
DEPTH, SEEDS = 100, 30


class Care:
    """The first ranking for precision, two steps over the graph for recall."""

    def __init__(self, material: Material) -> None:
        self.material = material

    def rank(self, query: Query, base: Array) -> Array:
        seeds = np.zeros(len(base))
        best = top(base, SEEDS)
        seeds[best] = base[best]
        once = self.material.spread(seeds)
        structural = norm(0.5 * seeds + once + 0.5 * self.material.spread(once))
        found, reached = top(base, DEPTH), top(structural, DEPTH)
        scores = np.zeros(len(base))
        scores[found] = LEXICAL * base[found]
        bonus = np.zeros(len(reached))
        bonus[: len(RANK_BONUS)] = RANK_BONUS[: len(reached)]
        scores[reached] = STRUCTURAL * structural[reached] + bonus
        both = np.intersect1d(found, reached)
        scores[both] = BOTH[0] * base[both] + BOTH[1] * structural[both] + BONUS
        sure = top(query.bm25, 2)
        agreed = len(sure) > 0 and len(best) > 0 and sure[0] == best[0]
        if agreed and (len(sure) < 2 or query.bm25[sure[0]] > GAP * query.bm25[sure[1]]):
            scores[sure[0]] = scores.max() + 0.01
        return scores


METHOD = Method(
    "CARE",
    "GraphIQ lab notebook, phase 21",
    "beats both parents by MRR on 2 of 3 codebases, never by NDCG",
    Care,
)
