"""Stage 1: BM25F over all symbols and all files, and the exact best of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..readers.arrays import Array, Floats, Ids, Singles
from ..readers.impacts import ONE, frequency, saturated
from ..readers.values import TermPostings
from .request import Request

__all__ = ["FileSeeds", "SymbolSeeds", "best", "file_seeds", "idf", "symbol_seeds"]

_SAMPLE = 64
"""Every 64th score tells where about the best begin."""


class SymbolSeeds(NamedTuple):
    """The best symbols by BM25F, ids ascending; `total` is how many symbols match at all."""

    ids: Ids
    scores: Floats
    total: int


class FileSeeds(NamedTuple):
    """Values of all files: BM25F scores, and how many query terms stand in base name and folders."""

    scores: Floats
    base_hits: Floats
    directory_hits: Floats


def idf(df: int, documents: int) -> float:
    """Return ln(1 + (N - df + .5) / (df + .5)), never negative."""
    return math.log1p(max(documents - df + 0.5, 0.0) / (df + 0.5))


def symbol_seeds(request: Request, found: Sequence[TermPostings]) -> SymbolSeeds:
    """Return the best symbols that the selection allows, at least as many as rows are wanted; ties go to the lower id."""
    reader, corpus, selection = request.reader, request.corpus, request.selection
    scores = np.zeros(reader.symbols, np.float32)
    for postings in found:
        weight = np.float32(idf(postings.df, corpus.symbols) * (request.fields.k1 + 1))
        scores[postings.symbols] += weight * (postings.impacts.astype(np.float32) / np.float32(ONE))
        if len(postings.on_path) and postings.df <= corpus.symbols // 2:
            _add_path(scores, postings, request, weight)
    scores[reader.files.first_symbol[:-1]] = 0  # a file's own row is no symbol
    if not selection.all:
        held = np.flatnonzero(scores).astype(np.int32)
        scores[held[~selection.keep(held, reader)]] = 0
    ids = best(scores, max(request.policy.candidates, request.wanted))
    if request.trace is not None:
        request.trace.scores = scores
        request.trace.seeded("bm25f", ids, scores[ids])
    return SymbolSeeds(ids=ids, scores=scores[ids].astype(np.float64), total=int(np.count_nonzero(scores)))


def _add_path(scores: Singles, postings: TermPostings, request: Request, weight: np.float32) -> None:
    """Add what the path's occurrences raise the impact of each symbol of these files by.

    A word in the paths of more than half of all symbols tells nothing apart and is left out (the caller sees to it).
    """
    own, files, fields = postings.on_path, request.reader.files, request.fields
    lengths = files.base_length[own] + fields.directory * files.directory_length[own]
    counts = postings.base_counts + fields.directory * postings.directory_counts
    on_path = np.float32(fields.path) * frequency(counts, lengths, request.corpus.path_length, fields.path_b)
    first, end = files.first_symbol[own] + 1, files.first_symbol[own + 1]
    sizes = end - first
    ids = np.repeat(first - (np.cumsum(sizes) - sizes), sizes) + np.arange(sizes.sum(), dtype=np.int32)
    impact = _impacts_at(postings, ids)
    k1 = np.float32(fields.k1)
    raised = saturated(np.repeat(on_path, sizes) + k1 * impact / (np.float32(1) - impact), fields.k1)
    scores[ids] += weight * (raised - impact)


def _impacts_at(postings: TermPostings, ids: Array) -> Singles:
    """Return the impact without the path of symbols, 0 for those that do not hold the term."""
    if not len(postings.symbols):
        return np.zeros(len(ids), np.float32)
    place = np.minimum(np.searchsorted(postings.symbols, ids), len(postings.symbols) - 1)
    held = postings.symbols[place] == ids
    return np.where(held, postings.impacts[place], 0).astype(np.float32) / np.float32(ONE)


def file_seeds(request: Request, found: Sequence[TermPostings]) -> FileSeeds:
    """Return the BM25F scores of all files, and the path hits of the terms that are no mere joined forms."""
    count = request.corpus.files
    scores = np.zeros(count, np.float32)
    base_hits, directory_hits = np.zeros(count), np.zeros(count)
    for postings in found:
        weight = np.float32(idf(postings.file_df, count) * (request.fields.k1 + 1))
        scores[postings.files] += weight * (postings.file_impacts.astype(np.float32) / np.float32(ONE))
        if postings.term in request.parts:
            base_hits[postings.on_path] += postings.base_counts > 0
            directory_hits[postings.on_path] += postings.directory_counts > 0
    return FileSeeds(scores=scores.astype(np.float64), base_hits=base_hits, directory_hits=directory_hits)


def best(scores: Singles, count: int) -> Ids:
    """Return the places of the `count` highest positive scores, ascending; at the border the lower places win."""
    places = np.flatnonzero(scores > _lower_bound(scores, count))
    if len(places) <= count:
        return places.astype(np.int32)
    held = scores[places]
    border = np.partition(held, len(held) - count)[len(held) - count]
    above, equal = places[held > border], places[held == border]
    return np.sort(np.concatenate([above, equal[: count - len(above)]])).astype(np.int32)


def _lower_bound(scores: Singles, count: int) -> np.float32:
    """Return a score that at least `count` places exceed, or 0: guessed from a sample, then counted."""
    sample = scores[::_SAMPLE]
    rank = 2 * count // _SAMPLE + 8
    if rank >= len(sample):
        return np.float32(0)
    guess = np.partition(sample, len(sample) - rank)[len(sample) - rank]
    return guess if guess > 0 and np.count_nonzero(scores > guess) >= count else np.float32(0)
