"""What a definition or an import is worth: by its declaration, its type, or what it is set to."""

from __future__ import annotations

from ._core import CALLABLES, CLASSES, DEEPEST, GENERATORS, NOTHING, PENDING, Answer
from .names import Names
from .values import CHAIN, FIXTURE, IMPORT, PRIOR, SCOPE, TYPED, Value

__all__ = ["Declared"]


class Declared(Names):
    """Definitions to values."""

    def value_of_any(self, found: list[int] | tuple[int, ...]) -> Answer:
        """Return the value of the first definition that has a known one."""
        first: Answer | None = None
        for d in found:
            answer = (self._imported if d < 0 else self._defined).get(d) or self.value_of(d)
            if answer[0] is not None:
                return answer
            if answer is PENDING:
                self.modules.cut = True
            if first is None:
                first = answer
        return first or NOTHING

    def value_of(self, d: int) -> Answer:
        """Return the value of one definition or import (negative)."""
        memo = self._imported if d < 0 else self._defined
        if d in memo:
            if memo[d] is PENDING:
                self.modules.cut = True
            return memo[d]
        memo[d] = PENDING
        if self._depth > DEEPEST:
            self.modules.cut = True
            return NOTHING
        self._depth += 1
        try:
            memo[d] = self._import_value(d) if d < 0 else self._definition_value(d)
        finally:
            self._depth -= 1
        return memo[d]

    def _import_value(self, mark: int) -> Answer:
        i = self.world.imports[-1 - mark]
        module = self.modules.of_import(mark)
        if i.kind == "export" and not i.module:
            found = self.modules.own_name(mark)
            return self.value_of_any(found)
        if i.kind == "require" and module and module[0] == "m":
            found = self.modules.required(module[1])
            value, rank = self.value_of_any(found)
            if value is not None and value[0] != "e":
                module = value
        if i.name and i.name != "*" and module:
            if module[0] in "ic":
                value, rank = self.member(module, i.name, IMPORT)
                return value, max(rank, IMPORT)
            found = tuple(d for d in self.named(module, i.name) if d != mark)
            if found:
                value, rank = self.value_of_any(found)
                return value, max(rank, IMPORT)
            return self.modules.child(module, i.name), IMPORT
        if module and module[0] == "x":
            return self.value_of_any(module[1])[0], IMPORT
        return module, IMPORT

    def _definition_value(self, d: int) -> Answer:
        item = self.world.definitions[d]
        if item.kind == "constructor":
            return ("c", self.modules.this(self.world.scope_of(d)), ()), SCOPE
        if item.kind in CALLABLES:
            return self._function_value(d), SCOPE
        if item.kind == "namespace":
            space = self.modules.namespace(d)
            if space is not None:
                return space, SCOPE
        if item.kind in CLASSES:
            return ("c", self.modules.joined.get(d, d), ()), SCOPE
        if item.kind in ("object", "anonymous"):
            return ("i", d, ()), SCOPE
        scope = self.world.scope_of(d)
        if item.kind == "type":
            value = self.type_value(item.type, scope)
            return (("c", value[1], value[2]) if value and value[0] == "i" else value), SCOPE
        if item.kind == "parameter" and not item.type:
            return self._parameter_value(d, scope)
        if item.type:
            value = self.type_value(item.type, scope)
            if value is not None:
                return value, TYPED
        if item.value:
            value, rank = self._assigned(d, scope)
            if value is not None and value[0] != "e":
                return value, rank
        if d in self.members_of:
            return ("i", d, ()), SCOPE
        return self._assigned(d, scope) if item.value else NOTHING

    def _assigned(self, d: int, scope: int) -> Answer:
        item = self.world.definitions[d]
        if item.owner.startswith("@"):
            scope = self.world.scope_base[self.world.definition_file[d]] + int(item.owner[1:])
        value, rank = self.chain(scope, item.byte - 1, item.value)
        if item.kind == "fixed":
            return value, rank
        constructed = value is not None and value[0] == "i" and rank <= TYPED
        return value, max(rank, TYPED if constructed or value is None or value[0] != "i" else CHAIN)

    def _function_value(self, d: int) -> Value:
        plain: Value = ("f", d, None)
        flags = self.world.definitions[d].flags
        if "@" not in flags:
            return plain
        scope = self.world.scope_of(d)
        for flag in flags.split():
            if flag.startswith("@") and flag[1:].rpartition(".")[2] not in self.modules.plain_decorators:
                value, _ = self.chain(scope, self.world.definitions[d].byte, flag[1:] + "()")
                if value and value[0] == "u":
                    value = next((v for v in value[1] if v[0] == "i"), None)
                if value and value[0] == "i":
                    return ("w", d, value)
        return plain

    def _parameter_value(self, d: int, scope: int) -> Answer:
        item = self.world.definitions[d]
        dialect = self.world.dialects[self.world.definition_file[d]]
        if dialect.first_parameter and self.world.first_parameter.get(scope) == d:
            in_class = self.world.scopes[self.world.parents[scope]].kind == "class"
            owner = self.modules.this(scope) if in_class else -1
            function = self.world.defines(scope)
            if owner >= 0 and function >= 0:
                flags = self.world.definitions[function].flags.split()
                if "@staticmethod" not in flags:
                    klass = "@classmethod" in flags or self.world.definitions[function].name == "__new__"
                    return ("c" if klass else "i", owner, ()), SCOPE
        if item.value:
            value, rank = self.chain(self.world.parents[scope], item.byte, item.value)
            if value is not None and value[0] != "e":
                return value, max(rank, TYPED)
        return self._guessed_parameter(d, scope)

    def _guessed_parameter(self, d: int, scope: int) -> Answer:
        """Fall back on a fixture of that name for tests, then on the class that the name nearly always has."""
        name = self.world.definitions[d].name
        file = self.world.definition_file[d]
        function = self.world.defines(scope)
        if self.world.dialects[file].test_fixtures and function >= 0:
            fixture = self.modules.fixture(file, name, function)
            if fixture >= 0:
                value = self.result(("f", fixture, None), "")
                if value and value[0] == "e" and value[2] and value[1] in GENERATORS:
                    value = value[2][0]
                return value, FIXTURE
        owner = self.parameter_classes.get((self.world.files[file].repo, self.world.dialects[file].name, name))
        return (("i", owner, ()), PRIOR) if owner is not None else NOTHING
