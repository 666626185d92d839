"""Scan text of the C family without a grammar: find the brace that closes another."""

from __future__ import annotations

import re

__all__ = ["matching_brace"]

_TOKEN = re.compile(
    rb"[{}]"
    rb"|//[^\n]*"
    rb"|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
    rb"|r(?P<hashes>#+)\"(?:[^\"]|\"(?!(?P=hashes)))*+"
    rb"|\"(?:[^\"\\]|\\.)*+\""
    rb"|'(?:[^'\\\n]|\\.[^'\n]*)'",
    re.S,
)


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
