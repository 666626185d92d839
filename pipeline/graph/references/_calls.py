"""Uses of names: calls with their chains, names that are handed on, types, decorators and bases."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from tree_sitter import Node

from ..facts import Base, Reference
from ._bindings import Bindings
from ._patterns import Pattern
from ._state import Captures
from .chains import extend

__all__ = ["Call", "Uses"]

Call = tuple[int, int, str, int]
"""Start and end of what is called, its chain, the number of arguments or -1."""

_LONGEST_CHAIN = 400
_LONGEST_NAME = 120
_REST = re.compile(rb"\s*!?\??\.\s*(#?[A-Za-z_$][\w$]*)")
_PATH = re.compile(rb"(?:[A-Za-z_]\w*\s*(?:\.|::)\s*)+\Z")
_BASE = re.compile(r"[.(\[~@%^]")
_LOCAL = frozenset({"parameter", "variable"})
_CALLABLE = frozenset({"function", "lambda"})


class Uses(Bindings):
    """Adds references to the scope of the sweep."""

    def _call(self, captures: Captures) -> Call:
        """Return (start, end, chain, arguments); matches come innermost first, so a fluent line extends its last chain."""
        arguments = captures.get("args")
        if "method" in captures:
            return self._method_call(captures, arguments)
        callee = captures["callee"][0]
        start, end = callee.start_byte, callee.end_byte
        known = self._ends.get(start)
        if known is None or known[0] >= end:
            chain = self._chains.between(callee, start, end)
        elif rest := _REST.fullmatch(self._source, known[0], end):
            chain = known[1] and f"{known[1]}.{rest.group(1).decode('utf-8', 'replace')}"
        else:
            chain = self._chains.between(callee, start, end)
        if chain[-1:] == "~":
            chain = chain[:-1]
        if not arguments:
            return start, end, chain, -1
        given = arguments[0]
        if len(chain) < _LONGEST_CHAIN and chain not in self._chains.made:
            self._ends[start] = (given.end_byte, chain and extend(chain, "()"))
        return start, end, chain, given.named_child_count

    def _token_call(self, captures: Captures) -> list[Call]:
        """Return the call, if any, that a name and brackets are in a macro's arguments; its path is the text before it."""
        callee, arguments = captures["callee"][0], captures["args"][0]
        source = self._source
        if source[arguments.start_byte : arguments.start_byte + 1] != b"(" or callee.end_byte != arguments.start_byte:
            return []
        start = callee.start_byte
        head = source[max(0, start - _LONGEST_NAME) : start]
        if head.rstrip().endswith((b".", b":")) and (before := _PATH.search(head)):
            start += before.start() - len(head)
        if start and source[start - 1 : start] in (b")", b"]", b"?", b".", b":"):
            return [(start, callee.end_byte, "", -1)]
        text = source[start : callee.end_byte].decode("utf-8", "replace").replace("::", ".")
        return [(start, callee.end_byte, text, -1)]

    def _method_call(self, captures: Captures, arguments: list[Node] | None) -> Call:
        """Return the same for a grammar that writes object and method apart."""
        method = captures["method"][0]
        name = self._chains.text(method)
        start, end = method.start_byte, method.end_byte
        if "target" in captures:
            target = captures["target"][0]
            start = target.start_byte
            known = self._ends.get(start)
            chain = known[1] if known is not None and known[0] == target.end_byte else self._chains.of(target)
            name = extend(chain, "." + name) if chain else ""
        if not arguments:
            return start, end, name, -1
        if len(name) < _LONGEST_CHAIN:
            self._ends[start] = (arguments[0].end_byte, name and extend(name, "()"))
        return start, end, name, arguments[0].named_child_count

    def _add_calls(self, calls: list[Call], starts: list[int], inside: list[int]) -> None:
        """Add the calls, equal ones of a scope once; not where a name is bound anew in between."""
        rebound = _repeated((d[0], d[1]) for d in self._definitions)
        first: dict[tuple[int, str, int], list[int]] = {}
        newlines, references = self._newlines, self._references
        for start, end, chain, arity in calls:
            scope = inside[bisect_right(starts, start) - 1]
            key = (scope, chain, arity)
            known = first.get(key)
            if known is None:
                first[key] = [start, end, 1]
            elif not rebound or (scope, _BASE.split(chain, 1)[0]) not in rebound:
                known[2] += 1
            else:
                references.append(Reference(scope, "call", chain, arity, bisect_left(newlines, end) + 1, start))
        new = tuple.__new__
        for (scope, chain, arity), (start, end, count) in first.items():
            references.append(new(Reference, (scope, "call", chain, arity, bisect_left(newlines, end) + 1, start, count)))

    def _refer(self, kind: str, node: Node, chain: str, arity: int) -> None:
        line = bisect_left(self._newlines, node.start_byte) + 1
        self._references.append(Reference(self._scope, kind, chain, arity, line, node.start_byte))

    def _values(self, found: list[tuple[Pattern, list[Node]]], starts: list[int], inside: list[int]) -> None:
        """Keep the types that are named and the names that are handed on, once a scope; not those of local variables."""
        scopes, chains, new = self._scopes, self._chains, tuple.__new__
        local = {d[1] for d in self._definitions if d[2] in _LOCAL and scopes[d[0]][0] in _CALLABLE}
        seen: set[tuple[int, str]] = set()
        bare: list[tuple[int, str, Node]] = []
        for pattern, nodes in found:
            role, kind = pattern[:2]
            for node in nodes:
                start, end = node.start_byte, node.end_byte
                text = chains.cut(start, end)
                if len(text) > _LONGEST_NAME or (text in local and not kind):
                    continue
                key = (inside[bisect_right(starts, start) - 1], text)
                if kind == "call":
                    bare.append((*key, node))
                elif key not in seen:
                    seen.add(key)
                    chain = text if role == "type" or text.isidentifier() else chains.between(node, start, end)
                    if chain:
                        line = bisect_left(self._newlines, start) + 1
                        self._references.append(new(Reference, (key[0], kind or role, chain, -1, line, start, 1)))
        self._bare_calls(bare)

    def _bare_calls(self, found: list[tuple[int, str, Node]]) -> None:
        """Add what is a call without brackets, where it is no local variable, equal ones of a scope once."""
        scopes = self._scopes
        local = {(d.scope, d.name) for d in self._definitions if d.kind in _LOCAL}
        first: dict[tuple[int, str], tuple[Node, int]] = {}
        for scope, name, node in found:
            at = scope
            while (at, name) not in local and scopes[at].kind == "lambda":
                at = scopes[at].parent
            if (at, name) not in local and (node.start_byte, node.end_byte) not in self._called:
                name = name if name.isidentifier() else self._chains.of(node)
                node, count = first.get((scope, name), (node, 0))
                first[(scope, name)] = node, count + 1
        for (scope, name), (node, count) in first.items():
            line = bisect_left(self._newlines, node.start_byte) + 1
            self._references.append(Reference(scope, "bare", name, 0, line, node.start_byte, count))

    def _decorator(self, pattern: Pattern, captures: Captures) -> None:
        node = captures["value"][0]
        chain = self._chains.of(node)
        if chain:
            self._refer("decorator", node, chain.removesuffix("()"), -1)

    def _base(self, pattern: Pattern, captures: Captures) -> None:
        relation = pattern.kind or "extends"
        for node in captures["value"]:
            line = bisect_left(self._newlines, node.start_byte) + 1
            self._bases.append(Base(self._enclosing_class(self._scope), relation, self._chains.text(node), line))


def _repeated(keys: Iterable[tuple[int, str]]) -> set[tuple[int, str]]:
    """Return the keys that come more than once."""
    seen: set[tuple[int, str]] = set()
    again: set[tuple[int, str]] = set()
    for key in keys:
        (again if key in seen else seen).add(key)
    return again
