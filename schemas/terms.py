"""How text becomes terms; both sides use these rules, so that what is indexed can be found.

A *word* is a maximal run of letters, digits, `_` and `$` (Unicode, after NFKC). A word is split into *parts* at `_`, `$`,
camel-case humps and between letters and digits; parts are lower case. A word of several parts also yields its *joined
form*, so that `notify_one`, `notifyOne` and `notifyone` meet. Runs of CJK characters are split into bigrams.

Encoded data is not words and yields nothing: runs of `DATA_RUN` or more printable ASCII characters without a blank (base64,
data URIs, minified code), ASCII words of `DATA_PARTS` or more parts that are under `DATA_PART_LENGTH` characters long on
average (hex digests, random identifiers), and parts or joined forms over `MAX_TERM_LENGTH` characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

__all__ = [
    "DATA_PARTS",
    "DATA_PART_LENGTH",
    "DATA_RUN",
    "MAX_TERM_LENGTH",
    "STOP_WORDS",
    "WORD",
    "joined_form",
    "normalize",
    "split_word",
    "terms",
    "word_terms",
    "words",
]

MAX_TERM_LENGTH = 64
"""Longer parts are dropped; the longest English word in a technical dictionary has 45 letters."""

DATA_RUN = 256
"""Characters without a blank that are data: longest such run in hand-written code of tokio and esbuild is under 200."""

DATA_PARTS = 10
DATA_PART_LENGTH = 2.5
"""A random hex digest has parts of 2.1 characters on average, random base64 1.9; `aes_128_cbc_hmac_sha_256` has 3.3."""

STOP_WORDS = frozenset(
    "a an and are as at be but by do does for from how if in into is it its of on or s so such that the their then "
    "there these they this to was what when where which who why will with".split()
)
"""English function words, left out of queries only. Words that carry meaning in code (all, find, list, show) stay."""

WORD = re.compile(r"[\w$]+")

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PART = re.compile(
    r"[a-z]+"
    r"|[A-Z][a-z]+"
    r"|[A-Z]+(?=v\d)"  # IPv4: the acronym ends before the version
    r"|[A-Z]+(?![a-z])"
    r"|\d+"
)
_DATA_RUN = re.compile(rf"(?<![!-~])[!-~]{{{DATA_RUN},}}")


def normalize(text: str) -> str:
    """Return `text` in NFKC and with encoded data blanked: the form in which words are looked for."""
    if len(text) >= DATA_RUN:
        text = _DATA_RUN.sub(" ", text)
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def words(text: str) -> list[str]:
    """Return the words of normalised text in order, repeated as they occur."""
    return WORD.findall(text)


def split_word(word: str) -> tuple[str, ...]:
    """Return the parts of one word, lower case, in order; `HTTPServer` gives `("http", "server")`."""
    if word.isascii():
        parts = _split_ascii(word)
    else:
        parts = [part for run in _run_patterns()[0].findall(word) for part in _split_run(run)]
    return tuple(parts) if len(word) <= MAX_TERM_LENGTH else tuple(p for p in parts if len(p) <= MAX_TERM_LENGTH)


def word_terms(word: str) -> tuple[str, ...]:
    """Return the parts of one word and, where there are several, its joined form last."""
    parts = split_word(word)
    joined = joined_form(word) if len(parts) > 1 else None
    return parts if joined is None else (*parts, joined)


def joined_form(word: str) -> str | None:
    """Return a word of several parts as one term, None if that is too long."""
    joined = word.replace("_", "").replace("$", "").casefold()
    return joined if len(joined) <= MAX_TERM_LENGTH else None


def terms(text: str) -> list[str]:
    """Return the terms of any text, unstemmed, in order of occurrence, repeated as they occur."""
    return [term for word in words(normalize(text)) for term in word_terms(word)]


def _split_ascii(word: str) -> list[str]:
    if word.islower() and word.isalpha():  # half of all distinct words
        return [word]
    parts = _PART.findall(word)
    if len(parts) >= DATA_PARTS and sum(map(len, parts)) < DATA_PART_LENGTH * len(parts):
        return []
    return [part.lower() for part in parts]


@cache
def _run_patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what finds runs of one kind, and what a CJK run is; compiled late, because it takes milliseconds."""
    return re.compile(rf"[{_CJK}]+|\d+|[^\W\d_$]+"), re.compile(rf"[{_CJK}]+\Z")


def _split_run(run: str) -> Iterable[str]:
    """Split a run of one kind (CJK, digits, letters) that holds no `_` and no `$`."""
    if not _run_patterns()[1].match(run):
        return (hump.lower() for hump in _humps(run))
    return (run[i : i + 2] for i in range(len(run) - 1)) if len(run) > 1 else (run,)


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
