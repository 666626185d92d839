"""Name the family of a query by ordered rules: over its text, the first that holds decides; then, for a few words that are no
sentence, by whether the index has them as the path of a file or as the name of a symbol."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...schemas.errors import UsageError
from ..readers.arrays import Ids
from ..readers.values import TermPostings
from .policy import FAMILY_NAMES
from .text import QueryText, is_path

__all__ = ["check_family", "is_label", "refine", "route"]

_RELATION = frozenset("relationship relationships relation relations vs versus difference differences between".split())
_ERROR = frozenset(
    "error errors exception exceptions panic panics panicked fail fails failed failing failure failures crash crashes "
    "crashed deadlock deadlocks timeout timeouts leak leaks leaked leaking bug bugs broken traceback segfault overflow hang hangs "
    "abort aborted invalid unexpected cannot mismatch conflict conflicts corrupt corrupted denied refused detected stuck "
    "undefined".split()
)
_DEALS_WITH_ERRORS = frozenset(
    "handle format sanitize report render print show raise throw wrap convert define register".split()
)
"""Verbs that make an error the object of the code that is asked for, and not what went wrong."""

_SET = frozenset("all every each".split())
_SET_OPENERS = frozenset("find list show get me".split())
_QUESTION = frozenset("how what why where when which who explain describe overview".split())
_KINDS_OF_CODE = frozenset("function method class struct type interface trait macro module file".split())
_LABEL_WORDS = (2, 5)
"""Least and most words of a query that may be the words of a path or of a name."""


def route(query: QueryText) -> str:
    """Return the family of a query by its text."""
    text = query.text.strip().strip("`'\"").strip()
    words = [word.strip("?!.,:;()").lower() for word in text.split()]
    if len(words) <= 1:
        return _route_word(text, query)
    if not _RELATION.isdisjoint(words):
        return "relationship"
    openers = [word for word in words if word not in _SET_OPENERS][:1]
    if openers and openers[0] in _SET:
        return "cross-cutting-set"
    if not _ERROR.isdisjoint(words) and _speaks_of_failure(words):
        return "error-debug"
    if words[0] in ("what", "which") and words[1] in _KINDS_OF_CODE:
        return "natural-descriptive"
    if words[0] in _QUESTION or text.endswith("?"):
        return "natural-abstract"
    if len(words) <= _LABEL_WORDS[1] and query.has_path:
        return "file-path"
    return "natural-descriptive"


def _speaks_of_failure(words: Sequence[str]) -> bool:
    """Say whether the errors that a query speaks of have happened, and are not what the code deals with."""
    if words[0] in _DEALS_WITH_ERRORS:
        return False
    if words[0] in _QUESTION - {"why", "when", "where"}:
        return {"happens", "happen", "causes", "cause", "fix", "debug"} & set(words[:4]) != set()
    return True


def is_label(query: QueryText, family: str) -> bool:
    """Say whether a query is a few words and no sentence, so that the index may know them as a path or a name."""
    few = _LABEL_WORDS[0] <= query.words <= _LABEL_WORDS[1]
    return family == "natural-descriptive" and few and query.words == query.content_words and not query.asks_for_change


def refine(family: str, query: QueryText, found: Sequence[TermPostings]) -> str:
    """Return the family of a label (see is_label): a name if one symbol's holds all its words, a path if one file's does."""
    parts = {term for term, joined in zip(query.terms, query.joined, strict=True) if not joined}
    own = [postings for postings in found if postings.term in parts]
    if len(own) < max(len(parts), _LABEL_WORDS[0]):
        return family
    if len(_shared([postings.named for postings in own])):
        return "symbol-partial"
    return "file-path" if len(_shared([postings.on_path for postings in own])) else family


def _shared(ids: Sequence[Ids]) -> Ids:
    """Return the ids that are in all of some ascending arrays."""
    ordered = sorted(ids, key=len)
    shared = ordered[0]
    for other in ordered[1:]:
        if not len(shared) or not len(other):
            return shared[:0]
        place = np.minimum(np.searchsorted(other, shared), len(other) - 1)
        shared = shared[other[place] == shared]
    return shared


def _route_word(text: str, query: QueryText) -> str:
    if is_path(text):
        return "file-path"
    spelled_as_code = query.parts > 1 or text[:1].isupper() or "`" in query.text
    return "symbol-exact" if spelled_as_code else "symbol-partial"


def check_family(name: str) -> str:
    """Return a family's name; UsageError for one that there is not."""
    if name not in FAMILY_NAMES:
        raise UsageError(f"there is no query family {name!r}: use one of {', '.join(FAMILY_NAMES)}")
    return name
