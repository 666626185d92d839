"""Text of statements that end with `;` or open a block in braces, cut up without a grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["ASIDE", "LINE_ASIDE", "Statement", "statements"]

ASIDE = rb"(?P<aside>/\*(?:[^*]|\*(?!/))*+(?:\*/)?)"
"""Comments of C."""

LINE_ASIDE = rb"(?P<aside>/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//[^\n]*)"
"""Comments of C++."""


class Statement(NamedTuple):
    """A piece of text up to a mark: `{`, `}` or `;`; byte offsets of the text without blanks and comments before it."""

    mark: bytes
    start: int
    end: int


def statements(data: bytes, token: re.Pattern[bytes]) -> Iterator[Statement]:
    """Yield the pieces between the marks; those between a mark and the end of the data are left out.

    `token` matches, besides the marks as group `mark`, whatever may hold one that does not count; what it matches as group
    `aside` is a comment.
    """
    start = 0
    for found in token.finditer(data):
        mark = found["mark"]
        if mark:
            yield Statement(mark, start, found.start())
            start = found.end()
        elif found["aside"] and not data[start : found.start()].strip():
            start = found.end()
