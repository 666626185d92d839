"""Java."""

from __future__ import annotations

import re

from ._facts import BRACE_END, DocStyle, Language, Recovery

_MODIFIERS = rb"^(?:@\w+(?:\([^)\n]*\))?[ \t]+)*(?:(?:public|protected|private|abstract|final|static|sealed|non-sealed|strictfp)[ \t]+)*"

ROWS = (
    Language(
        id="java",
        grammar="java",
        extensions=(".java",),
        doc=DocStyle(blocks=(b"/**", b"/*"), lines=(b"//",), module_blocks=(b"/**",)),
        decorator=re.compile(
            rb"\s*(?:/\*(?:[^*]|\*(?!/))*+\*/\s*|//[^\n]*\s*)*@(?!interface\b)(?P<name>[\w.]+)"
            rb"(?:\s*\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*+\"|\((?:[^()]|\([^()]*\))*+\))*+\))?"
        ),
        visibility="modifier",
        modifiers=tuple((re.compile(rf"\b{word}\b"), word) for word in ("public", "protected", "private")),
        default_visibility="internal",
        open_owners=frozenset({"interface", "annotation"}),
        test_decorator=re.compile(rb"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b"),
        test_head=re.compile(r"\bclass \w+ extends \w*TestCase\b"),
        recovery=tuple(
            Recovery(kind=kind, pattern=re.compile(_MODIFIERS + word + rb"[ \t]+(?P<name>\w+)", re.M), end=BRACE_END)
            for kind, word in (("class", b"class"), ("interface", b"interface"), ("enum", b"enum"), ("record", b"record"))
        ),
    ),
)
