"""After the scores: what is sure stays first, exact names come before all else, and no file fills the list by itself."""

from __future__ import annotations

import numpy as np

from ..readers.arrays import Floats
from .evidence import Candidates
from .gates import Confidence
from .ledger import Ledger
from .request import Request
from .rows import place_in_file

__all__ = ["post_process"]


def post_process(request: Request, ledger: Ledger, candidates: Candidates, exact: Floats, confidence: Confidence) -> None:
    """Cap the rows of a file, lift symbols whose exact name the query spells out, lock the first seed if it leads."""
    if not len(candidates.ids):
        return
    policy = request.policy
    if policy.file_cap:
        beyond = place_in_file(ledger.rounded(), candidates.columns.file) >= policy.file_cap
        ledger.scale("file_cap", np.where(beyond, policy.file_cap_factor, 1.0))
    if policy.promote:
        missing = ledger.total.max() - ledger.total
        ledger.add("promotion", policy.promote * np.where(exact > 0.0, missing + exact, 0.0))
    _lock(request, ledger, candidates, confidence)


def _lock(request: Request, ledger: Ledger, candidates: Candidates, confidence: Confidence) -> None:
    policy, trace = request.policy, request.trace
    if not policy.lock:
        return
    if trace is not None:
        trace.gate("lock", confidence.lead, policy.lock_lead)
    if confidence.lead <= policy.lock_lead:
        return
    first = int(np.argmax(candidates.bm25))
    missing = np.zeros(len(candidates.ids))
    missing[first] = ledger.total.max() - ledger.total[first]
    ledger.add("lock", policy.lock * missing)
    if trace is not None:
        trace.locked = int(candidates.ids[first])
