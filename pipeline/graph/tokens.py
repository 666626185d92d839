"""What the text of code shares with other code: rare literals, fields that are accessed, names that comments mention.

Two passes of regular expressions over the bytes, linear in them; which of these tokens are rare is for the merge to see.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ._regions import regions

if TYPE_CHECKING:
    from ..facts import SymbolFact

__all__ = ["TOKEN_KINDS", "Token", "tokens_of"]

TOKEN_KINDS = ("literal", "field", "mention")
"""A token's kind is a position here."""

LITERAL, FIELD, MENTION = range(len(TOKEN_KINDS))

_MOST = 4000
"""Tokens of one file; generated tables have more, and nothing in them is rare."""

_IN_CODE = re.compile(
    rb"[\"'.0-9](?:"  # so that the search skips to the next of these
    rb"(?<=\")(?<!\"\")([^\"\\\n]{6,80})\"(?!\")|(?<=')(?<!'')([^'\\\n]{6,80})'(?!')"  # three quotes begin documentation
    rb"|(?<=\.)([A-Za-z_]\w{3,40})(?![\w(!])"
    rb"|(?<=0)(?<![\w.]0)(x[0-9A-Fa-f]{3,16})(?![\w.])|(?<=[1-9])(?<![\w.][1-9])(\d{3,15})(?![\w.]))"
)
_FIELD_GROUP = 3
_TELLING = re.compile(rb"[A-Za-z]{3}|^[0-9]")
"""What a literal must hold: punctuation and format codes say nothing."""

_COMMENT = re.compile(rb"(?m)^[ \t]*(?://+!?|#+|/?\*+|--+|;+|%+)[ \t](.*)$")
_NAMED = re.compile(
    rb"`((?:\w++(?:::|\.))+[A-Za-z_]\w++|[A-Za-z_]\w{3,60}+)(?:\(\))?`"
    rb"|(?<![\w.:/-])((?:\w++(?:::|\.))*"
    rb"(?:[a-z0-9]++(?:[A-Z][a-z0-9]*+)++|[A-Z][a-z0-9]++(?:[A-Z][a-z0-9]*+)++|[a-z0-9]++(?:_[a-z0-9]++)++))(?![\w-])"
)
"""Code-shaped words in prose: in back-quotes, camel case or snake case, perhaps qualified."""

_NAMING = re.compile(rb"[`_]|[A-Z](?<=[a-z0-9][A-Z])")
"""What each of them holds; half of all lines of comments do not."""

_EVERYWHERE = (0, 1 << 62)
_BODIES = frozenset({"function", "method", "constructor"})


class Token(NamedTuple):
    """One token of one symbol, once however often it occurs; `symbol` is a position in the file's list or -1."""

    symbol: int
    kind: int
    text: str
    line: int


def tokens_of(source: bytes, symbols: Sequence[SymbolFact]) -> tuple[Token, ...]:
    """Return the tokens of a file of code, in the order (kind, symbol, text)."""
    if not symbols:
        return ()
    comments = list(_COMMENT.finditer(source))
    found = [*_code_tokens(source, comments), *_comment_tokens(comments)]
    starts, spans = regions([_EVERYWHERE, *((symbol.start_byte, symbol.end_byte) for symbol in symbols)])
    offsets = np.array([offset for offset, _, _ in found], np.int64)
    inside = (np.array(spans)[np.searchsorted(starts, offsets, side="right") - 1] - 1).tolist()
    newlines = np.flatnonzero(np.frombuffer(source, np.uint8) == 10)
    lines = (np.searchsorted(newlines, offsets) + 1).tolist()
    first: dict[tuple[int, int, bytes], int] = {}
    for (_, kind, text), symbol, line in zip(found, inside, lines, strict=True):
        if symbol >= 0 and (kind != MENTION or symbols[symbol].kind in _BODIES):
            first.setdefault((kind, symbol, text), line)
    for position, symbol_fact in enumerate(symbols):
        for text in _mentions(symbol_fact.doc.encode("utf-8", "replace")):
            first.setdefault((MENTION, position, text), symbol_fact.name_line)
    kept = sorted(first.items())[:_MOST]
    return tuple(Token(symbol, kind, text.decode("utf-8", "replace"), line) for (kind, symbol, text), line in kept)


def _code_tokens(source: bytes, comments: Iterable[re.Match[bytes]]) -> Iterator[tuple[int, int, bytes]]:
    code = bytearray(source)
    for comment in comments:
        start, end = comment.span()
        code[start:end] = b" " * (end - start)
    for match in _IN_CODE.finditer(bytes(code)):
        group = match.lastindex or 0
        if group == _FIELD_GROUP:
            yield match.start(), FIELD, match[group]
        else:
            text = match[group] if group < _FIELD_GROUP else match[0]
            if _TELLING.search(text):
                yield match.start(), LITERAL, text


def _comment_tokens(comments: Iterable[re.Match[bytes]]) -> Iterator[tuple[int, int, bytes]]:
    for match in comments:
        for text in _mentions(match[1]):
            yield match.start(1), MENTION, text


def _mentions(prose: bytes) -> Iterator[bytes]:
    if not _NAMING.search(prose):
        return
    for match in _NAMED.finditer(prose):
        yield (match[1] or match[2]).replace(b"::", b".")
