"""JavaScript, with and without JSX; the grammar reads both."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line

_EXPORT = rb"(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?"

ECMASCRIPT_RECOVERY = (
    by_line("function", _EXPORT + rb"(?:async[ \t]+)?function[ \t]*\*?[ \t]*(?P<name>[\w$]+)[ \t]*[(<]"),
    by_line("class", _EXPORT + rb"class[ \t]+(?P<name>[\w$]+)\b"),
    by_line(
        "function", _EXPORT + rb"const[ \t]+(?P<name>[\w$]+)[^=\n]*=[ \t]*(?:async[ \t]*)?(?:\([^\n]*\)|[\w$]+)[^=\n]*=>"
    ),
)

ECMASCRIPT_DOC = DocStyle(blocks=(b"/**", b"/*"), lines=(b"//",), module_blocks=(b"/**",))
DECLARATORS = (b"const", b"let", b"var")
DECORATOR = re.compile(rb"\s*@\s*(?P<name>[\w.$]+)(?:[ \t]*\((?:[^()]|\((?:[^()]|\([^()]*\))*+\))*+\))?")


def _row(id_: str, extensions: tuple[str, ...], interpreters: tuple[str, ...] = ()) -> Language:
    return Language(
        id=id_,
        grammar="javascript",
        queries=("ecmascript.scm", "javascript.scm"),
        extensions=extensions,
        interpreters=interpreters,
        doc=ECMASCRIPT_DOC,
        decorator=DECORATOR,
        prefix_words=DECLARATORS,
        visibility="export",
        constructors=frozenset({"constructor"}),
        name_strip=(b'"', b"'"),
        harmless_errors="(string (ERROR) @error)",
        recovery=ECMASCRIPT_RECOVERY,
    )


ROWS = (
    _row("javascript", (".js", ".mjs", ".cjs", ".es6", ".jsm"), ("node", "nodejs", "bun", "deno")),
    _row("jsx", (".jsx",)),
)
