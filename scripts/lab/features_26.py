"""A vector of 26 features for each candidate, made by hand; shared by the two methods that score with it."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Query, norm, top

__all__ = ["CANDIDATES", "FEATURES", "Features"]

CANDIDATES, FEATURES = 200, 26


class Features:
    """Words by field, names, sizes, degrees and neighbours of the best candidates, each from 0 to 1."""

    def __init__(self, material: Material) -> None:
        self.material = material
        corpus = material.corpus
        paths = [row.path for row in corpus.rows]
        counts = np.bincount(corpus.owners, minlength=int(corpus.owners.max(initial=0)) + 1)
        marks = ("test", "example", "doc", "bench", "vendor")
        src, dst, _ = material.edges
        self.fixed = np.stack(
            [
                norm(np.log1p(material.terms.lengths)),
                norm(np.log1p(material.degree)),
                norm(np.log1p(np.bincount(dst, minlength=material.size))),
                norm(np.log1p(np.bincount(src, minlength=material.size))),
                corpus.is_file.astype(float),
                norm(np.array([path.count("/") for path in paths], float)),
                norm(np.log1p(counts[corpus.owners])),
                norm(np.array([len(words) for words in material.names], float)),
                *(np.array([mark in path for path in paths], float) for mark in marks),
            ]
        )

    def of(self, query: Query, base: Array) -> tuple[Array, Array]:
        """Return candidates and their features (candidates, 26)."""
        material, start = self.material, base if base.any() else query.bm25
        best = top(start, CANDIDATES)
        fields = np.zeros((5, material.size))
        for term in query.terms:
            if term in material.fields:
                symbols, planes = material.fields[term]
                fields[:, symbols] += material.idf(term) * (planes > 0)
        coverage = material.coverage(query)
        asked = set(query.terms)
        named = np.array([len(asked & set(material.names[i])) / max(len(material.names[i]), 1) for i in best.tolist()])
        rank = 1 / (1 + np.arange(len(best)))
        rows = [start[best], query.bm25[best], rank, coverage[best], named, named == 1.0, *(norm(f)[best] for f in fields)]
        rows += [material.spread(start)[best], np.full(len(best), material.specificity(query)), *self.fixed[:, best]]
        return best, np.stack(rows, axis=1).astype(float)
