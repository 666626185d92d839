"""Swift."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MODIFIERS = (
    rb"(?:@\w+(?:\([^)\n]*\))?[ \t]+)*"
    rb"(?:(?:open|public|package|internal|fileprivate|private|final|indirect|static|mutating)(?:\(set\))?[ \t]+)*"
)
_RECOVERED = (
    *((word, word.encode()) for word in ("class", "struct", "enum", "protocol", "extension")),
    ("class", b"actor"),
    ("function", b"func"),
)

ROWS = (
    Language(
        id="swift",
        grammar="swift",
        extensions=(".swift",),
        interpreters=("swift",),
        doc=DocStyle(lines=(b"///", b"//"), blocks=(b"/**", b"/*")),
        decorator=re.compile(rb"\s*+(?://[^\n]*+\s*+)*+@(?P<name>[\w.]+)(?:\((?:[^()]|\([^()]*\))*+\))?"),
        visibility="modifier",
        modifier=re.compile(
            r"^[^(={]*?\b(?:(?P<public>public|open)(?!\(set)|(?P<private>(?:file)?private)(?!\(set)|(?P<internal>internal|package))\b"
        ),
        default_visibility="internal",
        open_owners=frozenset({"protocol", "enum"}),
        test_head=re.compile(r"\bclass \w+ ?: ?\w*TestCase\b"),
        name_strip=(b"`",),
        path_separator=b".",
        recovery=tuple(by_line(kind, _MODIFIERS + word + rb"[ \t]+(?P<name>\w+)") for kind, word in _RECOVERED),
    ),
)
