"""JavaScript, with and without JSX; the grammar reads both."""

from __future__ import annotations

import re

from ._facts import BRACE_END, DocStyle, Language, Recovery

ECMASCRIPT_RECOVERY = (
    Recovery(
        kind="function",
        pattern=re.compile(
            rb"^(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:async[ \t]+)?function[ \t]*\*?[ \t]*(?P<name>[\w$]+)[ \t]*[(<]", re.M
        ),
        end=BRACE_END,
    ),
    Recovery(
        kind="class",
        pattern=re.compile(rb"^(?:export[ \t]+)?(?:default[ \t]+)?(?:declare[ \t]+)?(?:abstract[ \t]+)?class[ \t]+(?P<name>[\w$]+)\b", re.M),
        end=BRACE_END,
    ),
    Recovery(
        kind="function",
        pattern=re.compile(rb"^(?:export[ \t]+)?const[ \t]+(?P<name>[\w$]+)[^=\n]*=[ \t]*(?:async[ \t]*)?(?:\([^\n]*\)|[\w$]+)[^=\n]*=>", re.M),
        end=BRACE_END,
    ),
)

ECMASCRIPT_DOC = DocStyle(blocks=(b"/**", b"/*"), lines=(b"//",), module_blocks=(b"/**",))
DECLARATOR_PREFIX = re.compile(rb"\b(?:const|let|var)\s+\Z")
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
        prefix=DECLARATOR_PREFIX,
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
