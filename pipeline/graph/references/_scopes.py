"""Scopes: the functions, classes and other regions of a file, each with the definition that names it."""

from __future__ import annotations

from bisect import bisect_left

from tree_sitter import Node

from ..facts import Definition, Scope
from ._patterns import Pattern
from ._state import Captures, State
from .chains import plain_path

__all__ = ["Scopes"]

_BODIES = frozenset({"namespace", "object"})
_PLAIN = frozenset({"", "member", "test"})
_LONGEST_FLAG = 40
_FUNCTIONS = frozenset({"function", "method", "constructor"})
_CLASSES = frozenset({"class", "struct", "interface", "trait", "enum", "record", "union", "object", "protocol"})
_RECOVERED = {role: Pattern(role, "", "", "", "", "", "", "") for role in ("function", "class")}

_Span = tuple[int, int]
_Found = tuple[Pattern, Captures | int]
"""A scope by its captures, or by the position of the symbol that a light scan found."""


class Scopes(State):
    """Opens the scopes."""

    def _open_scopes(self, root: Node, found: list[tuple[Pattern, Captures]]) -> None:
        """Make the scopes in the order of their bytes, and a definition for each that has a name."""
        merged: dict[_Span, tuple[Pattern, Captures]] = {}
        for pattern, captures in found:
            node = captures["node"][0]
            key = (node.start_byte, -node.end_byte)
            old = merged.get(key)
            if old is None:
                merged[key] = (pattern, captures)
            elif pattern.kind == "test":
                merged[key] = (pattern, _merge(captures, old[1]))
            else:
                named = "name" not in old[1] and "name" in captures
                merged[key] = (pattern if named else old[0], _merge(old[1], captures))
        recovered = self._unseen(merged) if root.has_error else []
        self._scopes.append(Scope("file", -1, -1, 0, max(root.end_byte, len(self._source)) + 1))
        stack = [0]
        spans: list[tuple[_Span, _Found]] = [*merged.items(), *recovered]
        for (start, negative_end), (pattern, what) in sorted(spans, key=lambda item: item[0]):
            while self._scopes[stack[-1]].end <= start:
                stack.pop()
            position = len(self._scopes)
            if isinstance(what, int):
                definition = self._recover(what, stack[-1], position)
            else:
                definition = self._name_scope(pattern, what, stack[-1], position)
            kind = pattern.kind if pattern.kind in _BODIES else pattern.role
            self._scopes.append(Scope(kind, stack[-1], definition, start, -negative_end))
            stack.append(position)

    def _unseen(self, merged: dict[_Span, tuple[Pattern, Captures]]) -> list[tuple[_Span, _Found]]:
        """Return the callable and class symbols that no scope has: those found by the light scan after a parse error."""
        known = {bisect_left(self._newlines, c["name"][0].start_byte) + 1 for _, c in merged.values() if "name" in c}
        known |= self._declared
        found: list[tuple[_Span, _Found]] = []
        for number, symbol in enumerate(self._symbols):
            role = "function" if symbol.kind in _FUNCTIONS else "class" if symbol.kind in _CLASSES else ""
            if role and symbol.name_line not in known:
                found.append(((symbol.start_byte, -symbol.end_byte), (_RECOVERED[role], number)))
        return found

    def _name_scope(self, pattern: Pattern, captures: Captures, parent: int, position: int) -> int:
        if "qualified" in captures:
            return self._name_qualified(captures, parent, position)
        names = captures.get("name")
        if not names:
            if pattern.kind == "anonymous":
                self._define(
                    captures["node"][0], scope=parent, kind="anonymous", name="<anonymous>", inner=position, owner="?"
                )
                return len(self._definitions) - 1
            return -1
        owner = captures.get("owner")
        flags = captures.get("flag", [])
        node = names[0]
        if pattern.kind == "impl":
            self._define(node, scope=parent, kind="impl", inner=position, owner="?")
            return len(self._definitions) - 1
        self._taken.add(node.start_byte)
        loose = pattern.kind == "member" and self._scopes[parent].kind in ("function", "lambda", "file")
        self._define(
            node,
            scope=parent,
            kind=pattern.role if pattern.kind in _PLAIN else pattern.kind,
            type_=self._type_text(captures),
            inner=position,
            flags=" ".join(dict.fromkeys(filter(None, map(self._flag, flags)))),
            arity=self._arity(captures["params"][0]) if "params" in captures else -1,
            owner=self._chains.text(owner[0]) if owner else "?" if loose else self._receiver(captures),
        )
        return len(self._definitions) - 1

    def _name_qualified(self, captures: Captures, parent: int, position: int) -> int:
        """Define a function that is written outside of its class: `A::f` is `f` of `A`."""
        node = captures["qualified"][0]
        head, _, name = self._chains.text(node).rpartition("::")
        self._define(
            node,
            scope=parent,
            kind="function",
            name=name.strip(),
            type_=self._type_text(captures),
            inner=position,
            flags=" ".join(filter(None, map(self._flag, captures.get("flag", [])))),
            arity=self._arity(captures["params"][0]) if "params" in captures else -1,
            owner=plain_path(head) or "?",
        )
        return len(self._definitions) - 1

    def _receiver(self, captures: Captures) -> str:
        """Return the mark and the type of what an extension is for, or nothing."""
        receiver = captures.get("receiver")
        return "@:" + self._chains.text(receiver[0]) if receiver else ""

    def _recover(self, number: int, parent: int, position: int) -> int:
        symbol = self._symbols[number]
        kind = "function" if symbol.kind in _FUNCTIONS else "class"
        self._definitions.append(
            Definition(parent, symbol.name, kind, symbol.name_line, symbol.start_byte, "", "", position, "", -1, "", number)
        )
        return len(self._definitions) - 1

    def _arity(self, parameters: Node) -> int:
        if not self._spec.grouped:
            return parameters.named_child_count
        return sum(max(1, len(p.children_by_field_name("name"))) for p in parameters.named_children)

    def _flag(self, node: Node) -> str:
        """A decorator becomes `@` and its chain, any other modifier stays as it is written."""
        if node.type != "decorator":
            return self._chains.text(node)[:_LONGEST_FLAG] if not node.is_named or node.named_child_count == 0 else ""
        inner = node.named_child(0)
        chain = self._chains.of(inner) if inner is not None else ""
        return "@" + chain.replace(" ", "") if chain else ""


def _merge(into: Captures, more: Captures) -> Captures:
    for name, nodes in more.items():
        into[name] = into[name] + nodes if name == "flag" and name in into else into.get(name) or nodes
    return into
