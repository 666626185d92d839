"""What the code graph says of candidates and files: terms of neighbours, a walk from the best, calls between files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..readers.arrays import Array, Floats, Ids
from ..readers.values import TermPostings
from .evidence import Candidates, within
from .gates import Confidence
from .ledger import Ledger, norm
from .request import Request
from .seeds import idf

if TYPE_CHECKING:
    from ..readers.graph import FileCalls

__all__ = ["add_neighbours", "add_walk", "file_walk"]


def add_neighbours(request: Request, ledger: Ledger, candidates: Candidates) -> None:
    """Add what the names around each candidate hold of the query, exact words only, above the gate."""
    policy, words = request.policy, request.query.exact
    if not policy.neighbours or request.graph is None or not words:
        return
    hits = np.zeros(len(candidates.ids))
    for term in request.graph().neighbour_terms(words):
        hits[within(candidates.ids, term.symbols)[0]] += 1.0
    share = hits / len(words)
    ledger.add("neighbours", policy.neighbours * np.where(share > policy.neighbours_gate, share, 0.0))
    if request.trace is not None:
        request.trace.symbol_gate("neighbours", share, policy.neighbours_gate)


def add_walk(
    request: Request, ledger: Ledger, candidates: Candidates, confidence: Confidence, found: Sequence[TermPostings]
) -> None:
    """Add what arrives at each candidate that matches by itself from the best ones, over the edges of the graph."""
    policy, trace = request.policy, request.trace
    if not policy.walk or request.graph is None or not len(candidates.ids):
        return
    if trace is not None and policy.walk_specificity:
        trace.gate("walk_specificity", confidence.specificity, policy.walk_specificity)
    if policy.walk_specificity and confidence.specificity <= policy.walk_specificity:
        return
    from ..graph.walk import walk, walk_policy

    scores = norm(np.maximum(ledger.total, 0.0))
    starts = np.sort(np.lexsort((np.arange(len(scores)), -scores))[: policy.walk_seeds])
    edges = walk_policy(dict(policy.walk_out), dict(policy.walk_in), dict(policy.walk_evidence), hops=policy.walk_hops)
    reached = walk(request.graph().neighbours, candidates.ids[starts], scores[starts] ** policy.walk_power, edges)
    arrived = np.zeros(len(candidates.ids))
    held, place = within(candidates.ids, reached.symbols)
    arrived[held] = reached.weights[place]
    passed = ledger.total > 0.0
    if policy.walk_coverage:
        covered = _covered(request, candidates, found)
        passed &= covered > policy.walk_coverage
        if trace is not None:
            trace.symbol_gate("walk_coverage", covered, policy.walk_coverage)
    ledger.add("walk", policy.walk * norm(np.where(passed, arrived, 0.0)))
    if trace is not None:
        trace.walked = reached


def _covered(request: Request, candidates: Candidates, found: Sequence[TermPostings]) -> Floats:
    """Return how much of the query each candidate holds in any field, its words weighted by their rarity, from 0 to 1."""
    held, total = np.zeros(len(candidates.ids)), 0.0
    for postings in found:
        if postings.term in request.parts:
            weight = idf(postings.df, request.corpus.symbols)
            held[within(candidates.ids, postings.symbols)[0]] += weight
            total += weight
    return held / total if total > 0.0 else held


def file_walk(request: Request, files: Ids, scores: Floats) -> Floats:
    """Return what arrives at each of these ascending files from the best of them over calls, both ways, at most 1.

    What a file hands on is divided by the root of all that it could hand on: so a file that calls everything, or that
    everything calls, gives little to each.
    """
    policy = request.policy
    if not policy.file_walk or request.graph is None or not len(files):
        return np.zeros(len(files))
    best = np.sort(np.lexsort((np.arange(len(files)), -scores))[: policy.file_walk_seeds])
    arrived = np.zeros(len(request.reader.files.language))
    for calls in request.graph().file_calls(files[best]):
        _hand_on(arrived, calls, scores[best])
    return norm(arrived[files])


def _hand_on(arrived: Array, calls: FileCalls, scores: Floats) -> None:
    counts = np.diff(calls.starts)
    near = np.repeat(np.arange(len(counts)), counts)
    weights = calls.weights / 100.0
    sums = np.bincount(near, weights, len(counts))
    given = scores[near] * weights / np.sqrt(np.maximum(sums, 1e-9))[near]
    np.add.at(arrived, calls.others, given)
