"""What the methods of the lab work on: a corpus as arrays, a query, and the one interface they all keep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from codequarry.pipeline.evaluation.baselines import Bm25, query_terms
from codequarry.pipeline.evaluation.corpus import Corpus
from codequarry.query.connection import Connection
from codequarry.query.readers.decode import gather, planes_of
from codequarry.query.stems import stem
from codequarry.schemas.tables import SYMBOL_FIELDS
from codequarry.schemas.terms import split_word

__all__ = ["Array", "Material", "Method", "Query", "Ranker", "norm", "top"]

Array = np.ndarray[Any, np.dtype[Any]]


class Query(NamedTuple):
    """A query; `bm25` is its plain BM25 score of every document, `category` what the suite calls it."""

    text: str
    terms: list[str]
    bm25: Array
    category: str


class Ranker(Protocol):
    """A method made for one corpus."""

    def rank(self, query: Query, base: Array) -> Array:
        """Return the score of every document, given those of a first ranking (highest 1, none below 0, 0 where not found)."""


class Method(NamedTuple):
    """A method by name; `learns` says that it is told the answers of earlier questions: it has `learn(query, gold ids)`."""

    name: str
    source: str
    claim: str
    make: Callable[[Material], Ranker]
    learns: bool = False


def norm(values: Array) -> Array:
    """Return values divided by the highest; all 0 where nothing is positive."""
    highest = float(values.max(initial=0.0))
    return values / highest if highest > 0 else np.zeros(len(values))


def top(values: Array, count: int) -> Array:
    """Return the places of the highest positive values, the highest first; ties in order."""
    order = np.argsort(-values, kind="stable")[:count]
    return order[values[order] > 0]


class Material:
    """A corpus; documents are symbols and files by symbol id, see evaluation.corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus, self.size = corpus, corpus.size
        self.lexical = Bm25(corpus)
        self.terms = corpus.terms

    def query(self, text: str, category: str = "") -> Query:
        """Return a query with its terms and its plain BM25 scores."""
        terms = query_terms(text)
        return Query(text, terms, norm(self.lexical.scores(terms)), category)

    def idf(self, term: str) -> float:
        """Return the rarity of a term from 0 (in every document) to 1 (in none)."""
        place = self.terms.vocabulary.get(term)
        held = 0 if place is None else int(self.terms.starts[place + 1] - self.terms.starts[place])
        return float(np.log((self.size + 1) / (held + 1)) / np.log(self.size + 1))

    def specificity(self, query: Query) -> float:
        """Return the mean rarity of the query's terms."""
        return float(np.mean([self.idf(term) for term in query.terms])) if query.terms else 0.0

    def documents(self, term: str) -> Array:
        """Return the documents that hold a term."""
        place = self.terms.vocabulary.get(term)
        return (
            np.zeros(0, int)
            if place is None
            else self.terms.documents[self.terms.starts[place] : self.terms.starts[place + 1]]
        )

    def coverage(self, query: Query) -> Array:
        """Return for each document the share of the query's terms that it holds."""
        held = np.zeros(self.size)
        for term in query.terms:
            held[self.documents(term)] += 1
        return held / max(len(query.terms), 1)

    @cached_property
    def names(self) -> list[list[str]]:
        """The stems of each document's name, of a file its base name."""
        return [stem(list(split_word(row.name or row.path.rpartition("/")[2]))) for row in self.corpus.rows]

    @cached_property
    def edges(self) -> tuple[Array, Array, Array]:
        """The ends and the kind of every edge, once a direction: (from, to, kind)."""
        out = self.corpus.neighbours.out(np.arange(self.size, dtype=np.int32))
        return np.repeat(np.arange(self.size), np.diff(out.starts)), out.others.astype(int), out.kinds.astype(int)

    @cached_property
    def pairs(self) -> tuple[Array, Array]:
        """Both directions of every pair of documents that an edge connects, each once, in order."""
        src, dst, _ = self.edges
        keys = np.unique(np.concatenate([src * self.size + dst, dst * self.size + src]))
        a, b = np.divmod(keys, self.size)
        return a[a != b], b[a != b]

    @cached_property
    def degree(self) -> Array:
        """How many other documents each is connected with."""
        return np.bincount(self.pairs[0], minlength=self.size)

    def spread(self, values: Array, weights: Array | None = None) -> Array:
        """Return D^-1/2 A D^-1/2 applied to values, A the pairs, perhaps weighted."""
        a, b = self.pairs
        given = values[b] / np.sqrt(self.degree[a] * self.degree[b]) * (1.0 if weights is None else weights)
        return np.bincount(a, given, self.size)

    @cached_property
    def fields(self) -> Mapping[str, tuple[Array, Array]]:
        """For each term the symbols that hold it and how often in each field (fields, symbols)."""
        with Connection(self.corpus.snapshot, ("postings",)) as connection:
            read = connection.columns("SELECT term, symbols, frequencies FROM postings ORDER BY term")
        found = gather(read["symbols"], read["frequencies"], len(SYMBOL_FIELDS), self.size)
        planes = np.stack(planes_of(found, len(SYMBOL_FIELDS))) if len(found.ids) else np.zeros((len(SYMBOL_FIELDS), 0))
        bounds = found.starts.tolist()
        return {
            term: (found.ids[bounds[i] : bounds[i + 1]], planes[:, bounds[i] : bounds[i + 1]])
            for i, term in enumerate(read["term"].tolist())
        }

    def project(self, left: Array, *, to_documents: bool) -> Array:
        """Multiply the matrix of (1 + ln count) · rarity, documents by terms with unit rows, by columns of `left`."""
        owner, documents, weights = self._matrix
        src, dst, size = (owner, documents, self.size) if to_documents else (documents, owner, len(self.terms.vocabulary))
        return np.stack([np.bincount(dst, weights * column[src], size) for column in left.T], axis=1)

    @cached_property
    def _matrix(self) -> tuple[Array, Array, Array]:
        terms = self.terms
        frequency = np.diff(terms.starts)
        owner = np.repeat(np.arange(len(frequency)), frequency)
        weights = (1 + np.log(terms.counts)) * np.log((self.size + 1) / (frequency[owner] + 1))
        lengths = np.sqrt(np.bincount(terms.documents, weights**2, self.size))
        return owner, terms.documents, weights / np.maximum(lengths[terms.documents], 1e-9)
