"""SQL of any dialect: what `CREATE` makes.

Statements are found by their words. Grammars know one dialect, and two of three real files are in another; what all of
them share is how comments, strings and `CREATE` look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._facts import DocStyle, Found, Language

_KINDS = {
    b"table": "struct",
    b"view": "struct",
    b"function": "function",
    b"procedure": "function",
    b"proc": "function",
    b"trigger": "function",
    b"event": "function",
    b"index": "key",
    b"type": "struct",
    b"domain": "type_alias",
    b"schema": "namespace",
    b"sequence": "variable",
    b"package": "module",
}
"""The kind of symbol for each kind of object; an enumerated type is an `enum`."""

_BODIES = frozenset(("function", "module"))
"""Kinds whose statement may hold further statements."""

_PART = rb"(?:\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\]|[\w$#@\x80-\xff]+)"
_MODIFIERS = (
    rb"temp|temporary|global|local|unlogged|external|foreign|virtual|materialized|recursive|unique|clustered|nonclustered|"
    rb"fulltext|spatial|bitmap|columnstore|editionable|noneditionable|aggregate|constraint|force|no|secure|transient|volatile|"
    rb"sql[ \t]+security[ \t]+\w+|(?:definer|algorithm)[ \t]*=[ \t]*[^\s]+"
)
_TOKEN = re.compile(
    rb"--[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|'(?:[^'\\]|''|\\.)*+'?|(?P<quoted>\$\w*\$)|(?P<semicolon>;)"
    rb"|^[ \t]*(?P<mark>go|/|delimiter[^\n]*)[ \t]*\r?$"
    rb"|\bcreate\s+(?:or\s+(?:replace|alter)\s+)?(?:(?:" + _MODIFIERS + rb")\s+)*+"
    rb"(?P<what>"
    + b"|".join(sorted(_KINDS, reverse=True))
    + rb")\s+(?:body\s+)?(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?"
    rb"(?!on\b|as\b|is\b)(?:" + _PART + rb"\s*\.\s*)*(?P<name>" + _PART + rb")(?P<enum>\s+as\s+enum\b)?"
    rb"|\b(?P<open>begin(?!\s*(?:;|tran\b|transaction\b|distributed\b|work\b))|case)\b"
    rb"|\bend\b(?!\s+(?:if|loop|while|repeat|for)\b)(?P<close>(?:\s+case\b)?)",
    re.I | re.S | re.M,
)
_TRIMMED = b" \t\r\n"
_MOST_MISSING = 100
"""Dollar quotes without an end after which none is looked for, so that time stays linear."""

_BODY = re.compile(rb"\(|\n")
_ROUTINE_BODY = re.compile(rb"\b(?:as|is|begin|language)\b|\$\w*\$", re.I)
"""Where heads end: at the first parenthesis or line end; of a routine, whose parameters say much, at what it does."""


class _Open:
    """The statement that is being read, and how many blocks of it are open."""

    def __init__(self, found: re.Match[bytes]) -> None:
        what = found["what"].lower()
        self.kind = "enum" if found["enum"] else _KINDS[what]
        self.start = found.start()
        self.name = found.span("name")
        self.end = found.end()
        self.depth = 0

    def found(self, data: bytes, end: int) -> Found:
        """Return the statement, ended before `end`."""
        while end > self.end and data[end - 1] in _TRIMMED:
            end -= 1
        start, after = self.name
        if data[start] in b'"`[':
            start, after = start + 1, after - 1
        body = (_ROUTINE_BODY if self.kind in _BODIES else _BODY).search(data, self.end, end)
        return Found(self.kind, self.start, max(end, self.end), start, after, body.start() if body else -1)


def statements(data: bytes) -> Iterator[Found]:
    """Yield what is created; a routine lasts to the end of its block, at the latest to the next `CREATE` or batch mark."""
    current: _Open | None = None
    at = missing = 0
    while found := _TOKEN.search(data, at):
        at, what = found.end(), found["what"]
        if what or found["mark"]:
            if current is not None:
                yield current.found(data, found.start())
            current = _Open(found) if what else None
        elif (quote := found["quoted"]) and missing < _MOST_MISSING:
            closed = data.find(quote, at)
            at, missing = (closed + len(quote), missing) if closed >= 0 else (at, missing + 1)
        elif current is None:
            continue
        elif found["open"]:
            current.depth += 1
        elif found["close"] is not None:
            current.depth = max(current.depth - 1, 0)
        elif found["semicolon"] and (current.depth == 0 or current.kind not in _BODIES):
            yield current.found(data, found.end())
            current = None
    if current is not None:
        yield current.found(data, len(data))


ROWS = (
    Language(
        id="sql",
        extensions=(".sql", ".ddl", ".pgsql", ".psql", ".plsql", ".pks", ".pkb"),
        doc=DocStyle(lines=(b"--",), blocks=(b"/**", b"/*"), module_lines=(b"--",), module_blocks=(b"/*",)),
        scan=statements,
    ),
)
