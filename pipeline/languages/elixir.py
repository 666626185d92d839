"""Elixir."""

from __future__ import annotations

import re

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="elixir",
        grammar="elixir",
        extensions=(".ex", ".exs"),
        interpreters=("elixir",),
        doc=DocStyle(lines=(b"#",)),
        visibility="modifier",
        modifier=re.compile(r"^(?P<private>defp|defmacrop|defguardp|@typep)\b"),
        recovery=(by_line("module", rb"defmodule[ \t]+(?P<name>[\w.]+)", INDENT_END),),
        path_separator=b".",
    ),
)
