"""Erlang."""

from __future__ import annotations

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="erlang",
        grammar="erlang",
        extensions=(".erl", ".hrl", ".escript"),
        interpreters=("escript",),
        doc=DocStyle(lines=(b"%%", b"%")),
        name_strip=(b"'",),
        recovery=(by_line("function", rb"(?P<name>[a-z]\w*)\(", INDENT_END),),
    ),
)
