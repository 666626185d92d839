"""OCaml: implementations and interfaces."""

from __future__ import annotations

from ._facts import INDENT_END, DocStyle, Language, by_line

_WORDS = (b"let rec", b"let", b"and", b"type", b"module type", b"module", b"class", b"exception")
_DOC = DocStyle(blocks=(b"(**", b"(*"), block_end=b"*)")
_RECOVERY = (
    by_line("function", rb"(?:let(?:[ \t]+rec)?|val|external)[ \t]+(?P<name>[a-z_][\w']*)", INDENT_END),
    by_line("module", rb"module[ \t]+(?:rec[ \t]+)?(?P<name>[A-Z][\w']*)", INDENT_END),
    by_line("type", rb"type[ \t]+(?:[^=\n]*[ \t])?(?P<name>[a-z_][\w']*)(?=[ \t]*(?:=|$))", INDENT_END),
)

ROWS = (
    Language(
        id="ocaml",
        grammar="ocaml",
        queries=("ocaml.scm", "ocaml_interface.scm"),
        extensions=(".ml",),
        interpreters=("ocaml",),
        doc=_DOC,
        prefix_words=_WORDS,
        recovery=_RECOVERY,
    ),
    Language(
        id="ocaml_interface",
        grammar="ocaml_interface",
        extensions=(".mli",),
        doc=_DOC,
        prefix_words=_WORDS,
        recovery=_RECOVERY,
    ),
)
