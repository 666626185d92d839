"""Java."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MODIFIERS = (
    rb"(?:@\w+(?:\([^)\n]*\))?[ \t]+)*"
    rb"(?:(?:public|protected|private|abstract|final|static|sealed|non-sealed|strictfp)[ \t]+)*"
)

ROWS = (
    Language(
        id="java",
        grammar="java",
        extensions=(".java",),
        doc=DocStyle(blocks=(b"/**", b"/*"), lines=(b"//",), module_blocks=(b"/**",)),
        decorator=re.compile(
            rb"\s*+(?:/\*(?:[^*]|\*(?!/))*+\*/\s*+|//[^\n]*+\s*+)*+@(?!interface\b)(?P<name>[\w.]+)"
            rb"(?:\s*\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*+\"|\((?:[^()]|\([^()]*\))*+\))*+\))?"
        ),
        visibility="modifier",
        modifier=re.compile(r"\b(?:(?P<public>public)|(?P<protected>protected)|(?P<private>private))\b"),
        default_visibility="internal",
        open_owners=frozenset({"interface", "annotation"}),
        test_decorator=re.compile(rb"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b"),
        test_head=re.compile(r"\bclass \w+ extends \w*TestCase\b"),
        recovery=tuple(
            by_line(word.decode(), _MODIFIERS + word + rb"[ \t]+(?P<name>\w+)")
            for word in (b"class", b"interface", b"enum", b"record")
        ),
    ),
)
