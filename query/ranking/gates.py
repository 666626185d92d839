"""What decides whether a signal may speak at all: how far the first seed leads, and how rare the query's words are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..readers.values import TermPostings
from .request import Request
from .seeds import SymbolSeeds, idf

__all__ = ["Confidence", "confidence_of"]

_UNRIVALLED = 99.0
"""The lead of a seed that has no second."""


class Confidence(NamedTuple):
    """How sure the seeds are: BM25F of the first by that of the second, and how rare the query's words are, from 0 to 1.

    Specificity is the mean inverse document frequency of the distinct words, words that nothing holds left out, divided by that
    of a word which one symbol holds.
    """

    lead: float
    specificity: float


def confidence_of(request: Request, seeds: SymbolSeeds, found: Sequence[TermPostings]) -> Confidence:
    """Return how sure the seeds are."""
    count = request.corpus.symbols
    weights = [idf(postings.df, count) for postings in found if postings.term in request.parts and postings.df]
    rarest = idf(1, count)
    specificity = math.fsum(weights) / (len(weights) * rarest) if weights and rarest > 0 else 0.0
    top = np.sort(seeds.scores)[::-1][:2].tolist()
    if not top or top[0] <= 0.0:
        return Confidence(lead=1.0, specificity=specificity)
    lead = top[0] / top[1] if len(top) > 1 and top[1] > 0.0 else _UNRIVALLED
    return Confidence(lead=min(lead, _UNRIVALLED), specificity=min(specificity, 1.0))
