"""Go."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

ROWS = (
    Language(
        id="go",
        grammar="go",
        extensions=(".go",),
        doc=DocStyle(lines=(b"//",), blocks=(b"/*",), module_lines=(b"//",), module_blocks=(b"/*",)),
        visibility="capital",
        test_head=re.compile(r"^func (?:Test|Benchmark|Fuzz|Example)(?![a-z])\w*\("),
        recovery=(
            by_line("function", rb"func[ \t]+(?P<name>\w+)[ \t]*[(\[]"),
            by_line("method", rb"func[ \t]*\([^)\n]*\)[ \t]*(?P<name>\w+)[ \t]*\("),
            by_line("struct", rb"type[ \t]+(?P<name>\w+)(?:\[[^\]\n]*\])?[ \t]+struct\b"),
            by_line("interface", rb"type[ \t]+(?P<name>\w+)(?:\[[^\]\n]*\])?[ \t]+interface\b"),
        ),
    ),
)
