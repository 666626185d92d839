"""Stems of terms by the Snowball English stemmer, the same at index time and at query time."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import Stemmer

__all__ = ["ALGORITHM", "stem"]

ALGORITHM = "english"
"""Snowball's name of the algorithm (Porter2); part of the format, see SPEC.md."""


class _Stemmers(threading.local):
    """One stemmer a thread: a PyStemmer object must not be shared between threads."""

    def __init__(self) -> None:
        # Callers keep their own memo or ask for a few terms; PyStemmer's cache, sorted whenever it is full, only slows them.
        self.stemmer = Stemmer.Stemmer(ALGORITHM, 0)


_STEMMERS = _Stemmers()


def stem(terms: Sequence[str]) -> list[str]:
    """Return the stem of each term, in order."""
    stems: list[str] = _STEMMERS.stemmer.stemWords(terms)
    return stems
