"""Go."""

from __future__ import annotations

import re

from ._facts import BRACE_END, DocStyle, Language, Recovery

ROWS = (
    Language(
        id="go",
        grammar="go",
        extensions=(".go",),
        doc=DocStyle(lines=(b"//",), blocks=(b"/*",), module_lines=(b"//",), module_blocks=(b"/*",)),
        visibility="capital",
        test_head=re.compile(r"^func (?:Test|Benchmark|Fuzz|Example)(?![a-z])\w*\("),
        recovery=(
            Recovery(kind="function", pattern=re.compile(rb"^func[ \t]+(?P<name>\w+)[ \t]*[(\[]", re.M), end=BRACE_END),
            Recovery(kind="method", pattern=re.compile(rb"^func[ \t]*\([^)\n]*\)[ \t]*(?P<name>\w+)[ \t]*\(", re.M), end=BRACE_END),
            Recovery(kind="struct", pattern=re.compile(rb"^type[ \t]+(?P<name>\w+)(?:\[[^\]\n]*\])?[ \t]+struct\b", re.M), end=BRACE_END),
            Recovery(kind="interface", pattern=re.compile(rb"^type[ \t]+(?P<name>\w+)(?:\[[^\]\n]*\])?[ \t]+interface\b", re.M), end=BRACE_END),
        ),
    ),
)
