"""Python 3, and the Python 2 that old repositories still hold."""

from __future__ import annotations

import re

from ._facts import INDENT_END, DocStyle, Language, by_line

ROWS = (
    Language(
        id="python",
        grammar="python",
        extensions=(".py", ".pyi", ".pyw", ".pyx", ".pxd", ".bzl"),
        names=("SConstruct", "SConscript", "wscript", "BUILD", "BUILD.bazel", "WORKSPACE"),
        interpreters=("python", "pypy"),
        doc=DocStyle(lines=(b"#",), docstring=True),
        decorator=re.compile(
            rb"\s*+(?:#[^\n]*+\s*+)*+@\s*(?P<name>[\w.]+)(?:[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*+\))*+\))?"
        ),
        visibility="underscore",
        test_head=re.compile(r"^(?:async )?def test|^class (?:Test(?![a-z])|\w+\([^)]*TestCase\b)"),
        constructors=frozenset({"__init__"}),
        upper_constants=True,
        recovery=(
            by_line("function", rb"(?:async[ \t]+)?def[ \t]+(?P<name>\w+)[ \t]*[(\[]", INDENT_END),
            by_line("class", rb"class[ \t]+(?P<name>\w+)[ \t]*[(:\[]", INDENT_END),
        ),
    ),
)
