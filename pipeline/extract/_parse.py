"""Parse text into a syntax tree within budgets of work; the tree is shared by every query that runs over it."""

from __future__ import annotations

from collections import deque
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tree_sitter import Parser, Point, Tree

from ..languages import LANGUAGES
from ..languages._grammar import grammar
from ._depth import is_too_deep

__all__ = ["OVER_BUDGET", "Refused", "grammar", "parse"]

OVER_BUDGET = "parse_failed: budget"
"""The reason of a file that costs more than it may."""

_TINY = 512
"""Bytes of a text that is parsed without a count: whatever it holds, it takes no time."""

_STEPS, _STEPS_A_BYTE = 500, 0.08
"""Budget of the parser's steps, in hundreds: at least, and more for each byte. Code that people write takes up to 5 single steps a
byte (scripts/bench/extract.py, all packages of scripts/accuracy_packages.toml); recovery from errors may take 300 and more."""

_READ, _READ_A_BYTE = 16_000_000, 64
"""Budget of the bytes that the parser reads: at least, and more for each byte of the text. Ordinary code is read once, and once
more to its end now and then. A token that never ends, such as a quote or a comment, is sought to the end of the text from each
place where it may begin, which is quadratic. The most on the same files is 6 MB, by Lua's grammar over colour codes."""

_CHUNK = 8_192
"""Bytes that the parser gets at once. It asks again at the end of them and when it goes back behind their start, seldom; but the
grammars of Perl and Scala look at columns, for which the parser goes back to the start of each line."""

_TEXT = 128
"""Bytes that the predicates of a query get at once of a text that was counted; names are shorter."""


_APART, _MOST_EDITS = 16, 256
"""Bytes between two differences that count as one, and how many are marked: each is sought from the root of the tree."""

_LINE_FEED = 10


class Refused(Exception):
    """A text costs more than it may; `reason` is that of the file, as in SPEC.md."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@cache
def _parser(name: str) -> Parser:
    return Parser(grammar(name))


class _Work:
    """Hands a text to a parser and counts what it does, so that the budget depends on the text alone.

    Every hundred steps, the parser calls with an offset and whether there was an error. A deque of limited length is what counts
    these calls and stops them, without any Python code between, which would cost several per cent of a parse.
    The tree keeps this as its source: later on, it is asked for the texts of nodes.
    What the parser gets it never gives back (tree-sitter 0.26.1 keeps a reference to each answer), so views of the text are taken
    from it after the parse: else every text would stay in memory.
    """

    __slots__ = ("_at", "_bytes", "_data", "_is_parsed", "_lent", "_steps", "_view")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._view = memoryview(data)
        self._lent: list[memoryview] = []
        self._steps = deque[bool](maxlen=_STEPS + int(_STEPS_A_BYTE * len(data)))
        self._bytes = _READ + _READ_A_BYTE * len(data)
        self._at = 0
        self._is_parsed = False

    def __call__(self, offset: int, _: Point) -> bytes | memoryview:
        """Return text from an offset on; none if too much was read, which ends the parse soon."""
        if self._is_parsed:
            return self._data[offset : offset + _TEXT]
        if offset > self._at:
            self._bytes -= offset - self._at
        self._at = offset
        view = self._view[offset : offset + _CHUNK] if self._bytes >= 0 else self._view[:0]
        self._lent.append(view)
        return view

    def tree(self, parser: Parser, like: Tree | None = None) -> Tree:
        """Return the tree, made with what is the same in `like`; raises Refused if a budget was spent."""
        count: Any = self._steps.insert  # that it returns None lets the parser go on
        try:
            tree = (
                parser.parse(self, progress_callback=count)
                if like is None
                else parser.parse(self, like, progress_callback=count)
            )
        except IndexError:  # the deque is full
            parser.reset()
            raise Refused(OVER_BUDGET) from None
        finally:
            for view in (*self._lent, self._view):
                view.release()
        if self._bytes < 0:
            raise Refused(OVER_BUDGET)
        self._is_parsed = True
        return tree


def parse(data: bytes, language: str, like: tuple[Tree, bytes] | None = None) -> Tree:
    """Parse UTF-8 bytes as `language`, the id of a row with a grammar; raises Refused beyond the budgets.

    `like` is the tree of a text of the same length and that text: where they are equal, its parts are taken over. That gives
    the same tree for a fraction of the work; only where errors remain the parser may recover otherwise.
    Native code: a hostile input can kill the process, so this runs in child processes only.
    """
    row = LANGUAGES[language]
    if row.grammar is None:
        raise ValueError(f"{language} has no grammar")
    if row.final_newline and not data.endswith(b"\n"):
        data += b"\n"
    parser = _parser(row.grammar)
    tree = parser.parse(data) if len(data) <= _TINY else _Work(data).tree(parser, _edited(*like, data) if like else None)
    if is_too_deep(tree):
        raise Refused("too_deep")
    return tree


def _edited(tree: Tree, text: bytes, data: bytes) -> Tree | None:
    """Return the tree with the places marked where `data` differs from its text, None if they are too many."""
    size = len(text)
    differs = np.frombuffer(text, np.uint8) != np.frombuffer(data, np.uint8, size)
    places = np.flatnonzero(differs)
    if not len(places):
        return tree
    gaps = np.flatnonzero(np.diff(places) > _APART)
    starts, ends = places[np.append(0, gaps + 1)], places[np.append(gaps, len(places) - 1)] + 1
    if len(starts) > _MOST_EDITS:
        return None
    lines = np.append(0, np.flatnonzero(np.frombuffer(text, np.uint8) == _LINE_FEED) + 1)
    edited = tree.copy()
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        first, last = (_point(lines, at) for at in (start, end))
        edited.edit(start, end, end, first, last, last)
    return edited


def _point(lines: NDArray[np.int64], at: int) -> Point:
    row = int(np.searchsorted(lines, at, side="right")) - 1
    return Point(row, at - int(lines[row]))
