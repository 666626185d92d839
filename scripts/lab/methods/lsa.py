"""Latent semantic analysis: cosine in the space of the 64 largest singular values."""

from __future__ import annotations

import numpy as np
from material import Array, Material, Method, Query

RANK, OVERSAMPLING, PASSES, WEIGHT = 64, 8, 2, 0.3


class Lsa:
    """Randomised SVD (N. Halko, P. Martinsson, J. Tropp, 2011) of documents by terms; a query is folded in."""

    def __init__(self, material: Material) -> None:
        self.material = material
        vocabulary = material.terms.vocabulary
        drawn = np.random.default_rng(0).standard_normal((len(vocabulary), RANK + OVERSAMPLING))
        basis = np.linalg.qr(material.project(drawn, to_documents=True))[0]
        for _ in range(PASSES):
            basis = np.linalg.qr(material.project(material.project(basis, to_documents=False), to_documents=True))[0]
        small = material.project(basis, to_documents=False)  # terms by rank
        self.of_terms, values, right = np.linalg.svd(small, full_matrices=False)
        self.of_terms = self.of_terms[:, :RANK]
        documents = (basis @ right.T)[:, :RANK] * values[:RANK]
        self.documents = documents / np.maximum(np.linalg.norm(documents, axis=1, keepdims=True), 1e-9)

    def rank(self, query: Query, base: Array) -> Array:
        places = [p for term in query.terms if (p := self.material.terms.vocabulary.get(term)) is not None]
        weights = np.array([self.material.idf(t) for t in query.terms if t in self.material.terms.vocabulary])
        folded = weights @ self.of_terms[places] if places else np.zeros(self.of_terms.shape[1])
        cosine = self.documents @ folded / max(float(np.linalg.norm(folded)), 1e-9)
        return base + WEIGHT * np.maximum(cosine, 0.0)


METHOD = Method(
    "LSA",
    "GraphIQ lab notebook, phases 1 and 29",
    "captures what BM25 has already; MRR +.025 on one codebase, NDCG -.020 on another",
    Lsa,
)
