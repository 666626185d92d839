"""A self-model of the repository: concepts (folders, errors, tests, what is public) whose words are matched first."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query, norm, top

CONCEPTS, WEIGHT, LEAST = 3, 0.15, 4


class SelfModel:
    """Documents of the three best concepts gain, whatever the question; the source ended with abstract ones only."""

    def __init__(self, material: Material) -> None:
        rows = material.corpus.rows
        groups: dict[str, list[int]] = {}
        for place, row in enumerate(rows):
            groups.setdefault(f"folder {row.path.rpartition('/')[0]}", []).append(place)
            name = (row.name or "").lower()
            surface = "error" if "err" in name or "panic" in name else "test" if "test" in name else None
            if surface:
                groups.setdefault(surface, []).append(place)
        self.groups = [np.array(places) for places in groups.values() if len(places) >= LEAST]
        self.material = material
        self.concept = np.full((len(self.groups), material.size), False)
        for place, members in enumerate(self.groups):
            self.concept[place, members] = True

    def rank(self, query: Query, base: Array) -> Array:
        match = np.zeros(len(self.groups))
        for term in query.terms:
            held = np.zeros(self.material.size, bool)
            held[self.material.documents(term)] = True
            share = np.array([held[members].mean() for members in self.groups])
            match += self.material.idf(term) * norm(share)
        scores = base.copy()
        for place in top(match, CONCEPTS):
            scores[self.concept[place] & (base > 0)] += WEIGHT * match[place] / match.max()
        return scores


METHOD = Method(
    "repository self-model",
    "GraphIQ lab notebook, phase 20",
    "helps abstract questions on 2 of 3 codebases, hurts questions for sets",
    SelfModel,
)
