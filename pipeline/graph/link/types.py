"""Read the text of a declared type into a small tree, by the family of its syntax.

A tree is a tuple: `("name", text, arguments)`, `("union", parts)`, `("tuple", parts)`, `("function", result)` or
`("typeof", chain)`. Text that names nothing is `UNKNOWN`. Trees are values; reading is memoised by family and text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

__all__ = ["UNKNOWN", "TypeTree", "read_type"]

TypeTree = tuple[Any, ...]
UNKNOWN: TypeTree = ("name", "", ())

_DEEPEST = 24
_TOKEN = re.compile(
    r"""\s+|'(?=[a-z_]+\b(?!'))[a-z_]+|"[^"]*"|'[^']*'|=>|->|::|\.\.\.|\\?[A-Za-z_$][\w$]*(?:\\\w+)*|\d+|.""",
    re.DOTALL,
)
_SKIPPED = frozenset(
    "readonly mut dyn impl const final volatile struct enum union class static unsigned signed ref out in params "
    "extends super unique abstract typename restrict inline extern register async unsafe for where".split()
)
_OPAQUE = frozenset({"keyof", "infer", "asserts"})


@lru_cache(maxsize=65536)
def read_type(family: str, text: str) -> TypeTree:
    """Return the tree of `text`; `family` is `python`, `angle` (generics in <>) or `go`."""
    parts = [t for t in _TOKEN.findall(text) if not t.isspace()]
    reader = _Reader(family, parts)
    return reader.go(0) if family == "go" else reader.union(0)


class _Reader:
    """A recursive descent over tokens that never fails: what it cannot read is UNKNOWN."""

    def __init__(self, family: str, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._square = family == "python"
        self._family = family

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        self._at += 1
        return token

    def _accept(self, token: str) -> bool:
        if self._peek() == token:
            self._at += 1
            return True
        return False

    def union(self, depth: int) -> TypeTree:
        if depth > _DEEPEST:
            self._at = len(self._tokens)
            return UNKNOWN
        self._accept("|")
        parts = [self._postfix(depth)]
        while self._peek() in ("|", "&", "+"):
            self._take()
            parts.append(self._postfix(depth))
        if self._peek() in ("extends", "is", "super"):
            self._take()
            return self.union(depth + 1)
        known = tuple(p for p in parts if p != UNKNOWN)
        return known[0] if len(known) == 1 else ("union", known) if known else UNKNOWN

    def _postfix(self, depth: int) -> TypeTree:
        tree = self._primary(depth)
        while True:
            if self._peek() == "[" and not self._square:
                self._take()
                if self._accept("]"):
                    tree = ("name", "[]", (tree,))
                else:
                    self._close("[", "]")
                    tree = UNKNOWN
            elif self._peek() == "..." and tree != UNKNOWN:
                self._take()
                tree = ("name", "[]", (tree,))
            elif self._peek() in ("*", "&&", "?", "!", "const") or (self._peek() == "&" and self._ends_after()):
                self._take()
            else:
                return tree

    def _ends_after(self) -> bool:
        return self._at + 1 >= len(self._tokens) or self._tokens[self._at + 1] in (",", ">", ")", "&")

    def _primary(self, depth: int) -> TypeTree:
        token = self._take()
        if token == "static" and self._peek() in ("", "|"):
            return ("name", token, ())
        while token in _SKIPPED or token in ("&", "*", "?", "@", "~") or (token[:1] == "'" and token[-1:] != "'"):
            if token == "?" and self._peek() in (",", ">", ""):
                return UNKNOWN
            token = self._take()
        if token == "typeof":
            return ("typeof", self._dotted(self._take()))
        if token in _OPAQUE:
            self._primary(depth + 1)
            return UNKNOWN
        if token in ("new", "fn", "func", "fun"):
            token = self._take()
        if token == "(":
            return self._parenthesis(depth)
        if token == "[":
            return self._bracket(depth)
        if token == "{":
            self._close("{", "}")
            return UNKNOWN
        if token and token[0] in "\"'":
            return read_type("python", token[1:-1]) if self._square and len(token) > 2 else ("name", "string", ())
        if not (token[:1].isalpha() or token[:1] in "_$\\"):
            return UNKNOWN
        return self._named(token, depth)

    def _dotted(self, name: str) -> str:
        while self._peek() in (".", "::"):
            self._take()
            if self._peek() in ("<", "["):
                break
            name += "." + self._take()
        return name

    def _named(self, token: str, depth: int) -> TypeTree:
        name = self._dotted(token)
        arguments: list[TypeTree] = []
        opener, closer = ("[", "]") if self._square else ("<", ">")
        if self._accept(opener):
            arguments = self._list(closer, depth)
            name = self._dotted(name)
        elif self._peek() == "(" and self._family == "angle" and name in ("Fn", "FnMut", "FnOnce"):
            self._take()
            self._list(")", depth)
            return ("function", self.union(depth + 1) if self._accept("->") else UNKNOWN)
        return ("name", name, tuple(arguments))

    def _list(self, closer: str, depth: int) -> list[TypeTree]:
        found: list[TypeTree] = []
        while self._at < len(self._tokens) and not self._accept(closer):
            before = self._at
            found.append(self.union(depth + 1))
            if self._peek() == "=":
                self._take()
                found[-1] = self.union(depth + 1)
            if not self._accept(",") and self._peek() != closer:
                self._at = max(self._at, before)
                if self._peek() == ":":
                    self._take()
                    found[-1] = self.union(depth + 1)
                    self._accept(",")
                elif self._at < len(self._tokens):
                    self._at += 1
        return found

    def _parenthesis(self, depth: int) -> TypeTree:
        parts = self._list(")", depth)
        if self._peek() in ("=>", "->"):
            self._take()
            return ("function", self.union(depth + 1))
        return parts[0] if len(parts) == 1 else ("tuple", tuple(parts))

    def _bracket(self, depth: int) -> TypeTree:
        parts = self._list("]", depth)
        if self._square:
            return ("tuple", tuple(parts))
        rust = self._family == "angle" and len(parts) == 1
        return ("name", "[]", (parts[0],)) if rust else ("tuple", tuple(parts))

    def _close(self, opener: str, closer: str) -> None:
        level = 1
        while level and self._at < len(self._tokens):
            token = self._take()
            level += (token == opener) - (token == closer)

    def go(self, depth: int) -> TypeTree:
        """Read a Go type: pointers vanish, slices, arrays and channels keep their element, maps key and value."""
        token = self._take()
        while token in ("*", "...", "<", "-", "~"):
            if token == "...":
                return ("name", "[]", (self.go(depth + 1),))
            token = self._take()
        if depth > _DEEPEST or not token:
            return UNKNOWN
        if token == "[":
            self._close("[", "]")
            return ("name", "[]", (self.go(depth + 1),))
        if token == "map" and self._accept("["):
            key = self.go(depth + 1)
            self._accept("]")
            return ("name", "map", (key, self.go(depth + 1)))
        if token == "chan":
            self._accept("<")
            self._accept("-")
            return ("name", "[]", (self.go(depth + 1),))
        if token == "func":
            self._accept("(")
            self._close("(", ")")
            return ("function", self.go(depth + 1) if self._peek() not in ("", ",", ")") else UNKNOWN)
        if token == "(":
            return self._results(depth)
        if token in ("struct", "interface") or not (token[0].isalpha() or token[0] == "_"):
            self._close("{", "}") if self._accept("{") else None
            return UNKNOWN
        name = self._dotted(token)
        arguments = []
        if self._accept("["):
            while self._at < len(self._tokens) and not self._accept("]"):
                arguments.append(self.go(depth + 1))
                self._accept(",")
        return ("name", name, tuple(arguments))

    def _results(self, depth: int) -> TypeTree:
        """Read a result list; in `(n int, err error)` and `(a, b T)` a name may come before the type."""
        parts: list[TypeTree] = []
        waiting = 0
        while self._at < len(self._tokens) and not self._accept(")"):
            tree = self.go(depth + 1)
            if self._peek() not in (",", ")", ""):
                tree = self.go(depth + 1)
                parts[len(parts) - waiting :] = [tree] * waiting
                waiting = -1
            parts.append(tree)
            waiting += 1
            self._accept(",")
        return parts[0] if len(parts) == 1 else ("tuple", tuple(parts))
