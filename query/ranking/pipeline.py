"""The stages of a lexical search in their order, from a request to ranked rows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..readers.arrays import Bools, Floats, Ids
from ..readers.values import TermPostings
from .evidence import Candidates, gather_candidates, within
from .files import score_files
from .gates import Confidence, confidence_of
from .graph import add_neighbours, add_walk
from .ledger import Ledger
from .meaning import add_meaning, with_near
from .pins import pinned
from .request import Request
from .rows import RankedRow, blend_files, file_share, merge_rows, represent, score_file_rows
from .scoring import finish, score_symbols
from .seeds import FileSeeds, SymbolSeeds, file_seeds, symbol_seeds

__all__ = ["Ranking", "matched_by", "rank"]

_WAYS = ("name", "content", "path", "meaning")


class Ranking(NamedTuple):
    """Ranked rows, and the postings of the query's terms that they came from."""

    rows: list[RankedRow]
    found: tuple[TermPostings, ...]


def rank(request: Request) -> Ranking:
    """Return the best rows for a request."""
    found = request.found if request.found is not None else tuple(request.reader.postings(request.query.terms))
    if request.trace is not None:
        request.trace.request, request.trace.found = request, found
    found = _with_longer_words(request, found)
    if not found:
        return Ranking(rows=[], found=found)
    seeds, by_text = symbol_seeds(request, found), file_seeds(request, found)
    confidence = confidence_of(request, seeds, found)
    seeds = _with_more(request, seeds, by_text)
    candidates = gather_candidates(request, with_near(request, seeds), found)
    ledger = score_symbols(request, candidates, confidence)
    add_meaning(request, ledger, candidates.ids)
    spelled, joined = pinned(request, candidates)
    ledger.add("exact_name", spelled)
    ledger.add("joined_words", joined)
    add_neighbours(request, ledger, candidates)
    add_walk(request, ledger, candidates, confidence, found)
    files = score_files(request, by_text, candidates, ledger.total)
    finish(request, ledger, candidates, files)
    share = file_share(request, candidates, ledger.rounded())
    top = blend_files(request, ledger, candidates, files, share)
    _post_process(request, ledger, candidates, spelled, confidence)
    file_ledger = score_file_rows(request, files, by_text, share, top)
    represent(request, candidates, ledger, files, file_ledger)
    if request.trace is not None:
        request.trace.confidence, request.trace.candidates, request.trace.share = confidence, candidates, share
        request.trace.ledger, request.trace.file_ledger, request.trace.files = ledger, file_ledger, files
    return Ranking(rows=merge_rows(request, candidates, ledger, files, file_ledger), found=found)


# What is off everywhere unless somebody measures it is imported where it is on: a search in a process of its own pays for
# every module.


def _with_longer_words(request: Request, found: tuple[TermPostings, ...]) -> tuple[TermPostings, ...]:
    if not request.policy.prefixes:
        return found
    from .expansion import with_prefixes

    return with_prefixes(request, found)


def _with_more(request: Request, seeds: SymbolSeeds, by_text: FileSeeds) -> SymbolSeeds:
    policy = request.policy
    if not (policy.expand or policy.literals or policy.scan):
        return seeds
    from .expansion import expand_seeds

    return expand_seeds(request, seeds, by_text)


def _post_process(request: Request, ledger: Ledger, candidates: Candidates, exact: Floats, confidence: Confidence) -> None:
    policy = request.policy
    if policy.file_cap or policy.promote or policy.lock:
        from .after import post_process

        post_process(request, ledger, candidates, exact, confidence)


def matched_by(request: Request, ranking: Ranking) -> list[tuple[str, ...]]:
    """Say for each row where the query was found: in the name, on the path, or, where not there, in the content; or near."""
    symbols = np.array([row.symbol for row in ranking.rows], np.int32)
    order = np.argsort(symbols, kind="stable")
    ids, files = symbols[order], request.reader.files.owners(symbols[order])
    is_file = np.array([row.is_file for row in ranking.rows], np.bool_)[order]
    name, content, path = (np.zeros(len(ids), np.bool_) for _ in range(3))
    for postings in ranking.found:
        in_name, on_path = _held(ids, postings.named), _held(files, postings.on_path)
        name |= in_name
        content |= np.where(is_file, _held(files, postings.files) & ~on_path, _held(ids, postings.symbols) & ~in_name)
        path |= on_path
    words: list[tuple[str, ...]] = [()] * len(ids)
    for place, *flags in zip(order.tolist(), name.tolist(), content.tolist(), path.tolist(), strict=True):
        flags.append(ranking.rows[place].terms.get("meaning", 0.0) > 0.0)
        words[place] = tuple(word for word, flag in zip(_WAYS, flags, strict=True) if flag)
    return words


def _held(ids: Ids, others: Ids) -> Bools:
    held = np.zeros(len(ids), np.bool_)
    held[within(ids, others)[0]] = True
    return held
