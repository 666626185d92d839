"""TypeScript: old-style casts parse only as `.ts`, JSX only as `.tsx`, so there are two grammars."""

from __future__ import annotations

import re

from ._facts import BRACE_END, Language, Recovery
from .javascript import DECLARATOR_PREFIX, DECORATOR, ECMASCRIPT_DOC, ECMASCRIPT_RECOVERY

_START = rb"^(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:const[ \t]+)?"
_RECOVERY = tuple(
    Recovery(kind=kind, pattern=re.compile(_START + word + rb"[ \t]+(?P<name>[\w$]+)\b", re.M), end=BRACE_END)
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
        prefix=DECLARATOR_PREFIX,
        visibility="export",
        modifiers=((re.compile(r"^private\b"), "private"), (re.compile(r"^protected\b"), "protected")),
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
