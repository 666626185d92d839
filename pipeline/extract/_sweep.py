"""Turn sorted matches into symbols: one pass with a stack, that knows who owns what by ranges alone."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np

from ..facts import SymbolFact
from ..languages import Language
from ._docs import doc_of
from ._heads import decorators, signature, visibility
from ._limits import Limits
from ._query import ROLES, Item

__all__ = ["CALLABLE", "TYPES", "Sweep"]

CALLABLE = frozenset({"function", "method", "constructor", "macro"})
TYPES = frozenset("class struct record interface trait enum union annotation object extension protocol scope".split())
"""Owners that make a function a method."""

_LOCAL = frozenset({"variable", "constant", "field", "property", "prototype"})
"""Kinds that are no symbols inside a function."""

_MEMBERS = frozenset({"member", "field"})
"""Kinds that are no symbols without an owner."""

_MAX_QUALIFIED = 400
"""Characters; a deeper path of owners is generated nesting, and its length would grow with the square of the depth."""

_PREFIX = 40
"""Bytes in which the words before a declarator are looked for."""

_BETWEEN = re.compile(rb"\s*(?:(?://[^\n]*|#[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/)\s*)*+")
_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]|\([^()]*\)")


@dataclass(slots=True)
class _Owner:
    """A declaration that may own those after it; mutable because it lives on a stack only."""

    end: int
    body: int
    kind: str
    name: str
    qualified: str
    index: int
    is_test: bool
    visibility: str
    access: str = ""


class Sweep:
    """The pass over one file's items."""

    def __init__(self, data: bytes, row: Language, limits: Limits) -> None:
        self._data, self._row, self._limits = data, row, limits
        self._newlines: list[int] = np.flatnonzero(np.frombuffer(data, dtype=np.uint8) == 10).tolist()
        self._exports = row.visibility == "export" and b"export " in data
        self._owners: list[_Owner] = []
        self._wraps: list[tuple[int, int, _Owner | None, bool]] = []
        self._attribute = (-1, -1)
        self._by_name: dict[str, int] = {}
        self.symbols: list[SymbolFact] = []

    def run(self, items: list[Item]) -> list[SymbolFact]:
        """Return the symbols of the items, ordered by (start, -end), parents before children."""
        for item in items:
            self._add(item)
        return _ordered(self.symbols)

    def line(self, offset: int) -> int:
        """Return the line, from 1, of the byte at `offset`."""
        return bisect_left(self._newlines, offset) + 1

    def _add(self, item: Item) -> None:
        start, end = item.start, -item.minus_end
        owners = self._owners
        while owners and owners[-1].end <= start:
            owners.pop()
        while self._wraps and self._wraps[-1][1] <= start:
            self._wraps.pop()
        owner = next((o for o in reversed(owners) if o.body <= start and end <= o.end), None)
        if item.kind in ROLES:
            self._play(item, start, end, owner)
        elif _is_symbol(item.kind, owner):
            self._symbol(item, start, end, owner)

    def _play(self, item: Item, start: int, end: int, owner: _Owner | None) -> None:
        if item.kind == "scope":
            self._owners.append(self._scope(item, end, owner))
        elif item.kind == "access":
            if owner is not None:
                owner.access = next((w for w in ("private", "protected") if self._data.startswith(w.encode(), start)), "public")
        elif item.kind == "attribute":
            first, last = self._attribute
            joined = last >= 0 and self._blank(last, start)
            self._attribute = (first if joined else start, end)
        else:
            self._wraps.append((start, end, owner, item.kind == "decorated"))

    def _scope(self, item: Item, end: int, owner: _Owner | None) -> _Owner:
        """Return the owner that a block of members stands for: a type, one that implements a trait, or a mere module."""
        path = _owner_path(self._text(item.name_start, item.name_end), self._row.path_separator.decode()) if item.name_start >= 0 else ""
        index = self._by_name.get(_join(owner, path), -1) if path else -1
        return _Owner(
            end=end,
            body=item.body if item.body >= 0 else item.start,
            kind="module" if not path else "trait" if item.owner_start >= 0 else "scope",
            name=path.rpartition(".")[2],
            qualified=_join(owner, path) if path else owner.qualified if owner else "",
            index=index,
            is_test=owner is not None and owner.is_test,
            visibility=self.symbols[index].visibility if index >= 0 else "public",
        )

    def _blank(self, start: int, end: int) -> bool:
        return start <= end and _BETWEEN.fullmatch(self._data, start, end) is not None

    def _text(self, start: int, end: int) -> str:
        return self._data[start:end].decode("utf-8", "replace")

    def _outer(self, start: int, owner: _Owner | None) -> tuple[int, int]:
        """Return where the declaration starts with all that belongs to it, and where its signature starts at the earliest."""
        outer = head = self._prefixed(start)
        while self._wraps and self._wraps[-1][2] is owner:
            wrap_start, _, _, decorated = self._wraps.pop()  # the first declaration in it takes it, no second one does
            outer = min(outer, wrap_start)
            head = head if decorated else outer
        first, last = self._attribute
        if last >= 0 and last <= outer and self._blank(last, outer):
            outer = first
        return outer, head

    def _prefixed(self, start: int) -> int:
        """Return where the words begin that belong to the declaration but stand before its node."""
        prefix = self._row.prefix
        found = prefix.search(self._data, max(0, start - _PREFIX), start) if prefix else None
        return found.start() if found else start

    def _symbol(self, item: Item, start: int, end: int, owner: _Owner | None) -> None:
        data, row, limits = self._data, self._row, self._limits
        name, name_start, path = self._name(item)
        if not name or name == "_":
            return
        outer, head = self._outer(start, owner)
        while end > start and data[end - 1] in b"\r\n":
            end -= 1
        body = item.body if item.body >= 0 else end
        names, after = decorators(data, outer, item.name_start, row) if row.decorator else ((), outer)
        head = max(head, after) if after <= item.name_start else head
        line = signature(data, head, body if body > name_start else end, limits.max_signature)
        qualified = _join(owner, f"{path}.{name}" if path else name)
        kind = self._kind(item.kind, name, owner, path)
        is_test = (owner is not None and owner.is_test) or bool(
            (names and row.test_decorator and row.test_decorator.search(data, outer, after)) or (row.test_head and row.test_head.search(line))
        )
        visible = (owner.access if owner is not None else "") or visibility(row, name, line, owner.kind if owner else "", owner.visibility if owner else "public", self._exports)
        doc = doc_of(data, outer, item.body, row.doc, limits.max_doc)
        if not doc and outer != start:
            doc = doc_of(data, start, -1, row.doc, limits.max_doc)
        parent = self._by_name.get(_join(owner, path), -1) if path else owner.index if owner else -1
        index = len(self.symbols)
        self._by_name.setdefault(qualified, index)
        self.symbols.append(
            SymbolFact(kind, name, qualified, line, doc, self.line(outer), self.line(end - 1), self.line(name_start),
                       outer, end, body, parent, is_test, visible, names)
        )
        if item.body >= 0:
            self._owners.append(_Owner(end, item.body, kind, name, qualified, index, is_test, visible))

    def _name(self, item: Item) -> tuple[str, int, str]:
        """Return the bare name, its offset, and the path of the owner that the declaration names itself."""
        start, end = item.name_start, item.name_end
        separator = self._row.path_separator
        path = ""
        if item.owner_start >= 0:
            path = _owner_path(self._text(item.owner_start, item.owner_end), separator.decode() or ".")
        elif separator and separator in self._data[start:end] and self._data[start : start + 1] not in (b'"', b"'"):
            cut = _last_separator(self._data[start:end], separator)
            if cut >= 0:
                path = _owner_path(self._text(start, start + cut), separator.decode())
                start += cut + len(separator)
        for prefix in self._row.name_strip:
            if self._data.startswith(prefix, start) and end - start > len(prefix):
                start += len(prefix)
                end -= len(prefix) if self._data[start:end].endswith(prefix) else 0
        if self._row.name_pattern is not None:
            found = self._row.name_pattern.match(self._data, start, end)
            end = found.end() if found else end
        return " ".join(self._text(start, end).split()), start, path

    def _kind(self, kind: str, name: str, owner: _Owner | None, path: str) -> str:
        row = self._row
        if kind == "member":
            return "method"
        if kind == "enum_member":
            return kind if owner is not None else "constant"
        if kind in ("function", "method", "prototype"):
            holder = path.rpartition(".")[2] if path else owner.name if owner is not None and owner.kind in TYPES else ""
            if path and self._is_module(_join(owner, path)):
                holder = ""
            if holder and (name in row.constructors or (row.constructor_like_owner and name == holder)):
                return "constructor"
            return "method" if holder or kind == "method" else "function"
        if kind == "variable" and row.upper_constants and name.isupper():
            return "constant"
        return kind

    def _is_module(self, qualified: str) -> bool:
        index = self._by_name.get(qualified, -1)
        return index >= 0 and self.symbols[index].kind in ("namespace", "module")


def _is_symbol(kind: str, owner: _Owner | None) -> bool:
    """Say whether a declaration of this kind counts where it stands: locals do not, and members need an owner."""
    if owner is None:
        return kind not in _MEMBERS
    return owner.kind not in CALLABLE or not (kind in _LOCAL or kind in _MEMBERS)


def _join(owner: _Owner | None, name: str) -> str:
    joined = f"{owner.qualified}.{name}" if owner is not None and owner.qualified else name
    return joined if len(joined) <= _MAX_QUALIFIED else name


def _owner_path(text: str, separator: str) -> str:
    """Return the owner that `text` names, without type arguments, pointers and blanks, joined by dots."""
    before = None
    while before != text:
        before, text = text, _ARGUMENTS.sub("", text)
    parts = text.replace(separator, ".").split(".") if separator else text.split(".")
    words = [part.split()[-1].strip("*&?") for part in parts if part.strip()]
    return ".".join(word for word in words if word)


def _last_separator(name: bytes, separator: bytes) -> int:
    """Return the offset of the last separator outside brackets, -1 if none; an operator's own `<` ends the search."""
    depth, at, last = 0, 0, -1
    while at < len(name):
        if name.startswith(b"operator", at) and depth == 0:
            break
        if name[at] in b"<[(":
            depth += 1
        elif name[at] in b">])":
            depth -= 1
        elif depth == 0 and name.startswith(separator, at):
            last = at
            at += len(separator) - 1
        at += 1
    return last


def _ordered(symbols: list[SymbolFact]) -> list[SymbolFact]:
    """Sort by (start, -end, line of the name), parents first, and renumber the parents."""
    keys = [(s.start_byte, -s.end_byte, i) for i, s in enumerate(symbols)]
    order = sorted(range(len(symbols)), key=keys.__getitem__)
    if all(a == b for a, b in enumerate(order)):
        return symbols
    place = {old: new for new, old in enumerate(order)}
    place[-1] = -1
    moved = [symbols[old] for old in order]
    return [s._replace(parent=place[s.parent] if place[s.parent] < i else -1) for i, s in enumerate(moved)]
