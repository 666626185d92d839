"""Zig."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

ROWS = (
    Language(
        id="zig",
        grammar="zig",
        extensions=(".zig", ".zon"),
        doc=DocStyle(lines=(b"///", b"//"), module_lines=(b"//!",)),
        prefix_words=(b"pub", b"export", b"extern", b"inline"),
        visibility="modifier",
        modifier=re.compile(r"^(?:(?P<public>pub|export)\b)"),
        default_visibility="private",
        open_owners=frozenset({"enum", "union"}),
        recovery=(by_line("function", rb"(?:pub[ \t]+)?(?:export[ \t]+|inline[ \t]+)?fn[ \t]+(?P<name>\w+)"),),
    ),
)
