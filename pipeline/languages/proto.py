"""Protocol buffers, of both syntaxes and of editions; the grammar knows one syntax and reads a fifth of the speed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._facts import DocStyle, Found, Language
from ._statements import LINE_ASIDE, statements

_TOKEN = re.compile(LINE_ASIDE + rb"|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|(?P<mark>[{};])", re.S)

_BLOCK = re.compile(
    rb"\s*+(?P<all>(?:(?:export|local)\s+)?(?P<word>message|enum|service|oneof|extend)\s+(?P<name>[\w.]+)"
    rb"|(?P<rpc>rpc)\s+(?P<method>\w+)\s*\("
    rb"|(?:(?:optional|repeated|required)\s+)?(?P<group>group)\s+(?P<member>\w+))"
)
_RPC = re.compile(rb"\s*+(?P<all>rpc\s+(?P<name>\w+)\s*\()")
_FIELD = re.compile(
    rb"\s*+(?P<all>(?:(?:optional|required|repeated)\s+)?(?:map\s*<[^>]*>|[\w.]+)\s+(?P<name>\w+)\s*=\s*(?:\d|0x))"
)
_VALUE = re.compile(rb"\s*+(?P<all>(?P<name>\w+)\s*=\s*-?\s*\d)")
_PACKAGE = re.compile(rb"\s*+(?P<all>package\s+(?P<name>[\w.]+))")
_KINDS = {b"message": "message", b"enum": "enum", b"service": "service", b"oneof": "field", b"rpc": "method"}


def definitions(data: bytes) -> Iterator[Found]:
    """Yield messages, enums, services, their members, and the package."""
    open_: list[tuple[bytes, Found | None]] = []
    for mark, start, end in statements(data, _TOKEN):
        around = open_[-1][0] if open_ else b""
        if mark == b"{":
            open_.append(_opened(data, start, end))
        elif mark == b"}":
            if open_ and (found := open_.pop()[1]) is not None:
                yield found._replace(end=end + 1)
        elif rule := _MEMBERS.get(around):
            kind, pattern = rule
            if member := pattern.match(data, start, end):
                yield Found(kind, member.start("all"), end + 1, *member.span("name"))
    for _, found in open_:
        if found is not None:
            yield found._replace(end=len(data))


_MEMBERS = {
    b"": ("namespace", _PACKAGE),
    b"message": ("field", _FIELD),
    b"oneof": ("field", _FIELD),
    b"extend": ("field", _FIELD),
    b"group": ("field", _FIELD),
    b"enum": ("enum_member", _VALUE),
    b"service": ("method", _RPC),
}
"""What the statements inside a kind of block declare."""


def _opened(data: bytes, start: int, end: int) -> tuple[bytes, Found | None]:
    """Return the word of a block and its symbol, still without its end; fields of a oneof are those of the message."""
    block = _BLOCK.match(data, start, end)
    if block is None:
        return b"?", None
    word = block["word"] or block["rpc"] or block["group"]
    span = next(block.span(name) for name in ("name", "method", "member") if block.start(name) >= 0)
    if word == b"extend":
        return word, None
    return word, Found(_KINDS.get(word, "field"), block.start("all"), end, *span, -1 if word == b"oneof" else end)


ROWS = (
    Language(
        id="proto",
        extensions=(".proto",),
        doc=DocStyle(lines=(b"//",), blocks=(b"/**", b"/*"), module_lines=(b"//",), module_blocks=(b"/**", b"/*")),
        scan=definitions,
    ),
)
