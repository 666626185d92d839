"""How text becomes terms; both sides use these rules, so that what is indexed can be found.

A *word* is a maximal run of letters, digits, `_` and `$` (Unicode, after NFKC). A word is split into *parts* at `_`, `$`,
camel-case humps and between letters and digits; parts are lower case. A word of several parts also yields its *joined
form*, so that `notify_one`, `notifyOne` and `notifyone` meet. Runs of CJK characters are split into bigrams. Parts over
`MAX_TERM_LENGTH` characters are dropped: they are hashes and encoded data, not words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["MAX_TERM_LENGTH", "STOP_WORDS", "WORD", "normalize", "split_word", "terms", "word_terms", "words"]

MAX_TERM_LENGTH = 64
"""Longer parts are dropped; the longest English word in a technical dictionary has 45 letters."""

STOP_WORDS = frozenset(
    "a an and are as at be but by do does for from how if in into is it its of on or s so such that the their then "
    "there these they this to was what when where which who why will with".split()
)
"""English function words, left out of queries only. Words that carry meaning in code (all, find, list, show) stay."""

WORD = re.compile(r"[\w$]+")

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PART = re.compile(
    rf"[{_CJK}]+"
    r"|[A-Z]+(?=v\d)"  # IPv4: the acronym ends before the version
    r"|[A-Z]+(?![a-z])"
    r"|[A-Z]?[a-z]+"
    r"|\d+"
)
_NON_ASCII_PART = re.compile(rf"[{_CJK}]+|\d+|[^\W\d_$]+")
_CJK_RUN = re.compile(rf"[{_CJK}]+\Z")


def normalize(text: str) -> str:
    """Return `text` in NFKC, the form in which words are looked for; ASCII text is returned as it is."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def words(text: str) -> list[str]:
    """Return the words of normalised text in order, repeated as they occur."""
    return WORD.findall(text)


def split_word(word: str) -> tuple[str, ...]:
    """Return the parts of one word, lower case, in order; `HTTPServer` gives `("http", "server")`."""
    parts = [p.lower() for p in _PART.findall(word)] if word.isascii() else list(_split_non_ascii(word))
    return tuple(p for p in parts if len(p) <= MAX_TERM_LENGTH)


def word_terms(word: str) -> tuple[str, ...]:
    """Return the parts of one word and, where there are several, its joined form last."""
    parts = split_word(word)
    if len(parts) < 2:
        return parts
    joined = "".join(c for c in word if c not in "_$").casefold()
    return (*parts, joined) if len(joined) <= MAX_TERM_LENGTH else parts


def terms(text: str) -> list[str]:
    """Return the terms of any text, unstemmed, in order of occurrence, repeated as they occur."""
    return [term for word in words(normalize(text)) for term in word_terms(word)]


def _split_non_ascii(word: str) -> Iterable[str]:
    for run in _NON_ASCII_PART.findall(word):
        if _CJK_RUN.match(run):
            yield from (run[i : i + 2] for i in range(len(run) - 1)) if len(run) > 1 else (run,)
        else:
            yield from (hump.lower() for hump in _humps(run))


def _humps(run: str) -> Iterable[str]:
    """Split a run of letters where lower case meets upper, and before the last capital of an acronym."""
    start = 0
    for i in range(1, len(run)):
        rises = run[i].isupper() and not run[i - 1].isupper()
        acronym_ends = run[i].isupper() and i + 1 < len(run) and run[i + 1].islower() and run[i - 1].isupper()
        if rises or acronym_ends:
            yield run[start:i]
            start = i
    yield run[start:]
