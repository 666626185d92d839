"""What a user would do without the ranking: grep, plain BM25, BM25 with a walk over the graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...query.graph.walk import walk, walk_policy
from ...query.readers.arrays import Floats
from ...query.stems import stem
from ...schemas.tables import EDGE_KINDS, EVIDENCE
from ...schemas.terms import STOP_WORDS, normalize, word_terms, words
from .corpus import Corpus
from .rows import Found

__all__ = ["Bm25", "Bm25Walk", "Grep", "best_first", "query_terms"]

K1, B = 1.2, 0.75
"""The usual setting (S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009)."""

SEEDS = 30
WALK_SHARE = 0.3
"""What the best that a walk reaches is worth beside the best by BM25."""

IN_NAME, IN_TEXT = 2.0, 0.5
"""A word in a name tells more than one somewhere in the text; files are all text."""


def best_first(scores: Floats, corpus: Corpus, k: int) -> list[Found]:
    """Return the rows of the `k` best positive scores; ties in the order of (repo, path, start byte)."""
    held = np.flatnonzero(scores > 0)
    order = held[np.lexsort((held, -np.round(scores[held], 9)))][:k]
    return [corpus.rows[i] for i in order.tolist()]


def query_terms(text: str) -> list[str]:
    """Return the distinct stems of a query, stop words left out where there is anything else."""
    found = [word for word in words(normalize(text)) if word.lower() not in STOP_WORDS] or words(normalize(text))
    return list(dict.fromkeys(stem([term for word in found for term in word_terms(word)])))


class Bm25:
    """Plain BM25: a document is one bag of terms, a symbol or a file, all in one collection."""

    name = "bm25"

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.terms = corpus.terms
        frequency = np.diff(self.terms.starts)
        idf = np.log1p((corpus.size - frequency + 0.5) / (frequency + 0.5))
        lengths = self.terms.lengths / max(float(self.terms.lengths.mean()) if corpus.size else 0.0, 1e-9)
        counts = self.terms.counts
        spread = K1 * (1 - B + B * lengths[self.terms.documents])
        self.weights = np.repeat(idf, frequency) * counts * (K1 + 1) / (counts + spread)

    def scores(self, terms: Sequence[str]) -> Floats:
        """Return the score of every document."""
        scores = np.zeros(self.corpus.size)
        for term in terms:
            place = self.terms.vocabulary.get(term)
            if place is not None:
                held = slice(int(self.terms.starts[place]), int(self.terms.starts[place + 1]))
                scores[self.terms.documents[held]] += self.weights[held]
        return scores

    def search(self, query: str, k: int) -> list[Found]:
        """See System."""
        return best_first(self.scores(query_terms(query)), self.corpus, k)


class Bm25Walk:
    """BM25, and what a walk of two steps from its best symbols reaches."""

    name = "bm25+walk"

    def __init__(self, lexical: Bm25) -> None:
        self._lexical = lexical
        kinds = dict.fromkeys(EDGE_KINDS, 1.0)
        self._policy = walk_policy(kinds, kinds, dict.fromkeys(EVIDENCE, 1.0))
        self._neighbours = lexical.corpus.neighbours

    def search(self, query: str, k: int) -> list[Found]:
        """See System."""
        corpus = self._lexical.corpus
        scores = self._lexical.scores(query_terms(query))
        scores /= max(float(scores.max(initial=0.0)), 1e-9)
        of_symbols = np.where(corpus.is_file, 0.0, scores)
        starts = np.sort(np.argsort(-of_symbols, kind="stable")[:SEEDS]).astype(np.int32)
        starts = starts[of_symbols[starts] > 0]
        if len(starts):
            reached = walk(self._neighbours, starts, of_symbols[starts], self._policy)
            if len(reached.symbols):
                scores[reached.symbols] += WALK_SHARE * reached.weights / reached.weights.max()
        return best_first(scores, corpus, k)


class Grep:
    """Words as they stand, anywhere in names and texts, by how many are found; no index at all."""

    name = "grep"

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._texts = corpus.texts
        self._names = [(row.path if row.name is None else row.name).lower() for row in corpus.rows]

    def search(self, query: str, k: int) -> list[Found]:
        """See System."""
        scores = np.zeros(self._corpus.size)
        for word in dict.fromkeys(word.lower() for word in words(normalize(query)) if len(word) > 1):
            for values, worth in ((self._names, IN_NAME), (self._texts, IN_TEXT)):
                scores[np.fromiter((word in value for value in values), np.bool_, len(values))] += worth
        return best_first(scores, self._corpus, k)
