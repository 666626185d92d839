"""Haskell."""

from __future__ import annotations

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="haskell",
        grammar="haskell",
        extensions=(".hs",),
        interpreters=("runhaskell", "runghc", "stack"),
        doc=DocStyle(lines=(b"-- |", b"--"), blocks=(b"{-|", b"{-"), block_end=b"-}"),
        recovery=(
            by_line("type", rb"(?:data|newtype)[ \t]+(?P<name>[A-Z]\w*)", INDENT_END),
            by_line("function", rb"(?P<name>[a-z]\w*'*)[ \t]+::", INDENT_END),
        ),
    ),
)
