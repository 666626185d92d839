"""R."""

from __future__ import annotations

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="r",
        grammar="r",
        extensions=(".r", ".R"),
        interpreters=("Rscript",),
        doc=DocStyle(lines=(b"#'", b"#")),
        name_strip=(b'"', b"`", b"'"),
        recovery=(by_line("function", rb"(?P<name>[\w.]+)[ \t]*(?:<-|=)[ \t]*function\b", INDENT_END),),
    ),
)
