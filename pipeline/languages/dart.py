"""Dart."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_MODIFIERS = rb"(?:(?:abstract|base|final|interface|sealed|mixin)[ \t]+)*"

ROWS = (
    Language(
        id="dart",
        grammar="dart",
        extensions=(".dart",),
        interpreters=("dart",),
        doc=DocStyle(lines=(b"///", b"//"), blocks=(b"/**", b"/*")),
        decorator=re.compile(rb"\s*+(?://[^\n]*+\s*+)*+@(?P<name>[\w.]+)(?:\((?:[^()]|\([^()]*\))*+\))?"),
        prefix_words=(b"const", b"final", b"external"),
        visibility="underscore",
        recovery=tuple(
            by_line(kind, _MODIFIERS + word + rb"[ \t]+(?P<name>\w+)")
            for kind, word in (("class", b"class"), ("enum", b"enum"), ("extension", b"extension"), ("trait", b"mixin"))
        ),
    ),
)
