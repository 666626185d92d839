"""What the vectors say: cosines of the query with candidates and files, and symbols that only meaning finds."""

from __future__ import annotations

import numpy as np

from ..readers.arrays import Floats, Ids, distinct
from .ledger import Ledger
from .request import Request
from .seeds import SymbolSeeds, best

__all__ = ["add_meaning", "file_meaning", "rescaled", "with_near"]


def with_near(request: Request, seeds: SymbolSeeds) -> SymbolSeeds:
    """Add the symbols that are nearest to the query; those that hold none of its words have a BM25F score of 0."""
    cosines, reader = request.cosines, request.reader
    if cosines is None or not request.policy.near:
        return seeds
    near = np.maximum(cosines, 0)
    near[reader.files.first_symbol[:-1]] = 0  # a file's own row is no symbol
    if not request.selection.all:
        held = np.flatnonzero(near).astype(np.int32)
        near[held[~request.selection.keep(held, reader)]] = 0
    nearest = best(near, request.policy.near)
    if request.trace is not None:
        request.trace.seeded("meaning", nearest, near[nearest])
    ids = distinct(np.concatenate([seeds.ids, nearest]))
    scores = np.zeros(len(ids))
    scores[np.searchsorted(ids, seeds.ids)] = seeds.scores
    return SymbolSeeds(ids=ids, scores=scores, total=max(seeds.total, len(ids)))


def add_meaning(request: Request, ledger: Ledger, ids: Ids) -> None:
    """Mix the scores of symbols with their cosines, rescaled so that the hundredth best of them is 0 and the best 1."""
    if request.cosines is None or not len(ids):
        return
    policy = request.policy
    top = float(ledger.total.max(initial=0.0)) or 1.0
    share = policy.meaning
    ledger.add("meaning_share", -share * ledger.total)
    ledger.add("meaning", share * top * rescaled(request.cosines[ids].astype(np.float64), policy.meaning_rank))


def file_meaning(request: Request) -> Floats | None:
    """Return the rescaled cosines of all files, None where meaning has no say."""
    if request.cosines is None:
        return None
    own = request.cosines[request.reader.files.first_symbol[:-1]]
    return rescaled(own.astype(np.float64), request.policy.meaning_rank)


def rescaled(cosines: Floats, rank: int) -> Floats:
    """Return cosines with the best at 1 and that of the given rank, and all below, at 0."""
    if not len(cosines):
        return cosines
    low = float(np.partition(cosines, len(cosines) - rank)[len(cosines) - rank]) if len(cosines) > rank else 0.0
    high = float(cosines.max())
    return np.maximum(cosines - low, 0.0) / (high - low) if high > low else np.zeros(len(cosines))
