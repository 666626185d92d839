"""Work on text without a grammar, at equal length: blank parts out, find the brace that closes another."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["blank", "blank_groups", "matching_brace"]

_TOKEN = re.compile(
    rb"[{}]"
    rb"|//[^\n]*"
    rb"|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    rb"|r(?P<hashes>#+)\"(?:[^\"]|\"(?!(?P=hashes)))*+"
    rb"|\"(?:[^\"\\]|\\.)*+\""
    rb"|'(?:[^'\\\n]|\\.[^'\n]*)'",
    re.S,
)
_NOT_NEWLINE = re.compile(rb"[^\r\n]")


def blank(out: bytearray, start: int, end: int) -> None:
    """Replace what stands between two offsets by blanks, line ends aside."""
    out[start:end] = _NOT_NEWLINE.sub(b" ", bytes(out[start:end]))


def blank_groups(data: bytes, patterns: Iterable[re.Pattern[bytes]]) -> bytes:
    """Return the text with every named group of every match blanked out."""
    out = bytearray(data)
    for pattern in patterns:
        for found in pattern.finditer(data):
            for name in pattern.groupindex:
                if found.start(name) >= 0:
                    blank(out, *found.span(name))
    return bytes(out)


def matching_brace(data: bytes, start: int) -> int:
    """Return the offset of the `}` that closes the `{` at `start`, -1 if none; strings and comments do not count."""
    depth = 0
    for token in _TOKEN.finditer(data, start):
        byte = token[0]
        if byte == b"{":
            depth += 1
        elif byte == b"}":
            depth -= 1
            if depth == 0:
                return token.start()
    return -1
