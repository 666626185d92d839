"""Julia."""

from __future__ import annotations

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="julia",
        grammar="julia",
        extensions=(".jl",),
        interpreters=("julia",),
        doc=DocStyle(lines=(b"#",)),
        path_separator=b".",
        recovery=tuple(
            by_line(kind, word + rb"[ \t]+(?P<name>\w+)", INDENT_END)
            for kind, word in (
                ("function", b"function"),
                ("struct", b"(?:mutable[ \t]+)?struct"),
                ("macro", b"macro"),
                ("module", b"module"),
            )
        ),
    ),
)
