"""Channel fingerprints and capacity routing: the part that the best candidates play in the graph moves the weights."""

from __future__ import annotations

import numpy as np
from codequarry.schemas.tables import EDGE_KINDS
from material import Array, Material, Method, Query, top

SEEDS, STEP, BUSY, USED = 10, 0.15, 0.6, 0.6
CONTAINS = EDGE_KINDS.index("contains")


class Fingerprints:
    """Symbols that mostly lead elsewhere are orchestrators: then coverage counts more. Those that are mostly led to are a
    library: then BM25 does. Others leave everything as it is; the adjustment is added and replaces nothing."""

    def __init__(self, material: Material) -> None:
        self.material = material
        src, dst, kind = material.edges
        code = kind != CONTAINS
        self.out = np.bincount(src[code], minlength=material.size)
        self.into = np.bincount(dst[code], minlength=material.size)

    def rank(self, query: Query, base: Array) -> Array:
        best = top(base, SEEDS)
        total = self.out[best] + self.into[best]
        busy = float(np.mean(self.out[best][total > 0] / total[total > 0])) if total.any() else 0.5
        if busy > BUSY:
            return base + STEP * np.where(base > 0, self.material.coverage(query), 0.0)
        if 1 - busy > USED:
            return base + STEP * np.where(base > 0, query.bm25, 0.0)
        return base


METHOD = Method(
    "channel fingerprints",
    "GraphIQ lab notebook, phases 10 and 11",
    "replacing weights regresses on every codebase, adding to them does not and keeps small gains",
    Fingerprints,
)
