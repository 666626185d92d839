"""Lua."""

from __future__ import annotations

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="lua",
        grammar="lua",
        extensions=(".lua", ".rockspec"),
        interpreters=("lua", "luajit"),
        doc=DocStyle(lines=(b"---", b"--"), blocks=(b"--[[",), block_end=b"]]"),
        prefix_words=(b"local",),
        path_separator=b".",
        recovery=(by_line("function", rb"(?:local[ \t]+)?function[ \t]+(?P<name>[\w.:]+)", INDENT_END),),
    ),
)
