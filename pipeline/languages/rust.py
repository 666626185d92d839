"""Rust."""

from __future__ import annotations

import re

from ._facts import DocStyle, Language, by_line
from ._scan import blank, matching_brace

_ITEM = (
    rb"(?:pub(?:[ \t]*\([^)\n]*\))?[ \t]+)?(?:default[ \t]+)?(?:const[ \t]+)?(?:async[ \t]+)?(?:unsafe[ \t]+)?"
    rb"(?:extern[ \t]+\"[^\"\n]*\"[ \t]+)?"
)
_NOISE = rb"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*+\*/|#!?\[[^\]\n]*\])*+"
_BLOCK_MACRO = re.compile(
    rb"^[ \t]*(?P<open>(?:\w+::)*\w+![ \t]*\{)"
    + _NOISE
    + rb"(?:(?P<arm>if[ \t]+#\[)|"
    + _ITEM
    + rb"(?:fn|struct|enum|union|trait|impl|mod|use|type|macro_rules!)\b)",
    re.M,
)
_ARM = re.compile(rb"(?:else[ \t]+)?if[ \t]+#\[[^\n]*\][ \t]*\{|else[ \t]*\{")


def open_macros(data: bytes) -> bytes | None:
    """Blank out macros that merely wrap items, `cfg_rt! { pub fn spawn() {} }`, so that the items can be parsed.

    Of `cfg_if!` the conditions go as well. Returns text of the same length, None if there is no such macro.
    """
    if b"! {" not in data and b"!{" not in data:
        return None
    out: bytearray | None = None
    for found in _BLOCK_MACRO.finditer(data):
        start, opened = found.span("open")
        closed = matching_brace(data, opened - 1)
        if closed < 0:
            continue
        out = bytearray(data) if out is None else out
        blank(out, start, opened)
        blank(out, closed, closed + 1)
        if found["arm"]:
            _open_arms(data, out, opened, closed)
    return bytes(out) if out is not None else None


def _open_arms(data: bytes, out: bytearray, start: int, end: int) -> None:
    at = start
    while found := _ARM.search(data, at, end):
        closed = matching_brace(data, found.end() - 1)
        if not 0 <= closed < end:
            return
        blank(out, found.start(), found.end())
        blank(out, closed, closed + 1)
        at = closed + 1


_RECOVERED = (("function", b"fn"), ("struct", b"struct"), ("enum", b"enum"), ("trait", b"trait"), ("module", b"mod"))

ROWS = (
    Language(
        id="rust",
        grammar="rust",
        extensions=(".rs",),
        interpreters=("rust-script",),
        doc=DocStyle(lines=(b"///", b"//"), blocks=(b"/**",), module_lines=(b"//!",), module_blocks=(b"/*!",)),
        decorator=re.compile(
            rb"\s*+(?://[^\n]*+\s*+)*+#\[\s*(?P<name>[\w:]+)(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*+\])*+\]"
        ),
        visibility="modifier",
        modifier=re.compile(r"^(?:(?P<internal>pub ?\()|(?P<public>pub\b|macro_rules!))"),
        default_visibility="private",
        test_decorator=re.compile(
            rb"#\[\s*(?:(?:\w+::)*(?:test|bench|rstest|test_case|quickcheck|wasm_bindgen_test)\b|cfg\s*\(\s*(?:all\s*\(\s*)?test\b)"
        ),
        path_separator=b"::",
        name_strip=(b"r#",),
        expand=open_macros,
        recovery=(
            *(by_line(kind, _ITEM + word + rb"[ \t]+(?P<name>\w+)") for kind, word in _RECOVERED),
            by_line("macro", rb"macro_rules![ \t]*(?P<name>\w+)"),
        ),
    ),
)
