"""TypeScript: old-style casts parse only as `.ts`, JSX only as `.tsx`, so there are two grammars."""

from __future__ import annotations

import re

from ._facts import Language, by_line
from ._scan import blank_groups
from .javascript import DECLARATORS, DECORATOR, ECMASCRIPT_DOC, ECMASCRIPT_RECOVERY

_START = rb"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:const[ \t]+)?"
_RECOVERED = (("interface", b"interface"), ("enum", b"enum"), ("namespace", b"namespace"), ("type_alias", b"type"))
_RECOVERY = tuple(by_line(kind, _START + word + rb"[ \t]+(?P<name>[\w$]+)\b") for kind, word in _RECOVERED)

_UNKNOWN = (
    # interface Box<out T>
    re.compile(rb"(?<=[<,])(?:\s|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+(?P<word>in[ \t]+out|in|out)[ \t]+(?=[A-Za-z_$])"),
    # export type * from "x"
    re.compile(rb"^export[ \t]+(?P<word>type)[ \t]+(?=\*)", re.M),
    # readonly import("x").T[]
    re.compile(rb"\b(?P<readonly>readonly[ \t]+)?(?P<word>import\([ \t]*[\"'][^\"'\n]*[\"'][ \t]*\)\.)(?=[A-Z])"),
    # static accessor x = 1
    re.compile(rb"\b(?P<word>accessor)[ \t]+(?=[\w$#\[])"),
)
"""Notation that the grammar does not know yet."""

_GENERIC_CALL = re.compile(rb"^[ \t]+(?=<[A-Za-z_$\n\r])", re.M)
_END_OF_MEMBER = re.compile(rb"[\w\])>}'\"$]\s*+(?:(?://[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)\s*+)*+\Z")
_LOOK_BACK = 400


def repair_types(data: bytes) -> bytes | None:
    """Blank out notation that the grammar does not know, and end the members that a generic call signature follows.

    The grammar reads a line that begins with `<` as a continuation of the line before. None if nothing changed.
    """
    out = bytearray(blank_groups(data, _UNKNOWN))
    for found in _GENERIC_CALL.finditer(data):
        start, end = found.span()
        if _END_OF_MEMBER.search(data, max(0, start - _LOOK_BACK), start):
            out[end - 1 : end] = b";"
    return bytes(out) if out != data else None


def _row(id_: str, extensions: tuple[str, ...], interpreters: tuple[str, ...] = ()) -> Language:
    return Language(
        id=id_,
        grammar=id_,
        queries=("ecmascript.scm", "typescript.scm"),
        extensions=extensions,
        interpreters=interpreters,
        doc=ECMASCRIPT_DOC,
        decorator=DECORATOR,
        prefix_words=DECLARATORS,
        visibility="export",
        modifier=re.compile(r"^(?:(?P<private>private)|(?P<protected>protected))\b"),
        constructors=frozenset({"constructor"}),
        path_separator=b".",
        name_strip=(b'"', b"'"),
        harmless_errors="(string (ERROR) @error)",
        recovery=ECMASCRIPT_RECOVERY + _RECOVERY,
        repair=repair_types,
    )


ROWS = (
    _row("typescript", (".ts", ".mts", ".cts"), ("ts-node", "tsx")),
    _row("tsx", (".tsx",)),
)
