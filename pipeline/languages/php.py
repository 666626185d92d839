"""PHP, in HTML or on its own."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MODIFIERS = rb"(?:(?:abstract|final|readonly)[ \t]+)*"

ROWS = (
    Language(
        id="php",
        grammar="php",
        extensions=(".php", ".phtml", ".php5", ".phpt"),
        interpreters=("php",),
        doc=DocStyle(lines=(b"//", b"#"), blocks=(b"/**", b"/*"), module_blocks=(b"/**",)),
        decorator=re.compile(rb"\s*+#\[\s*\\?(?P<name>[\w\\]+)(?:[^\[\]]|\[[^\[\]]*\])*+\]"),
        visibility="modifier",
        modifier=re.compile(r"^[^(={]*?\b(?:(?P<public>public)|(?P<protected>protected)|(?P<private>private))\b"),
        default_visibility="public",
        test_decorator=re.compile(rb"#\[\s*\\?(?:[\w\\]+\\)?Test\b"),
        test_head=re.compile(r"\bclass \w+ extends \S*TestCase\b"),
        constructors=frozenset({"__construct"}),
        path_separator=b"\\",
        recovery=tuple(
            by_line(word.decode(), _MODIFIERS + word + rb"[ \t]+&?(?P<name>\w+)")
            for word in (b"class", b"interface", b"trait", b"enum", b"function")
        ),
    ),
)
