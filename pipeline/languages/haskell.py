"""Haskell."""

from __future__ import annotations

import re

from ._facts import INDENT_END, DocStyle, Language, by_line
from ._scan import blank_groups

_DIRECTIVE = re.compile(
    rb"(?P<all>^#[ \t]*(?:if|ifdef|ifndef|elif|else|endif|define|undef|include|error|warning|line)\b(?:[^\\\n]|\\\r?\n|\\.)*)",
    re.M,
)


def _expand(data: bytes) -> bytes | None:
    """Blank the lines of the C preprocessor, so that both halves of an `#if` are read; the grammar drops the second."""
    return blank_groups(data, [_DIRECTIVE]) if b"\n#" in data else None


ROWS = (
    Language(
        id="haskell",
        grammar="haskell",
        extensions=(".hs",),
        interpreters=("runhaskell", "runghc", "stack"),
        doc=DocStyle(lines=(b"-- |", b"--"), blocks=(b"{-|", b"{-"), block_end=b"-}"),
        expand=_expand,
        recovery=(
            by_line("type", rb"(?:data|newtype)[ \t]+(?P<name>[A-Z]\w*)", INDENT_END),
            by_line("function", rb"(?P<name>[a-z]\w*'*)[ \t]+::", INDENT_END),
        ),
    ),
)
