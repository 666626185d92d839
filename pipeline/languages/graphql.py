"""GraphQL schemas and operations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._facts import DocStyle, Found, Language

_TOKEN = re.compile(
    rb"\"\"\"(?:[^\"\\]|\\.|\"(?!\"\"))*+(?:\"\"\"|\Z)|\"(?:[^\"\\\n]|\\.)*+\"?|#[^\n]*"
    rb"|(?P<open>[{(])|(?P<close>[})])|(?P<mark>[@$]?)(?P<word>[A-Za-z_]\w*)(?P<after>\s*[(:])?|(?P<other>[^\s\"#])",
    re.S,
)
_KINDS = {
    b"type": "struct",
    b"input": "struct",
    b"interface": "interface",
    b"enum": "enum",
    b"union": "union",
    b"scalar": "type_alias",
    b"directive": "annotation",
    b"query": "function",
    b"mutation": "function",
    b"subscription": "function",
    b"fragment": "macro",
}
_FIELDS = {b"type": "field", b"input": "field", b"interface": "field", b"enum": "enum_member"}


class _Reader:
    """The state of one pass: what is open, and where the last token ended that belongs to it."""

    def __init__(self) -> None:
        self.word = b""
        self.start = self.last = 0
        self.extend = -1
        self.definition: Found | None = None
        self.member: Found | None = None
        self.depth = 0

    def end_member(self) -> Iterator[Found]:
        """Yield the field that is open, if one is."""
        if self.member is not None:
            yield self.member._replace(end=self.last)
            self.member = None

    def end(self) -> Iterator[Found]:
        """Yield the field and the definition that are open."""
        yield from self.end_member()
        if self.definition is not None:
            yield self.definition._replace(end=self.last)
        self.definition, self.word = None, b""


def definitions(data: bytes) -> Iterator[Found]:
    """Yield types with their fields or values, directives, named operations and fragments."""
    reader = _Reader()
    for found in _TOKEN.finditer(data):
        if found["word"]:
            yield from _word(reader, found)
        elif found["open"]:
            if reader.depth == 0 and found["open"] == b"{" and reader.definition is not None and reader.definition.body < 0:
                reader.definition = reader.definition._replace(body=found.start())
            reader.depth += 1
        elif found["close"]:
            reader.depth = max(reader.depth - 1, 0)
            if reader.depth == 0 and found["close"] == b"}":
                yield from reader.end_member()
                reader.last = found.end()
                yield from reader.end()
        elif not found["other"]:
            continue  # a description or a comment
        reader.last = found.end()
        if found["after"] and found["after"].endswith(b"("):
            reader.depth += 1
    yield from reader.end()


def _word(reader: _Reader, found: re.Match[bytes]) -> Iterator[Found]:
    word, span = found["word"], found.span("word")
    if reader.depth == 0:
        if reader.word and reader.definition is None and (not found["mark"] or reader.word == b"directive"):
            reader.definition = Found(_KINDS[reader.word], reader.start, found.end(), *span)
        elif not found["mark"] and (word in _KINDS or word in (b"extend", b"schema")):
            yield from reader.end()
            reader.start = reader.extend if reader.extend >= 0 else span[0]
            reader.extend = span[0] if word == b"extend" else -1
            reader.word = word if word in _KINDS else b""
    elif reader.depth == 1 and reader.definition is not None and reader.definition.body >= 0 and not found["mark"]:
        kind = _FIELDS.get(reader.word)
        if kind == "enum_member" or (kind and found["after"]):
            yield from reader.end_member()
            reader.member = Found(kind, span[0], span[1], *span)


ROWS = (
    Language(
        id="graphql",
        extensions=(".graphql", ".gql", ".graphqls"),
        doc=DocStyle(lines=(b"#",), blocks=(b'"""',), block_end=b'"""', module_lines=(b"#",)),
        scan=definitions,
    ),
)
