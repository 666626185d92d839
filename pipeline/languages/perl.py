"""Perl."""

from __future__ import annotations

from ._facts import DocStyle, Language, by_line

ROWS = (
    Language(
        id="perl",
        grammar="perl",
        extensions=(".pl", ".pm", ".t", ".psgi"),
        interpreters=("perl",),
        doc=DocStyle(lines=(b"#",)),
        visibility="underscore",
        path_separator=b"::",
        max_depth=64,
        final_newline=True,
        recovery=(by_line("function", rb"sub[ \t]+(?P<name>\w+)"),),
    ),
)
