"""Style sheets: selectors and keyframes as keys, variables, and what SCSS and Less add to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._facts import DocStyle, Found, Language
from ._statements import ASIDE, LINE_ASIDE, statements

_HELD = rb"\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|(?i:url)\([^)\"'\n]*+\)|[#@]\{[^}\n]*\}|\\."
_CSS = re.compile(ASIDE + rb"|" + _HELD + rb"|(?P<mark>[{};])", re.S)
_SCSS = re.compile(LINE_ASIDE + rb"|" + _HELD + rb"|(?P<mark>[{};])", re.S)

_HEAD = re.compile(rb"\s*+(?P<at>@[\w-]+)?\s*+")
_SELECTOR = re.compile(rb"(?!\s)(?:[^,(\[\s]|\((?:[^()]|\([^()]*\))*+\)|\[[^\]]*\]|[ \t\r\n]+(?=[^\s,])|[(\[])++")
_NAMED = re.compile(rb"[\w-]+")
_VARIABLE = re.compile(rb"\s*+(?P<name>(?:--|\$|@)[\w-]+)\s*+:")
_STEP = re.compile(rb"[\d.]+%|from\Z|to\Z|&", re.I)

_AT_KINDS = {
    b"@keyframes": "key",
    b"@-webkit-keyframes": "key",
    b"@-moz-keyframes": "key",
    b"@mixin": "function",
    b"@function": "function",
}
"""Blocks whose name is a symbol; other at-rules only hold rules."""


def css(data: bytes) -> Iterator[Found]:
    """Yield the selectors of all rules, one for each of a list, named blocks, and custom properties."""
    return _rules(data, _CSS)


def scss(data: bytes) -> Iterator[Found]:
    """Yield the same of a style sheet with line comments, `$` or `@` variables, mixins and functions."""
    return _rules(data, _SCSS)


def _rules(data: bytes, token: re.Pattern[bytes]) -> Iterator[Found]:
    open_: list[list[Found]] = []
    for mark, start, end in statements(data, token):
        if mark == b"{":
            open_.append(_block(data, start, end))
        else:
            if variable := _VARIABLE.match(data, start, end):
                yield Found("variable", variable.start("name"), end, *variable.span("name"))
            if mark == b"}" and open_:
                yield from (found._replace(end=end + 1) for found in open_.pop())
    while open_:
        yield from (found._replace(end=len(data)) for found in open_.pop())


def _block(data: bytes, start: int, end: int) -> list[Found]:
    """Return what a block stands for whose head lies between two offsets, still without its end."""
    head = _HEAD.match(data, start, end)
    assert head is not None  # it matches nothing, too
    at, first = head["at"], head.end()
    if at:
        kind = _AT_KINDS.get(at.lower())
        name = _NAMED.match(data, first, end)
        return [Found(kind, head.start("at"), end, *name.span(), end)] if kind and name else []
    names = [found.span() for found in _SELECTOR.finditer(data, first, end)]
    return [Found("key", first, end, *span, end) for span in names if not _STEP.match(data, *span)]


_DOC = DocStyle(blocks=(b"/**", b"/*"), module_blocks=(b"/**", b"/*!", b"/*"))

ROWS = (
    Language(id="css", extensions=(".css", ".pcss", ".postcss"), doc=_DOC, scan=css),
    Language(
        id="scss",
        extensions=(".scss", ".less", ".sass"),
        doc=DocStyle(blocks=_DOC.blocks, lines=(b"///", b"//"), module_blocks=_DOC.module_blocks, module_lines=(b"//",)),
        scan=scss,
    ),
)
