"""Measure an encoder on held-out pairs: MRR@10 of BM25, of the vectors alone and of both, by language.

Every held-out sentence is a query against the definitions of all held-out packages of its language and split.
BM25 (k1 1.2, b .75) sees the same words with the product's terms: joined forms, Snowball stems, no stop words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import Stemmer
from codequarry.schemas.terms import STOP_WORDS, terms
from encoder_pairs import Pair
from numpy.typing import NDArray
from scipy import sparse  # type: ignore[import-untyped]  # stubs are a package of their own

__all__ = ["DEPTH", "Pool", "Score", "best_weight", "bm25", "evaluate", "fuse", "pools", "reciprocal_ranks"]

DEPTH = 10
MAX_POOL = 2_000
"""Definitions and queries of one language and split; a repository of 100,000 lines has about as many."""
_K1, _B = 1.2, 0.75
WEIGHTS = tuple(round(0.05 * i, 2) for i in range(2, 20))

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The held-out pairs of one language, and BM25's scores of each query (row) for each definition (column)."""

    language: str
    pairs: tuple[Pair, ...]
    lexical: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """MRR@10 of one pool."""

    language: str
    queries: int
    bm25: float
    alone: float
    fused: float


def pools(pairs: Sequence[Pair], split: str) -> list[Pool]:
    """Return one pool a language, in alphabetical order, thinned evenly to `MAX_POOL` pairs."""
    out = []
    for language in sorted({p.language for p in pairs if p.split == split}):
        members = [p for p in pairs if (p.split, p.language) == (split, language)]
        step = max(1.0, len(members) / MAX_POOL)
        chosen = tuple(members[int(i * step)] for i in range(min(len(members), MAX_POOL)))
        lexical = bm25([p.query for p in chosen], [f"{p.name} {p.signature} {p.body}" for p in chosen])
        out.append(Pool(language=language, pairs=chosen, lexical=lexical))
    return out


def bm25(queries: Sequence[str], documents: Sequence[str]) -> Floats:
    """Return the BM25 score of every query for every document, shape (queries, documents)."""
    vocabulary: dict[str, int] = {}
    tf = _counts([_stems(d) for d in documents], vocabulary, grow=True)
    asked = _counts([[t for t in dict.fromkeys(_stems(q)) if t not in STOP_WORDS] for q in queries], vocabulary)
    df = np.bincount(tf.indices, minlength=len(vocabulary))
    idf = np.log(1 + (len(documents) - df + 0.5) / (df + 0.5))
    lengths = np.asarray(tf.sum(axis=1)).ravel()
    norm = _K1 * (1 - _B + _B * lengths / lengths.mean())
    rows = np.repeat(np.arange(tf.shape[0]), np.diff(tf.indptr))
    tf.data = idf[tf.indices] * tf.data * (_K1 + 1) / (tf.data + norm[rows])
    scores: Floats = (asked @ tf.T).toarray().astype(np.float32)
    return scores


def _counts(texts: Sequence[Sequence[str]], vocabulary: dict[str, int], *, grow: bool = False) -> sparse.csr_array:
    indices: list[int] = []
    indptr = [0]
    for text in texts:
        for term in text:
            if grow:
                vocabulary.setdefault(term, len(vocabulary))
            if term in vocabulary:
                indices.append(vocabulary[term])
        indptr.append(len(indices))
    data = np.ones(len(indices))
    matrix = sparse.csr_array((data, indices, indptr), shape=(len(texts), len(vocabulary)))
    matrix.sum_duplicates()
    return matrix


@cache
def _stem(term: str) -> str:
    return str(_STEMMER.stemWord(term))


_STEMMER = Stemmer.Stemmer("english")


def _stems(text: str) -> list[str]:
    return [_stem(t) for t in terms(text)]


def reciprocal_ranks(scores: Floats) -> Floats:
    """Return 1/rank of each query's own definition (the diagonal), 0 below `DEPTH`; ties count against it."""
    own = np.diagonal(scores)[:, None]
    rank = (scores >= own).sum(axis=1)
    return np.where(rank <= DEPTH, 1.0 / rank, 0.0).astype(np.float32)


def fuse(lexical: Floats, dense: Floats, weight: float) -> Floats:
    """Return the weighted sum of both scores, each scaled to 0..1 over the definitions; `weight` is the vectors'."""
    return (1 - weight) * _scaled(lexical) + weight * _scaled(dense)


def _scaled(scores: Floats) -> Floats:
    low = scores.min(axis=1, keepdims=True)
    scaled: Floats = (scores - low) / np.maximum(scores.max(axis=1, keepdims=True) - low, np.float32(1e-9))
    return scaled


Encode = Callable[[Sequence[Pair]], tuple[Floats, Floats]]
"""Turn pairs into unit query vectors and unit definition vectors."""


def best_weight(validation: Sequence[Pool], encode: Encode) -> float:
    """Return the vectors' weight in the fusion that has the best mean MRR@10 over the languages of the pools."""
    means = np.zeros(len(WEIGHTS))
    for pool in validation:
        queries, documents = encode(pool.pairs)
        dense = queries @ documents.T
        means += [float(reciprocal_ranks(fuse(pool.lexical, dense, w)).mean()) for w in WEIGHTS]
    return WEIGHTS[int(means.argmax())]


def evaluate(held_out: Sequence[Pool], encode: Encode, weight: float) -> list[Score]:
    """Return the scores of each pool."""
    out = []
    for pool in held_out:
        queries, documents = encode(pool.pairs)
        dense = queries @ documents.T
        out.append(
            Score(
                language=pool.language,
                queries=len(pool.pairs),
                bm25=float(reciprocal_ranks(pool.lexical).mean()),
                alone=float(reciprocal_ranks(dense).mean()),
                fused=float(reciprocal_ranks(fuse(pool.lexical, dense, weight)).mean()),
            )
        )
    return out
