"""What a declared type means where it is written."""

from __future__ import annotations

from collections.abc import Iterator

from ._core import DEEPEST, EVERYWHERE, NAME_ALONE, TYPES
from .declared import Declared
from .types import TypeTree, read_type
from .values import SCOPE, Value

__all__ = ["Typed"]


_PENDING: Value = ("pending",)
"""In place of a type that is just being read."""


class Typed(Declared):
    """Texts of types to instances."""

    def type_value(self, text: str, scope: int, bound: Value = None) -> Value:
        """Return an instance of the declared type `text` as written in `scope`."""
        scope = self.world.homes[scope]
        key = (text, scope)
        if bound is None and key in self._types:
            known = self._types[key]
            if known is _PENDING:
                self.modules.cut = True
                return None
            return known
        family = self.world.dialects[self.world.scope_file[scope]].family
        if bound is None:
            self._types[key] = _PENDING
        if self._depth > DEEPEST:
            self.modules.cut = True
            return None
        self._depth += 1
        try:
            value = self._tree_value(read_type(family, text), scope, bound)
        finally:
            self._depth -= 1
        if bound is None:
            self._types[key] = value
        return value

    def _tree_value(self, tree: TypeTree, scope: int, bound: Value) -> Value:
        what = tree[0]
        if what == "name":
            return self._named_type(tree, scope, bound) if tree[1] else None
        if what == "union":
            return self.first([self._tree_value(part, scope, bound) for part in tree[1]])
        if what == "tuple":
            return ("t", tuple(self._tree_value(part, scope, bound) for part in tree[1]))
        if what == "function":
            return ("r", self._tree_value(tree[1], scope, bound))
        return self.chain(scope, EVERYWHERE, tree[1])[0]

    def first(self, values: list[Value]) -> Value:
        """Of a union, keep what is of this corpus; the rest only when there is nothing else."""
        known = [v for v in values if v is not None]
        inside = list(dict.fromkeys(v for v in known if v[0] != "e"))
        if inside:
            return inside[0] if len(inside) == 1 else ("u", tuple(inside))
        named = [v for v in known if v[1] not in ("None", "undefined", "null")]
        return named[0] if named else known[0] if known else None

    def _named_type(self, tree: TypeTree, scope: int, bound: Value) -> Value:
        _, name, arguments = tree
        dialect = self.world.dialects[self.world.scope_file[scope]]
        last = name.rpartition(".")[2]
        if last in dialect.selftype:
            owner = self.modules.this(scope)
            return bound or (("i", owner, ()) if owner >= 0 else None)
        if last in dialect.union:
            return self.first([self._tree_value(a, scope, bound) for a in arguments])
        if last in dialect.unwrap and arguments:
            return self._tree_value(arguments[0], scope, bound)
        if last in dialect.klass and arguments:
            value = self._tree_value(arguments[0], scope, bound)
            return ("c", value[1], ()) if value and value[0] == "i" else value
        value = self._path_value(name, scope)
        inner = tuple(self._tree_value(a, scope, bound) for a in arguments)
        if value is None:
            return None
        if value[0] == "e" and last in dialect.callables and inner:
            return ("r", inner[-1])
        if value[0] == "c":
            return ("i", value[1], inner or value[2])
        return ("e", last, inner) if value[0] == "e" and (inner or not value[2]) else value if value[0] in "er" else None

    def _path_value(self, name: str, scope: int) -> Value:
        """Resolve a dotted type name; one that is nowhere is outside, unless it looks like a type parameter."""
        around = self._views.get(scope)
        key = (name, self._seen_from(scope) if around is None else around)
        value = self._paths.get(key)
        if value is None:
            value = self._resolved_path(name, key[1])
            if value is not None:  # what is unknown within a cycle may be known outside of it
                self._paths[key] = value
        return value

    def _seen_from(self, scope: int) -> int:
        """Return the scope from which types are looked up: around a class whose members are not seen by their names alone."""
        dialect = self.world.dialects[self.world.scope_file[scope]]
        fixed = dialect.class_scope or dialect.class_body or dialect.space
        around = self._views[scope] = scope if fixed else self.beyond_bodies(scope)
        return around

    def _resolved_path(self, name: str, scope: int) -> Value:
        head, *rest = name.split(".")
        found, _ = self.lookup(scope, head, EVERYWHERE, TYPES)
        if not found:
            package = self.modules.package(scope, head)
            if package is not None:
                for part in rest:
                    package = self._type_among(self.members(package, part, SCOPE)[0]) or self.member(package, part, SCOPE)[0]
                return package
            return None if NAME_ALONE.match(head) else ("e", name, ())
        value = self._type_among(found) or self.value_of_any(found)[0]
        for part in rest:
            value = self._type_among(self.members(value, part, SCOPE)[0]) or self.member(value, part, SCOPE)[0]
        return value

    def _type_among(self, found: list[int] | tuple[int, ...]) -> Value:
        """Return the first type behind the names: a constant of the same name is not meant."""
        types = [d for d in self.follow(found) if self.world.definitions[d].kind in TYPES]
        return self.value_of(types[0])[0] if types else None

    def named_base(self, text: str, scope: int) -> Value:
        """Return what the text of a base names, without looking inside wrappers such as `Omit<Base, K>`."""
        family = self.world.dialects[self.world.scope_file[scope]].family
        tree = read_type(family, text)
        if tree[0] != "name" or not tree[1]:
            return None
        value = self._path_value(tree[1], scope)
        found = self.follow(self.lookup(scope, tree[1], EVERYWHERE, TYPES)[0]) if "." not in tree[1] else []
        alias = found and self.world.definitions[found[0]].kind == "type"
        return ("c", found[0], ()) if alias and value else value

    def type_targets(self, text: str, scope: int) -> tuple[int, ...]:
        """Return the definitions of this corpus that a declared type names, arguments included."""
        home = self.world.homes[scope]
        around = self._views.get(home)
        scope = self._seen_from(home) if around is None else around
        key = (text, scope)
        known = self._named_in.get(key)
        if known is None:
            family = self.world.dialects[self.world.scope_file[scope]].family
            found: dict[int, None] = {}
            for name in _names(read_type(family, text)):
                value = self._path_value(name, scope)
                if value is not None and value[0] in "ic":
                    found[value[1]] = None
            known = self._named_in[key] = tuple(found)
        return known


def _names(tree: TypeTree) -> Iterator[str]:
    """Yield the names in a type."""
    what = tree[0]
    if what == "name":
        if tree[1] and tree[1] != "[]":
            yield tree[1]
        for argument in tree[2]:
            yield from _names(argument)
    elif what in ("union", "tuple"):
        for part in tree[1]:
            yield from _names(part)
    elif what == "function":
        yield from _names(tree[1])
