"""MATLAB and Octave; `.m` is Objective-C as well, which its marks tell."""

from __future__ import annotations

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="matlab",
        grammar="matlab",
        extensions=(".m",),
        interpreters=("octave",),
        doc=DocStyle(lines=(b"%",)),
        constructor_like_owner=True,
        path_separator=b".",
        recovery=(by_line("function", rb"function[ \t]+(?:[^=\n]*=[ \t]*)?(?P<name>\w+)", INDENT_END),),
    ),
)
