"""Stages 2 to 5 for symbols: from BM25F to the final score, each part written down in the ledger."""

from __future__ import annotations

import numpy as np

from ..readers.arrays import Bools, Floats
from ..readers.values import PUBLIC, TEST
from .evidence import Candidates
from .files import FileScores, role_factors
from .gates import Confidence
from .ledger import Ledger, norm
from .policy import Policy
from .request import Request

__all__ = ["finish", "score_symbols"]


def score_symbols(request: Request, candidates: Candidates, confidence: Confidence) -> Ledger:
    """Start the ledger: BM25F, gated name overlap and priors."""
    policy, columns = request.policy, candidates.columns
    ledger = Ledger(len(candidates.ids))
    ledger.add("bm25", norm(candidates.bm25))
    if _overlap_may_speak(request, confidence):
        gate, overlap = policy.overlap_gate, _overlap(candidates, policy)
        ledger.add("name_overlap", policy.overlap * np.maximum(0.0, (overlap - gate) / (1 - gate)))
        if request.trace is not None:
            request.trace.symbol_gate("name_overlap", overlap, gate)
    ledger.scale("kind", request.kind_factors[columns.kind])
    if request.query.parts >= policy.plain_name_terms:
        ledger.scale("plain_name", np.where(candidates.parts == 1, policy.plain_name, 1.0))
    size = np.minimum(np.log2(np.maximum(columns.lines, 1)), policy.length_cap) / policy.length_cap
    ledger.scale("length", 1.0 + policy.length * (size - 0.5))
    ledger.scale("callers", 1.0 + policy.callers * norm(np.log1p(np.maximum(columns.callers, 0))))
    ledger.scale("public", np.where(columns.flags & PUBLIC, policy.public, 1.0))
    return ledger


def _overlap_may_speak(request: Request, confidence: Confidence) -> bool:
    """Say whether the first seed leads by enough and the query is specific enough, where the policy asks for that."""
    speaks = True
    for name, value, threshold in (
        ("overlap_lead", confidence.lead, request.policy.overlap_lead),
        ("overlap_specificity", confidence.specificity, request.policy.overlap_specificity),
    ):
        if threshold:
            speaks &= value > threshold
            if request.trace is not None:
                request.trace.gate(name, value, threshold)
    return speaks


def _overlap(candidates: Candidates, policy: Policy) -> Floats:
    """Return 1.5 · hits/parts · hits/(hits + 1): how much of a name the query says, and how much of it that is."""
    hits = candidates.hits
    return policy.overlap_gain * (hits / candidates.parts) * (hits / (hits + 1.0))


def finish(request: Request, ledger: Ledger, candidates: Candidates, files: FileScores) -> None:
    """Add the evidence of the file, the penalties of its path, and the rerank of the best."""
    policy, columns = request.policy, candidates.columns
    roles = request.reader.files.roles[columns.file]
    ledger.add("file", policy.file_evidence * norm(files.scores[np.searchsorted(files.ids, columns.file)]))
    in_tests = np.where(columns.flags & TEST, 1, 0).astype(np.uint8)  # bit 0 of the roles is `test`
    for role, factor in role_factors(roles | in_tests, request.lifted, policy).items():
        ledger.scale(role, factor)
    top = _top(ledger.rounded(), policy.rerank)
    ledger.add("coverage", _only(top, policy.coverage * _coverage(request, candidates)))
    ledger.add("overlap", _only(top, policy.name_overlap * _overlap(candidates, policy)))
    ledger.add("name_bm25", _only(top, policy.name_bm25 * norm(np.where(top, candidates.name_scores, 0.0))))
    if request.cosines is not None:
        ledger.add("nearness", _only(top, policy.nearness * np.maximum(request.cosines[candidates.ids], 0.0)))
    ledger.add("one_part_name", _only(top, -policy.one_part * ((candidates.parts == 1) & (candidates.hits > 0))))


def _coverage(request: Request, candidates: Candidates) -> Floats:
    """Return how much of the query each name says: its words alike, or as far as the policy says by their rarity."""
    alike: Floats = candidates.hits / max(request.query.parts, 1)
    share = request.policy.coverage_specificity
    return alike if not share else (1.0 - share) * alike + share * candidates.rare_hits


def _top(scores: Floats, count: int) -> Bools:
    """Mark the best `count`; ties go to the earlier place."""
    marked = np.zeros(len(scores), np.bool_)
    marked[np.lexsort((np.arange(len(scores)), -scores))[:count]] = True
    return marked


def _only(where: Bools, amount: Floats) -> Floats:
    return np.where(where, amount, 0.0)
