"""TypeScript: old-style casts parse only as `.ts`, JSX only as `.tsx`, so there are two grammars."""

from __future__ import annotations

import re

from ._facts import Language, by_line
from .javascript import DECLARATORS, DECORATOR, ECMASCRIPT_DOC, ECMASCRIPT_RECOVERY

_RECOVERY = tuple(
    by_line(
        kind, rb"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:const[ \t]+)?" + word + rb"[ \t]+(?P<name>[\w$]+)\b"
    )
    for kind, word in (("interface", b"interface"), ("enum", b"enum"), ("namespace", b"namespace"), ("type_alias", b"type"))
)


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
    )


ROWS = (
    _row("typescript", (".ts", ".mts", ".cts"), ("ts-node", "tsx")),
    _row("tsx", (".tsx",)),
)
