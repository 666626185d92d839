"""Stage 2: what is known of each candidate symbol beside its BM25F score: its columns, and its name against the query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..readers.arrays import Bools, Floats, Ids, Places
from ..readers.values import SymbolColumns, TermPostings
from .request import Request
from .seeds import SymbolSeeds, idf

__all__ = ["Candidates", "gather_candidates", "within"]


class Candidates(NamedTuple):
    """Symbols that are scored, ids ascending.

    `hits` counts the query terms in each name, joined forms left out, `rare_hits` is the same weighted by the rarity of the
    terms, from 0 to 1; `named` says whether any term is in the name; `name_scores` is the BM25 of the name field alone.
    """

    ids: Ids
    bm25: Floats
    columns: SymbolColumns
    hits: Floats
    named: Bools
    name_scores: Floats
    rare_hits: Floats

    @property
    def parts(self) -> Floats:
        """Distinct parts of each name, at least 1."""
        return np.maximum(self.columns.name_parts, 1).astype(np.float64)


def gather_candidates(request: Request, seeds: SymbolSeeds, found: Sequence[TermPostings]) -> Candidates:
    """Look up what the ranking needs to know of the seeds."""
    ids, policy, corpus = seeds.ids, request.policy, request.corpus
    columns = request.reader.columns(ids)
    hits, name_scores = np.zeros(len(ids)), np.zeros(len(ids))
    named, rare_hits, rarity = np.zeros(len(ids), np.bool_), np.zeros(len(ids)), 0.0
    spread = 1 - policy.name_b + policy.name_b * columns.name_length / max(corpus.name_length, 1e-9)
    for postings in found:
        held, place = within(ids, postings.named)
        counts = postings.name_counts[place].astype(np.float64)
        weight = idf(postings.df, corpus.symbols) * (policy.name_k1 + 1)
        name_scores[held] += weight * counts / (counts + policy.name_k1 * spread[held])
        named[held] = True
        if postings.term in request.parts:
            hits[held] += 1
            rare_hits[held] += weight
            rarity += weight
    return Candidates(
        ids=ids,
        bm25=seeds.scores,
        columns=columns,
        hits=hits,
        named=named,
        name_scores=name_scores,
        rare_hits=rare_hits / rarity if rarity > 0.0 else rare_hits,
    )


def within(ids: Ids, others: Ids) -> tuple[Places, Places]:
    """Return the places in `ids` of the ids that are also in `others`, and their places there; both ascend."""
    if not len(others) or not len(ids):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    place = np.minimum(np.searchsorted(others, ids), len(others) - 1)
    held = np.flatnonzero(others[place] == ids)
    return held, place[held]
