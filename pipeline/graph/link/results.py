"""What calling a value gives, by what is declared or else by what the body returns."""

from __future__ import annotations

from .classes import Classes
from .values import EXTERNAL, SCOPE, Value

__all__ = ["Results"]


class Results(Classes):
    """Functions, classes and callable objects to their results."""

    def result(self, value: Value, step: str) -> Value:
        """Return what a call of the value gives."""
        if value is None:
            return None
        what: str = value[0]
        if what == "c":
            return ("i", value[1], value[2])
        if what == "f":
            return self._returns(value[1], value[2])
        if what == "r":
            return _known(value[1])
        if what == "u":
            callables = [part for part in value[1] if part[0] in "rfc"] or value[1]
            return self.first([self.result(part, step) for part in callables])
        if what == "w":
            return self.result(value[2], step)
        if what == "e":
            return self.modules.outside_result(value, self.dialect)
        if what == "i":
            underlying = self.underlying(value[1])
            if underlying is not None:
                return self.result(underlying, step)
            if self.dialect.accessors:
                return value
            return self.result(self.member(value, "__call__", SCOPE)[0], step)
        return None

    def _returns(self, d: int, bound: Value) -> Value:
        item = self.world.definitions[d]
        scope = self.world.inner(d)
        if scope < 0:
            scope = self.world.scope_of(d)
        if item.type:
            value = self.type_value(item.type, scope, bound)
            if value is None and bound is not None and self._returns_self(item.type, scope):
                return bound
            if value is None and bound is not None and bound[0] == "i":
                value = self._argument(item.type, bound)
            return self.modules.wrapped_result(item.flags, value)
        if d not in self._returned:
            question = ("result", d)
            if question in self._asked:
                self.modules.cut = True
                return self.modules.wrapped_result(item.flags, None)
            self._asked.add(question)
            self._returned[d] = self._inferred_result(scope) if item.inner >= 0 else None
            self._asked.discard(question)
        return self.modules.wrapped_result(item.flags, self._returned[d])

    def _argument(self, name: str, bound: Value) -> Value:
        """Return the type argument that a bare type parameter of the bound object's class stands for."""
        if not bound or not bound[2]:
            return None
        inner = self.world.inner(bound[1])
        names = self.world.names[inner] if inner >= 0 else {}
        parameters = [n for n, found in names.items() if found[0] >= 0 and self.world.definitions[found[0]].kind == "type"]
        position = parameters.index(name) if name in parameters else len(bound[2])
        return bound[2][position] if position < len(bound[2]) else None

    def _returns_self(self, text: str, scope: int) -> bool:
        first = self.world.first_parameter.get(scope, -1)
        return first >= 0 and self.world.definitions[first].type == text

    def _inferred_result(self, scope: int) -> Value:
        returned = self.first(self._given(scope, "return"))
        if returned is None:
            yielded = self.first(self._given(scope, "yield"))
            return ("e", "Iterator", (yielded,)) if yielded is not None else None
        return returned

    def _given(self, scope: int, how: str) -> list[Value]:
        """Return the values of a function's `return` or `yield` expressions."""
        found = (d for d in self.world.names[scope].get(how, ()) if self.world.definitions[d].kind == "return")
        return [self.chain(scope, self.world.definitions[d].byte, self.world.definitions[d].value)[0] for d in found]

    def underlying(self, d: int) -> Value:
        """Return a value of the type that a named type is made of (`type H map[string]T`), or None."""
        item = self.world.definitions[d]
        return self.type_value(item.type, self.world.scope_of(d)) if item.kind == "class" and item.type else None

    def _part(self, value: Value, position: int) -> Value:
        if self.dialect.pairs and value and value[0] != "t":
            return value if position == 0 else EXTERNAL
        if value and value[0] == "t":
            return value[1][position] if position < len(value[1]) else None
        if value and value[0] == "e" and value[2]:
            named = value[1].rpartition(".")[2].lower() in ("tuple", "pair", "entry")
            return value[2][position] if named and position < len(value[2]) else value[2][-1] if named else EXTERNAL
        return EXTERNAL if value and value[0] == "e" else None


def _known(value: Value) -> Value:
    return value
