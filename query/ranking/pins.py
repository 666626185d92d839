"""Stage 3: names that the query spells out, as code or as adjacent words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...schemas.terms import split_word
from ..readers.arrays import Floats, Places
from .evidence import Candidates
from .policy import Policy
from .request import Request
from .text import Pin, QueryText, name_key

__all__ = ["pinned"]


def pinned(request: Request, candidates: Candidates) -> tuple[Floats, Floats]:
    """Return what each candidate gains for a name written as code, and for adjacent words that join to its name."""
    query, policy = request.query, request.policy
    exact, joined = np.zeros(len(candidates.ids)), np.zeros(len(candidates.ids))
    if not query.pins and not query.windows:
        return exact, joined
    places = _worth_a_look(query, candidates, policy)
    ids = candidates.ids[places]
    keys = {pin.key for pin in query.pins}
    spelled: list[int] = []
    for i, name in enumerate(request.reader.names(ids)):
        key = name_key(name)
        if key in keys:
            spelled.append(i)
        words = query.windows.get(key, 0)
        joined[places[i]] = policy.joined_words * min(1.0, words / max(query.content_words, 1))
    owners = request.reader.owners(ids[spelled]) if spelled else []
    for i, (name, qualified_name, path) in zip(spelled, owners, strict=True):
        key = name_key(name)
        exact[places[i]] = max(_pin_gain(pin, name, key, qualified_name, path, query, policy) for pin in query.pins)
    return exact, joined


def _worth_a_look(query: QueryText, candidates: Candidates, policy: Policy) -> Places:
    """Return the places of candidates whose name may be spelled out: all of its parts are in the query, or it matched
    by its joined form; the best by BM25F, as many as are worth reading names for."""
    wholly = (candidates.hits >= candidates.parts) & ((candidates.parts > 1) | bool(query.pins))
    by_joined_form = candidates.named & (candidates.parts > 1) & bool(query.pins)
    places = np.flatnonzero(wholly | by_joined_form)
    order = np.lexsort((places, -candidates.bm25[places], ~wholly[places]))
    return np.sort(places[order[: policy.pin_checks]])


def _pin_gain(
    pin: Pin, name: str, key: str, qualified_name: str | None, path: str, query: QueryText, policy: Policy
) -> float:
    if pin.key != key or not key:
        return 0.0
    gain = policy.pin if pin.spelling == name else policy.pin * policy.pin_spelling
    if pin.qualifier is not None:
        gain *= policy.pin_owner if pin.qualifier in _owners(name, qualified_name, path) else policy.pin_other_owner
    return gain * policy.pin_in_sentence if query.words >= policy.sentence_words else gain


def _owners(name: str, qualified_name: str | None, path: str) -> set[str]:
    """Return what may qualify a symbol: its containers, its file and the file's folder, folded."""
    containers: Sequence[str] = (qualified_name or "").split(".")[:-1]
    folder, _, base = path.rpartition("/")
    places = (base.partition(".")[0], folder.rpartition("/")[2])
    return {name_key(text) for text in (*containers, *places) if split_word(text)}
