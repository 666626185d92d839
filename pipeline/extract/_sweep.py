"""Turn sorted matches into symbols: one pass with a stack, that knows who owns what by ranges alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from ..facts import SymbolFact
from ..languages import Language
from ._docs import doc_of, trailing, trailing_doc
from ._heads import decorators, signature, visibility
from ._limits import Limits
from ._names import bare_name, join, owner_path
from ._patterns import ROLES
from ._query import Item

__all__ = ["sweep"]

_CALLABLE = frozenset({"function", "method", "constructor", "macro"})
_TYPES = frozenset("class struct record interface trait enum union annotation object extension protocol scope".split())
"""Owners that make a function a method; `scope` is an owner that is no symbol."""

_MODULES = frozenset({"module", "namespace"})

_LOCAL = frozenset({"variable", "constant", "field", "property", "prototype", "member"})
"""Kinds that are no symbols inside a function."""

_OF_BODIES = frozenset({"variable", "prototype"})
"""Kinds that are local in the head of a function too."""

_MEMBERS = frozenset({"member", "field"})
"""Kinds that are no symbols without an owner."""

_PREFIX = 24
"""Bytes in which the words before a declarator are looked for."""

_MARKS = b"@#["
"""Bytes with which decorators begin, in any language."""

_BETWEEN = re.compile(rb"\s*+(?:(?://[^\n]*+|#[^\n]*+|/\*(?:[^*]|\*(?!/))*+\*/)\s*+)*+")


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


class _Wrap(NamedTuple):
    """A node around a declaration that belongs to it."""

    start: int
    end: int
    owner: _Owner | None
    is_decorated: bool


class _Draft(NamedTuple):
    """A symbol before its lines are known; fields in the order of SymbolFact, `start` to `name_start` in place of lines."""

    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    start: int
    end: int
    name_start: int
    body_start: int
    parent: int
    is_test: bool
    visibility: str
    decorators: tuple[str, ...]


def sweep(data: bytes, items: list[Item], row: Language, limits: Limits) -> tuple[SymbolFact, ...]:
    """Return the symbols of sorted items, ordered by (start, -end), parents before their children."""
    if not items:
        return ()
    return _finished(data, _Sweep(data, row, limits).run(items))


class _Sweep:
    """The state of the pass over one file's items."""

    def __init__(self, data: bytes, row: Language, limits: Limits) -> None:
        self._data, self._row, self._limits = data, row, limits
        self._exports = row.visibility == "export" and b"export " in data
        self._owners: list[_Owner] = []
        self._wraps: list[_Wrap] = []
        self._attribute = (-1, -1)
        self._trailing = trailing(row.doc)
        self._by_name: dict[str, int] = {}
        self._drafts: list[_Draft] = []

    def run(self, items: list[Item]) -> list[_Draft]:
        """Return the drafts in the order of the items."""
        owners, wraps, size = self._owners, self._wraps, len(self._data)
        for item in items:
            start, end, kind = item.start, min(-item.minus_end, size), item.kind
            while owners and owners[-1].end <= start:
                owners.pop()
            while wraps and wraps[-1].end <= start:
                wraps.pop()
            owner = None
            for candidate in reversed(owners):
                if candidate.end < end:
                    continue
                if candidate.body <= start or (kind in _OF_BODIES and candidate.kind in _CALLABLE):
                    owner = candidate  # also of what a head declares: parameters in the style before ANSI C
                    break
            if kind in ROLES:
                self._play(item, start, end, owner)
            elif kind not in _MEMBERS if owner is None else kind not in _LOCAL or owner.kind not in _CALLABLE:
                self._symbol(item, start, end, owner)
        return self._drafts

    def _play(self, item: Item, start: int, end: int, owner: _Owner | None) -> None:
        """Take note of an item that is no symbol but tells about those after it."""
        if item.kind == "scope" or (item.kind == "package" and item.body >= 0):
            self._owners.append(self._scope(item, end, owner))
        elif item.kind == "package" and item.body < 0:
            self._owners[:] = [self._scope(item, len(self._data) + 1, None)]
        elif item.kind == "access":
            if owner is not None:
                owner.access = next(
                    (w for w in ("private", "protected") if self._data.startswith(w.encode(), start)), "public"
                )
        elif item.kind == "attribute":
            first, last = self._attribute
            self._attribute = (first if last >= 0 and self._is_blank(last, start) else start, end)
        else:
            self._wraps.append(_Wrap(start, end, owner, item.kind == "decorated"))

    def _scope(self, item: Item, end: int, owner: _Owner | None) -> _Owner:
        """Return the owner that a block of members stands for: a type, one that implements a trait, or a mere module."""
        text = self._data[item.name_start : item.name_end].decode("utf-8", "replace") if item.name_start >= 0 else ""
        path = owner_path(text, self._row.path_separator)
        above = owner.qualified if owner is not None else ""
        index = self._by_name.get(join(above, path), -1) if path else -1
        return _Owner(
            end=end,
            body=item.body if item.body >= 0 else item.start,
            kind="module" if not path or item.kind == "package" else "trait" if item.owner_start >= 0 else "scope",
            name=path.rpartition(".")[2],
            qualified=join(above, path) if path else above,
            index=index,
            is_test=owner is not None and owner.is_test,
            visibility=self._drafts[index].visibility if index >= 0 else "public",
        )

    def _is_blank(self, start: int, end: int) -> bool:
        return start <= end and _BETWEEN.fullmatch(self._data, start, end) is not None

    def _outer(self, start: int, owner: _Owner | None) -> tuple[int, int]:
        """Return where the declaration starts with all that belongs to it, and where its signature may start."""
        outer = head = start
        words = self._row.prefix_words
        if words:
            before = self._data[max(0, start - _PREFIX) : start]
            bare = before.rstrip()
            if bare.endswith(words) and len(bare) < len(before):
                word = next(w for w in words if bare.endswith(w))
                outer = head = start - len(before) + len(bare) - len(word)
        while self._wraps and self._wraps[-1].owner is owner:
            wrap = self._wraps.pop()  # the first declaration in it takes it, no second one does
            outer = min(outer, wrap.start)
            head = head if wrap.is_decorated else outer
        first, last = self._attribute
        if last >= 0:
            if last <= outer and self._is_blank(last, outer):
                outer = first
            self._attribute = (-1, -1)
        return outer, head

    def _symbol(self, item: Item, start: int, end: int, owner: _Owner | None) -> None:
        data, row, limits = self._data, self._row, self._limits
        name, name_start, path = bare_name(data, item, row)
        if not name or name == "_":
            return
        outer = head = start
        if self._wraps or self._attribute[1] >= 0 or row.prefix_words:
            outer, head = self._outer(start, owner)
        names: tuple[str, ...] = ()
        after = outer
        if row.decorator is not None and data[outer] in _MARKS:
            names, after = decorators(data, outer, item.name_start, row.decorator)
            head = max(head, after)
        if data[end - 1] in b"\r\n":
            end = max(start + 1, start + len(data[start:end].rstrip(b"\r\n")))
        body = item.body if item.body >= 0 else end
        line = signature(data, head, body if body > name_start else end, limits.max_signature)
        above = owner.qualified if owner is not None else ""
        qualified = join(above, f"{path}.{name}" if path else name) if above or path else name
        kind = self._kind(item.kind, name, owner, path)
        is_test = (
            (owner is not None and owner.is_test)
            or (row.test_head is not None and row.test_head.search(line) is not None)
            or (names != () and row.test_decorator is not None and row.test_decorator.search(data, outer, after) is not None)
        )
        visible = self._visibility(name, line, kind, owner)
        doc = self._doc(item, outer, start, end)
        parent = self._by_name.get(join(above, path), -1) if path else owner.index if owner is not None else -1
        index = len(self._drafts)
        self._by_name.setdefault(qualified, index)
        self._drafts.append(
            _Draft(kind, name, qualified, line, doc, outer, end, name_start, body, parent, is_test, visible, names)
        )
        if item.body >= 0:
            self._owners.append(_Owner(end, body, kind, name, qualified, index, is_test, visible))

    def _kind(self, kind: str, name: str, owner: _Owner | None, path: str) -> str:
        """Return the final kind: owners make functions methods, and names make constructors and constants."""
        row = self._row
        if kind in ("function", "method", "prototype", "member"):
            holder = owner.name if owner is not None and owner.kind in _TYPES else ""
            if path:
                holder = (
                    ""
                    if self._is_module(join(owner.qualified if owner is not None else "", path))
                    else path.rpartition(".")[2]
                )
            if holder and (name in row.constructors or (row.constructor_like_owner and name == holder)):
                return "constructor"
            is_method = holder or (kind in ("method", "member") and (owner is None or owner.kind not in _MODULES))
            return "method" if is_method else "function"
        if kind == "enum_member" and owner is None:
            return "constant"
        if kind == "variable" and row.upper_constants and name.isupper():
            return "constant"
        return kind

    def _visibility(self, name: str, head: str, kind: str, owner: _Owner | None) -> str:
        if owner is None:
            return visibility(self._row, name, head, "", "public", self._exports)
        if owner.kind in _CALLABLE and kind != "method":
            return "private"
        return owner.access or visibility(self._row, name, head, owner.kind, owner.visibility, self._exports)

    def _doc(self, item: Item, outer: int, start: int, end: int) -> str:
        """Return the doc comment: in the body, above, between attributes and declaration, or after it on the same line."""
        style, limit = self._row.doc, self._limits.max_doc
        doc = doc_of(self._data, outer, item.body, style, limit)
        if not doc and outer != start:
            doc = doc_of(self._data, start, -1, style, limit)
        return doc or (trailing_doc(self._data, end, self._trailing, limit) if item.body < 0 else "")

    def _is_module(self, qualified: str) -> bool:
        index = self._by_name.get(qualified, -1)
        return index >= 0 and self._drafts[index].kind in _MODULES


def _finished(data: bytes, drafts: list[_Draft]) -> tuple[SymbolFact, ...]:
    """Sort by (start, -end), parents first, renumber the parents, and give lines to offsets."""
    keys = [(draft.start, -draft.end) for draft in drafts]
    if any(a > b for a, b in pairwise(keys)):
        order = sorted(range(len(drafts)), key=lambda i: (*keys[i], i))
        place = {old: new for new, old in enumerate(order)}
        moved = [drafts[old] for old in order]
        drafts = [d._replace(parent=p if (p := place.get(d.parent, -1)) < new else -1) for new, d in enumerate(moved)]
    lines = _lines(data, {offset for d in drafts for offset in (d.start, d.end - 1, d.name_start)})
    facts = []
    for d in drafts:
        start, end, name = d.start, d.end, d.name_start
        facts.append(SymbolFact(*d[:5], lines[start], lines[end - 1], lines[name], start, end, *d[8:]))
    return tuple(facts)


def _lines(data: bytes, offsets: set[int]) -> dict[int, int]:
    """Return the line, from 1, of each offset; one pass over the text."""
    lines, line, at = {}, 1, 0
    for offset in sorted(offsets):
        line += data.count(b"\n", at, offset)
        lines[offset] = line
        at = offset
    return lines
