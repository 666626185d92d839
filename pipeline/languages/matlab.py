"""MATLAB and Octave; `.m` is Objective-C as well, which its marks tell."""

from __future__ import annotations

import re

from ._facts import INDENT_END, DocStyle, Language, by_line

_OCTAVE = re.compile(
    rb"(?P<comment>^[ \t]*#+|(?<=[ \t;])#+)(?=[ \t\r\n{}!-]|$)"
    rb"|(?<=end)(?P<end>function|if|for|while|switch|classdef|methods|properties|events|enumeration|parfor|_try_catch"
    rb"|_unwind_protect)(?!\w)"
    rb"|(?P<not>(?<![\w'\")}\]])!(?=[ \t]*[\w(\[{!@=])|!(?==))"
    rb"|(?P<step>(?<=\w)(?:\+\+|--)(?=[ \t]*(?:;|$)))",
    re.M,
)
_SPELLING = {"comment": b"%", "not": b"~", "end": b" ", "step": b" "}


def _repair(data: bytes) -> bytes | None:
    """Spell what only Octave knows as MATLAB does: `#` comments, `endif` and the like, `!`, `x++`."""
    changed = _OCTAVE.sub(lambda found: _SPELLING[found.lastgroup or ""] * len(found[0]), data)
    return changed if changed != data else None


ROWS = (
    Language(
        id="matlab",
        grammar="matlab",
        extensions=(".m",),
        interpreters=("octave",),
        doc=DocStyle(lines=(b"%", b"#")),
        constructor_like_owner=True,
        path_separator=b".",
        repair=_repair,
        recovery=(by_line("function", rb"function[ \t]+(?:[^=\n]*=[ \t]*)?(?P<name>\w+)", INDENT_END),),
    ),
)
