"""Scala 2 and 3."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MODIFIERS = (
    rb"(?:@\w+(?:\([^)\n]*\))?[ \t]+)*"
    rb"(?:(?:(?:private|protected)(?:\[\w+\])?|abstract|final|sealed|implicit|lazy|case|open|inline|transparent|"
    rb"override)[ \t]+)*"
)

ROWS = (
    Language(
        id="scala",
        grammar="scala",
        extensions=(".scala", ".sc", ".sbt"),
        interpreters=("scala", "scala-cli"),
        doc=DocStyle(blocks=(b"/**", b"/*"), lines=(b"//",)),
        decorator=re.compile(
            rb"\s*+(?://[^\n]*+\s*+)*+@(?P<name>[\w.]+)(?:\((?:[^()\"]|\"(?:[^\"\\\n]|\\.)*+\"|\([^()]*\))*+\))?"
        ),
        visibility="modifier",
        modifier=re.compile(r"^[^(={]*?\b(?:(?P<internal>private\[)|(?P<protected>protected)|(?P<private>private))"),
        default_visibility="public",
        test_head=re.compile(r"\bclass \w+.* extends \w*(?:Spec|Suite|Test|FunSuite)\b"),
        constructors=frozenset({"this"}),
        name_strip=(b"`",),
        recovery=tuple(
            by_line(kind, _MODIFIERS + word + rb"[ \t]+(?P<name>\w+)")
            for kind, word in (("class", b"class"), ("object", b"object"), ("trait", b"trait"), ("enum", b"enum"))
        ),
    ),
)
