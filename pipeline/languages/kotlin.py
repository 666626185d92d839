"""Kotlin."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MODIFIERS = (
    rb"(?:@\w+(?:\([^)\n]*\))?[ \t]+)*(?:(?:public|protected|private|internal|abstract|final|open|sealed|data|inline|value|"
    rb"expect|actual|annotation|suspend|operator|infix|tailrec|external|override|const|lateinit|enum)[ \t]+)*"
)
_RECOVERED = (("class", rb"class"), ("interface", rb"(?:fun[ \t]+)?interface"), ("object", rb"object"))

ROWS = (
    Language(
        id="kotlin",
        grammar="kotlin",
        extensions=(".kt", ".kts"),
        interpreters=("kotlin", "kotlinc"),
        doc=DocStyle(blocks=(b"/**", b"/*"), lines=(b"//",)),
        decorator=re.compile(
            rb"\s*+(?://[^\n]*+\s*+)*+@(?:\w+:)?(?P<name>[\w.]+)(?:\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*+\"|\([^()]*\))*+\))?"
        ),
        visibility="modifier",
        modifier=re.compile(
            r"^[^(={]*?\b(?:(?P<public>public)|(?P<protected>protected)|(?P<private>private)|(?P<internal>internal))\b"
        ),
        default_visibility="public",
        test_decorator=re.compile(rb"@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest)\b"),
        name_strip=(b"`",),
        harmless_errors="(class_body (ERROR . (function_declaration)) @error)",  # a function without body before `}`
        recovery=(
            *(by_line(kind, _MODIFIERS + word + rb"[ \t]+(?P<name>\w+)") for kind, word in _RECOVERED),
            by_line("function", _MODIFIERS + rb"fun[ \t]+(?!interface\b)(?:<[^>\n]*>[ \t]*)?(?:[\w.<>?]+\.)?(?P<name>\w+)"),
        ),
    ),
)
