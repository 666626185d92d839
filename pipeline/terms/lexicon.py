"""Tokens of UTF-8 text to numbered terms, fast: every distinct token is split and stemmed once a process.

A *token* is a run of bytes between ASCII characters that belong to no word; it is cut into words by the rules of
`schemas.terms` when it is first seen. NFKC and the split at non-ASCII characters never reach over an ASCII separator, so
the terms of a text are those of its tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...query.stems import stem
from ...schemas.terms import DATA_RUN, joined_form, normalize, split_word, words
from .._arrow import compute

__all__ = ["SEPARATOR", "Lexicon", "PartLexicon", "Terms", "blank", "joined"]

SEPARATOR = " \0 "
"""Stands between the segments of a text given to `Lexicon.read`; `blank` leaves it as it is."""

_WORD_BYTES = bytes(b for b in range(256) if b >= 0x80 or chr(b).isalnum() or chr(b) in "_$")
_BLANKED = bytes(b if b in _WORD_BYTES or b == 0 else 0x20 for b in range(256))

_MAX_TOKENS = 150_000
"""Distinct tokens kept before the lexicon starts anew: about 90 MB a process (measured: 600 bytes a token with its terms)."""


class Terms(NamedTuple):
    """Occurrences of terms in a text, in order: `codes` int32 (term number * 2 + 1 if a joined form), `segments` int32."""

    codes: NDArray[np.int32]
    segments: NDArray[np.int32]


class _Numbers(dict[bytes, int]):
    """Numbers keys in the order of their first look-up."""

    def __missing__(self, token: bytes) -> int:
        self[token] = number = len(self)
        return number


class Lexicon:
    """A growing map from tokens to numbered, stemmed terms; the numbers mean nothing outside this object."""

    def __init__(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._tokens = _Numbers({SEPARATOR.encode().strip(): 0})
        self._terms: dict[str, int] = {}  # unstemmed term to the number of its stem
        self._stems: dict[str, int] = {}
        self._counts = np.zeros(1, np.int32)  # terms a token; token 0 is the separator
        self._starts = np.zeros(1, np.int64)  # first place of a token in _codes
        self._codes = np.zeros(0, np.int32)

    def read(self, blanked: bytes) -> Terms:
        """Return the terms of text that `blank` has prepared, its segments joined by SEPARATOR."""
        if len(self._tokens) > _MAX_TOKENS:
            self._clear()
        known = len(self._tokens)
        distinct, indices = _distinct(blanked)
        tokens = np.fromiter(map(self._tokens.__getitem__, distinct), np.int32, len(distinct))[indices]
        if len(self._tokens) > known:
            self._learn(list(self._tokens)[known:])
        counts = self._counts[tokens]
        starts = self._starts[tokens] - (np.cumsum(counts) - counts)
        places = np.repeat(starts, counts)
        places += np.arange(len(places))
        segments = np.cumsum(tokens == 0, dtype=np.int32)
        return Terms(self._codes[places], np.repeat(segments, counts))

    def spell(self, numbers: NDArray[np.int32]) -> list[str]:
        """Return the stems that term numbers stand for."""
        stems = list(self._stems)
        return [stems[n] for n in numbers.tolist()]

    def __len__(self) -> int:
        """Return how many distinct stems have a number."""
        return len(self._stems)

    def _learn(self, tokens: list[bytes]) -> None:
        """Add tokens to the tables."""
        terms, counts, joined = _expand(b" ".join(tokens).decode(errors="replace").split(" "))
        new = [term for term in dict.fromkeys(terms) if term not in self._terms]
        for term, stemmed in zip(new, stem(new), strict=True):
            self._terms[term] = self._stems.setdefault(stemmed, len(self._stems))
        codes = np.fromiter(map(self._terms.__getitem__, terms), np.int32, len(terms)) * 2
        codes[joined] += 1
        starts = len(self._codes) + np.cumsum(counts) - counts
        self._starts = np.concatenate([self._starts, starts])
        self._codes = np.concatenate([self._codes, codes])
        self._counts = np.concatenate([self._counts, counts])


class PartLexicon(Lexicon):
    """The same with the parts of words as they are written: neither stemmed nor joined; `codes` are places in `parts`."""

    def _clear(self) -> None:
        super()._clear()
        self.parts: list[str] = []

    def _learn(self, tokens: list[bytes]) -> None:
        terms, counts, joined = _expand(b" ".join(tokens).decode(errors="replace").split(" "))
        kept = np.ones(len(terms), bool)
        kept[joined] = False
        ends = np.cumsum(counts)
        counts = np.diff(np.concatenate([[0], np.cumsum(kept)])[ends], prepend=0).astype(np.int32)
        parts = [term for term, keep in zip(terms, kept.tolist(), strict=True) if keep]
        for part in dict.fromkeys(parts):
            if part not in self._terms:
                self._terms[part] = len(self.parts)
                self.parts.append(part)
        codes = np.fromiter(map(self._terms.__getitem__, parts), np.int32, len(parts))
        self._starts = np.concatenate([self._starts, len(self._codes) + np.cumsum(counts) - counts])
        self._codes = np.concatenate([self._codes, codes])
        self._counts = np.concatenate([self._counts, counts])


def joined(texts: Sequence[str]) -> bytes:
    """Return texts as `Lexicon.read` takes them: each is a segment."""
    whole = SEPARATOR.join(texts)
    if texts and whole.count("\0") != len(texts) - 1:
        whole = SEPARATOR.join(text.replace("\0", " ") for text in texts)
    return blank(whole.encode("utf-8", "replace"))


def blank(text: bytes) -> bytes:
    """Return UTF-8 text of the same length with blanks for encoded data and all that belongs to no word."""
    blanked = text.translate(_BLANKED)
    runs = _data_runs(text)
    if not runs:
        return blanked
    result = bytearray(blanked)
    for start, end in runs:
        result[start:end] = b" " * (end - start)
    return bytes(result)


def _data_runs(text: bytes) -> list[tuple[int, int]]:
    """Return start and end of each run of DATA_RUN or more printable ASCII characters without a blank."""
    other = np.frombuffer(text, np.uint8) - np.uint8(0x21) > 0x5D  # wraps round: below `!` and above `~` are both above
    block = DATA_RUN // 2  # a run of DATA_RUN covers a whole block of half its length
    if other[: len(other) // block * block].reshape(-1, block).any(axis=1).all():
        return []
    edges = np.concatenate([[-1], np.flatnonzero(other), [len(other)]])
    long = np.flatnonzero(np.diff(edges) > DATA_RUN)
    return list(zip((edges[long] + 1).tolist(), edges[long + 1].tolist(), strict=True))


def _distinct(blanked: bytes) -> tuple[list[bytes], NDArray[np.int32]]:
    """Return the distinct tokens of a text, and the place among them of every token in order.

    Arrow splits and hashes about twice as fast as `bytes.split` and a dictionary, and makes no object a token.
    """
    offsets = np.array([0, len(blanked)], np.int32)
    text = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(offsets.data), pa.py_buffer(blanked)])
    encoded = compute.ascii_split_whitespace(text).values.dictionary_encode()
    return encoded.dictionary.cast(pa.binary()).to_pylist(), encoded.indices.to_numpy()


def _expand(tokens: list[str]) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """Return the terms of all tokens, how many each has, and the places of joined forms among them."""
    terms: list[str] = []
    counts: list[int] = []
    joined: list[int] = []
    for token in tokens:
        before = len(terms)
        for word in (token,) if token.isascii() else words(normalize(token)):
            parts = split_word(word)
            terms += parts
            if len(parts) > 1 and (form := joined_form(word)) is not None:
                joined.append(len(terms))
                terms.append(form)
        counts.append(len(terms) - before)
    return terms, np.array(counts, np.int32), np.array(joined, np.int64)
