"""What is collected of one file, and the making of a definition."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

import numpy as np
from tree_sitter import Node

from ...facts import SymbolFact
from ..facts import Base, Definition, FileReferences, Import, Reference, Scope
from ._patterns import binding_kinds, grammar
from .chains import Chains
from .languages import LANGUAGES

__all__ = ["Captures", "State"]

Captures = dict[str, list[Node]]

_LONGEST_HEADER = 8192
_LONGEST_TYPE = 400  # bytes of a declared type; longer ones are inline structures that name no class
_INFERRED = frozenset({"var", "auto", "val", "let"})


class State:
    """The lists that a sweep fills."""

    def __init__(self, source: bytes, language: str, symbols: Sequence[SymbolFact]) -> None:
        self._symbols = symbols
        self._places: dict[tuple[int, str], int] = {}
        for number, symbol in enumerate(symbols):
            self._places.setdefault((symbol.name_line, symbol.name), number)
        spec = LANGUAGES[language]
        self._source = source
        self._spec = spec
        self._language = language
        self._chains = Chains(source, spec.chains, spec.grammar, grammar(spec.grammar))
        self._newlines = _newlines(source)
        self._patterned, self._recorded, self._inside = binding_kinds(language)
        self._composed = self._patterned | self._recorded | self._inside
        self._scopes: list[Scope] = []
        self._definitions: list[Definition] = []
        self._imports: list[Import] = []
        self._references: list[Reference] = []
        self._bases: list[Base] = []
        self._declared: set[int] = set()
        self._taken: set[int] = set()
        self._ends: dict[int, tuple[int, str]] = {}
        self._called: set[tuple[int, int]] = set()
        self._outer: set[tuple[int, str]] = set()
        self._scope = 0

    def _facts(self) -> FileReferences:
        return FileReferences(
            language=self._language,
            scopes=tuple(self._scopes),
            definitions=tuple(self._definitions),
            imports=tuple(self._imports),
            references=tuple(self._references),
            bases=tuple(self._bases),
        )

    def _read_header(self) -> None:
        head = self._source[:_LONGEST_HEADER]
        found = re.search(self._spec.header, head)
        if found:
            condition = found.group(1).decode("utf-8", "replace").strip()
            self._imports.append(
                Import(0, "build", condition, "", "", head.count(b"\n", 0, found.start()) + 1, found.start())
            )

    def _define(
        self,
        node: Node,
        *,
        scope: int,
        kind: str,
        name: str = "",
        type_: str = "",
        value: str = "",
        inner: int = -1,
        flags: str = "",
        arity: int = -1,
        owner: str = "",
        after: int = 0,
    ) -> None:
        """Add a definition; it counts from byte `after` on: in `x = x.next()` the name on the right is the older one."""
        start = node.start_byte
        text = name or self._chains.text(node).strip("\"'")
        line = bisect_left(self._newlines, start) + 1
        symbol = self._places.get((line, text), -1)
        if symbol >= 0 and self._symbols[symbol].is_test:
            flags = f"{flags} is_test".strip()
        byte = max(start, after)
        self._definitions.append(Definition(scope, text, kind, line, byte, type_, value, inner, flags, arity, owner, symbol))

    def _define_plainly(self, start: int, scope: int, kind: str, name: str, type_: str, value: str, after: int) -> None:
        """Add the definition of a name at a byte that opens no scope."""
        line = bisect_left(self._newlines, start) + 1
        symbol = self._places.get((line, name), -1)
        flags = "is_test" if symbol >= 0 and self._symbols[symbol].is_test else ""
        byte = start if start > after else after
        row = (scope, name, kind, line, byte, type_, value, -1, flags, -1, "", symbol)
        self._definitions.append(tuple.__new__(Definition, row))

    def _type_text(self, captures: Captures) -> str:
        nodes = captures.get("type")
        if not nodes:
            return ""
        start, end = nodes[0].start_byte, nodes[0].end_byte
        if end - start > _LONGEST_TYPE:
            return ""
        text = self._chains.cut(start, end)
        return "" if text in _INFERRED else text

    def _enclosing_class(self, scope: int) -> int:
        while scope > 0 and self._scopes[scope].kind not in ("class", "object"):
            scope = self._scopes[scope].parent
        return scope


def _newlines(source: bytes) -> list[int]:
    """Return the offsets of all newlines, in order."""
    offsets: list[int] = np.flatnonzero(np.frombuffer(source, dtype=np.uint8) == 10).tolist()
    return offsets
