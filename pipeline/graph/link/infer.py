"""Find what a name, a type or an expression chain stands for; every answer is memoised, every cycle ends as unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ..references.chains import ALTERNATIVE
from .dialects import dialect_of
from .types import TypeTree, read_type
from .values import BASE, CHAIN, EXTERNAL, FIXTURE, IMPORT, PRIOR, SCOPE, TYPED, Value

if TYPE_CHECKING:
    from .modules import Modules
    from .world import World

__all__ = ["Inference"]

_BASE = re.compile(r"`[^`]*`|[^.()\[\]~@%^`]+")
_DEEPEST = 40
_MOST_STEPS = 80
_CALLABLES = frozenset({"function", "method", "constructor", "macro"})
_CLASSES = frozenset({"class", "interface", "enum", "namespace", "struct", "trait"})
_BODIES = frozenset({"class", "object"})
_NAME_ALONE = re.compile(r"[A-Z][A-Z0-9]?$")

_ANY: frozenset[str] = frozenset()
_TYPES = frozenset({"class", "interface", "enum", "type", "namespace", "struct", "trait"})
_CALLED = frozenset({"function", "constructor", "method", "macro"}) | _TYPES
_GENERATORS = frozenset({"Iterator", "Generator", "Iterable", "AsyncIterator", "AsyncGenerator"})

_Key = tuple[int, int | str]
Answer = tuple[Value, int]
_NOTHING: Answer = (None, SCOPE)


class Inference:
    """The linker's questions about one world."""

    def __init__(self, world: World, modules: Modules) -> None:
        self.world = world
        self.modules = modules
        self._defined: dict[int, Answer] = {}
        self._imported: dict[int, Answer] = {}
        self._types: dict[tuple[str, int], Value] = {}
        self._searching: set[tuple[int, str]] = set()
        self._named_in: dict[tuple[str, int], tuple[int, ...]] = {}
        self._returned: dict[int, Value] = {}
        self._orders: dict[int, tuple[tuple[int, ...], bool]] = {}
        self._exports: dict[tuple[int, str], tuple[int, ...]] = {}
        self._walked: dict[tuple[_Key, str], Answer] = {}
        self._targets: dict[tuple[_Key, str], tuple[list[int], Value, int]] = {}
        self._depth = 0
        self.dialect = dialect_of("")
        self.members_of: dict[int, dict[str, list[int]]] = {}
        self.parameter_classes: dict[str, int] = {}
        modules.ask(self)
        self._attach()
        self._implement()

    def _implement(self) -> None:
        """Give the bodies of `impl` blocks to their types."""
        world = self.world
        for d in world.impls:
            item = world.definitions[d]
            family = world.dialects[world.definition_file[d]].family
            tree = read_type(family, item.name)
            value = self._path_value(tree[1], world.scope_of(d)) if tree[0] == "name" and tree[1] else None
            if value and value[0] in "ic":
                inner = world.inner(d)
                self.modules.implemented[inner] = value[1]
                self.modules.bodies.setdefault(value[1], []).append(inner)
        self._types.clear()
        self._orders.clear()

    def _attach(self) -> None:
        """Give the members that are written outside of a body to their owners."""
        world = self.world
        for d in sorted(world.owned, key=lambda n: world.definition_file[n] in world.inactive):
            item = world.definitions[d]
            if world.dialects[world.definition_file[d]].family == "go":
                path = read_type("go", item.owner)[1].split(".")
            else:
                path = item.owner.removesuffix(".prototype").split(".")
            found, _ = self.lookup(world.scope_of(d), path[0], item.byte)
            if len(path) == 1 and found and found[0] >= 0:
                members = self.members_of.setdefault(found[0], {})
                if world.definition_file[d] not in world.inactive or item.name not in members:
                    members.setdefault(item.name, []).append(d)

    # names ----------------------------------------------------------------------------------------------------------------

    def lookup(self, scope: int, name: str, byte: int, want: frozenset[str] = _ANY) -> tuple[list[int], int]:
        """Return the definitions that `name` may mean at `byte` in `scope`, the likeliest first, and the rank.

        `want` are the kinds that count where a language keeps types, functions and variables apart; imports always do.
        """
        world = self.world
        dialect = world.dialects[world.scope_file[scope]]
        at = scope
        while at >= 0:
            kind = world.scopes[at].kind
            if kind not in _BODIES or (dialect.class_scope if at != scope else dialect.class_scope or dialect.class_body):
                found = world.names[at].get(name)
                if found and want and dialect.separate:
                    wanted = [d for d in found if d < 0 or world.definitions[d].kind in want]
                    found = wanted if wanted or dialect.separate == "always" else found
                if found:
                    return self._ordered(found, at == scope, byte), SCOPE
                if at in world.stars:
                    starred = self._starred(at, name)
                    if starred:
                        return list(starred), IMPORT
                if kind == "class" and dialect.class_scope:
                    inherited = self.member_of_class(world.defines(at), name)
                    if inherited and want and dialect.separate:
                        inherited = [d for d in inherited if d < 0 or world.definitions[d].kind in want]
                    if inherited:
                        return list(inherited), BASE
            at = world.parents[at]
        file = world.scope_file[scope]
        shared, rank = self.modules.shared(file, name)
        if shared:
            return list(shared), rank
        return [], SCOPE

    def _ordered(self, found: list[int], same_scope: bool, byte: int) -> list[int]:
        if len(found) == 1:
            return found
        if same_scope:
            before = [d for d in found if self._byte(d) <= byte]
            return before[::-1] if before else found
        return found[::-1]

    def _byte(self, d: int) -> int:
        return self.world.imports[-1 - d].byte if d < 0 else self.world.definitions[d].byte

    def _starred(self, scope: int, name: str) -> tuple[int, ...]:
        file = self.world.scope_file[scope]
        if (scope, name) in self._searching:
            return ()
        self._searching.add((scope, name))
        try:
            return self._among_stars(scope, file, name)
        finally:
            self._searching.discard((scope, name))

    def _among_stars(self, scope: int, file: int, name: str) -> tuple[int, ...]:
        for mark in self.world.stars[scope]:
            module = self.modules.of_import(mark)
            if module and (module != ("m", file) or scope != self.world.file_scope(file)):
                found = self.named(module, name)
                if found:
                    return found
        return ()

    def export(self, file: int, name: str) -> tuple[int, ...]:
        """Return what importers of `file` get for `name`: definitions, or imports where those are handed on."""
        key = (file, name)
        if key not in self._exports:
            self._exports[key] = ()
            if self.world.files[file].facts is not None:
                self._exports[key] = self.modules.exported(file, name) or self._star_export(file, name)
        return self._exports[key]

    def _star_export(self, file: int, name: str) -> tuple[int, ...]:
        if name == "default":
            return ()
        reexports = self.world.dialects[file].reexports
        for mark in self.world.stars.get(self.world.file_scope(file), ()):
            if reexports or self.world.imports[-1 - mark].kind == "export":
                module = self.modules.of_import(mark)
                if module and module[0] == "m":
                    found = self.export(module[1], name)
                    if found:
                        return found
        return ()

    # values ---------------------------------------------------------------------------------------------------------------

    def value_of_any(self, found: list[int] | tuple[int, ...]) -> Answer:
        """Return the value of the first definition that has a known one."""
        first = _NOTHING
        for position, d in enumerate(found):
            answer = self.value_of(d)
            if answer[0] is not None:
                return answer
            if position == 0:
                first = answer
        return first

    def value_of(self, d: int) -> Answer:
        """Return the value of one definition or import (negative)."""
        memo = self._imported if d < 0 else self._defined
        if d in memo:
            return memo[d]
        memo[d] = _NOTHING
        if self._depth > _DEEPEST:
            return _NOTHING
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
            return self.modules.child(mark, module, i.name), IMPORT
        if module and module[0] == "x":
            return self.value_of_any(module[1])[0], IMPORT
        return module, IMPORT

    def named(self, module: Value, name: str) -> tuple[int, ...]:
        """Return the definitions that a module or package hands out under `name`."""
        if module and module[0] == "m":
            return self.export(module[1], name)
        if module and module[0] == "d":
            return self.modules.in_package(module[1], name)
        if module and module[0] == "x":
            return tuple(module[1])
        return tuple(self.member_of_class(module[1], name)) if module and module[0] == "c" else ()

    def _definition_value(self, d: int) -> Answer:
        item = self.world.definitions[d]
        if item.kind == "constructor":
            return ("c", self.modules.this(self.world.scope_of(d)), ()), SCOPE
        if item.kind in _CALLABLES:
            return self._function_value(d), SCOPE
        if item.kind in _CLASSES:
            return ("c", d, ()), SCOPE
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
        return self._assigned(d, scope) if item.value else _NOTHING

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
            owner = (
                self.world.defines(self.world.parents[scope])
                if self.world.scopes[self.world.parents[scope]].kind == "class"
                else -1
            )
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
                if value and value[0] == "e" and value[2] and value[1] in _GENERATORS:
                    value = value[2][0]
                return value, FIXTURE
        owner = self.parameter_classes.get(name)
        return (("i", owner, ()), PRIOR) if owner is not None else _NOTHING

    # types ----------------------------------------------------------------------------------------------------------------

    def type_value(self, text: str, scope: int, bound: Value = None) -> Value:
        """Return an instance of the declared type `text` as written in `scope`."""
        scope = self.world.homes[scope]
        key = (text, scope)
        if bound is None and key in self._types:
            return self._types[key]
        family = self.world.dialects[self.world.scope_file[scope]].family
        if bound is None:
            self._types[key] = None
        if self._depth > _DEEPEST:
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
        return self.chain(scope, 1 << 60, tree[1])[0]

    def first(self, values: list[Value]) -> Value:
        """Of a union, keep what is of this corpus; the rest only when there is nothing else."""
        known = [v for v in values if v is not None]
        inside = list(dict.fromkeys(v for v in known if v[0] != "e"))
        if inside:
            return inside[0] if len(inside) == 1 else ("u", tuple(inside))
        named = [v for v in known if v[1] not in ("None", "undefined", "null")]
        return (named or known or [None])[0]

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
        head, *rest = name.split(".")
        found, _ = self.lookup(scope, head, 1 << 60, _TYPES)
        if not found:
            package = self.modules.package(scope, head)
            if package is not None:
                for part in rest:
                    package = self._type_among(self.members(package, part, SCOPE)[0]) or self.member(package, part, SCOPE)[0]
                return package
            return None if _NAME_ALONE.match(head) else ("e", name, ())
        value = self._type_among(found) or self.value_of_any(found)[0]
        for part in rest:
            value = self._type_among(self.members(value, part, SCOPE)[0]) or self.member(value, part, SCOPE)[0]
        return value

    def _type_among(self, found: list[int] | tuple[int, ...]) -> Value:
        """Return the first type behind the names: a constant of the same name is not meant."""
        types = [d for d in self.follow(found) if self.world.definitions[d].kind in _TYPES]
        return self.value_of(types[0])[0] if types else None

    def named_base(self, text: str, scope: int) -> Value:
        """Return what the text of a base names, without looking inside wrappers such as `Omit<Base, K>`."""
        family = self.world.dialects[self.world.scope_file[scope]].family
        tree = read_type(family, text)
        if tree[0] != "name" or not tree[1]:
            return None
        value = self._path_value(tree[1], scope)
        found = self.follow(self.lookup(scope, tree[1], 1 << 60, _TYPES)[0]) if "." not in tree[1] else []
        alias = found and self.world.definitions[found[0]].kind == "type"
        return ("c", found[0], ()) if alias and value else value

    def type_targets(self, text: str, scope: int) -> tuple[int, ...]:
        """Return the definitions of this corpus that a declared type names, arguments included."""
        scope = self.world.homes[scope]
        key = (text, scope)
        if key not in self._named_in:
            family = self.world.dialects[self.world.scope_file[scope]].family
            found: dict[int, None] = {}
            for name in _names(read_type(family, text)):
                value = self._path_value(name, scope)
                if value is not None and value[0] in "ic":
                    found[value[1]] = None
            self._named_in[key] = tuple(found)
        return self._named_in[key]

    # classes --------------------------------------------------------------------------------------------------------------

    def order(self, d: int) -> tuple[tuple[int, ...], bool]:
        """Return the class and its bases in the order of lookup, and whether some base is outside or unknown."""
        if d in self._orders:
            return self._orders[d]
        self._orders[d] = ((d,), False)
        found = [d]
        outside = False
        for base in self.bases_of(d):
            if base is None or base[0] not in "ic":
                outside = True
                continue
            above, beyond = self.order(base[1])
            outside = outside or beyond
            found.extend(a for a in above if a not in found)
        self._orders[d] = (tuple(found), outside)
        return self._orders[d]

    def bases_of(self, d: int) -> list[Value]:
        """Return the values of the bases that the class declares."""
        values: list[Value] = []
        for scope in self.modules.scopes_of(d):
            for base in self.world.bases.get(scope, ()):
                values.append(self.type_value(base.type, self.world.parents[scope]))
        return values

    def member_of_class(self, d: int, name: str) -> list[int]:
        """Return the definitions of the member, its own or the nearest base's."""
        if d < 0:
            return []
        for owner in self.order(d)[0]:
            found = self.own_member(owner, name)
            if found:
                return found
        return []

    def own_member(self, d: int, name: str) -> list[int]:
        """Return the definitions of `name` in the class itself, in its body or outside of it."""
        found: list[int] = []
        for scope in self.modules.scopes_of(d):
            found.extend(x for x in self.world.names[scope].get(name, ()))
        found.extend(self.members_of.get(d, {}).get(name, ()))
        return found

    def member(self, value: Value, name: str, rank: int) -> Answer:
        """Return the value of `.name` on a value."""
        if name == "this" and value and value[0] == "c":
            return ("i", value[1], ()), rank
        found, rank = self.members(value, name, rank)
        if found:
            answer, own = self._best_member(value, found)
            rank = max(rank, own) if own >= PRIOR else rank
            if value and value[0] in "icu" and answer and answer[0] in "fw" and self._is_property(answer[1]):
                return self.result(("f", answer[1], value), ""), max(rank, CHAIN)
            if answer and answer[0] == "f" and value and value[0] in "icu":
                return ("f", answer[1], value), rank
            return answer, rank
        return self._outside_member(value, name), rank

    def _best_member(self, value: Value, found: list[int]) -> Answer:
        callables = [d for d in found if d >= 0 and self.world.definitions[d].kind in _CALLABLES]
        if callables:
            return self.value_of(callables[0])
        typed = [d for d in found if d >= 0 and self.world.definitions[d].type]
        return self.value_of_any(typed + [d for d in found if d not in typed])

    def _is_property(self, d: int) -> bool:
        flags = self.world.definitions[d].flags
        return bool(flags) and any(f in self.modules.properties for f in flags.replace("@", "").replace(".", " ").split())

    def members(self, value: Value, name: str, rank: int) -> tuple[list[int], int]:
        """Return the definitions behind `.name` on a value, and the rank of that step."""
        if value is None:
            return [], rank
        what = value[0]
        if what in ("m", "d"):
            return list(self.named(value, name)), max(rank, IMPORT)
        if what == "w":
            return self.members(value[2], name, rank)
        if what == "u":
            for part in value[1]:
                found, own = self.members(part, name, rank)
                if found:
                    return found, own
        if what not in "ic":
            return [], rank
        own = self.own_member(value[1], name)
        if own:
            return own, rank if what == "i" else max(rank, IMPORT) if rank else rank
        return self.member_of_class(value[1], name), max(rank, BASE)

    def _outside_member(self, value: Value, name: str) -> Value:
        if value is None:
            return None
        what = value[0]
        if what == "m":
            return self.modules.child(0, value, name) or (EXTERNAL if self.modules.open_module(value[1]) else None)
        if what == "d":
            return self.modules.child(0, value, name)
        if what in "ic":
            return EXTERNAL if self.order(value[1])[1] else None
        if what == "e":
            return ("e", "." + name, (value,))
        if what == "u":
            outside = [self._outside_member(part, name) for part in value[1]]
            return outside[0] if all(o is not None for o in outside) else None
        return None

    # definitions ----------------------------------------------------------------------------------------------------------

    def follow(self, found: list[int] | tuple[int, ...]) -> list[int]:
        """Return the definitions behind names that may be imported, in order; what is outside has none."""
        result: list[int] = []
        for d in found:
            for _ in range(_DEEPEST):
                if d >= 0:
                    break
                i = self.world.imports[-1 - d]
                module = self.modules.of_import(d)
                if i.kind == "export" and not i.module:
                    following: tuple[int, ...] = self.modules.own_name(d)
                elif module and module[0] == "x":
                    following = module[1]
                elif module and module[0] == "c" and not i.name:
                    following = (module[1],)
                elif not module or not i.name or i.name == "*":
                    following = ()
                else:
                    following = self.named(module, i.name)
                following = tuple(f for f in following if f != d)
                reached = [f for f in following if f >= 0]
                result.extend(f for f in reached if f not in result)
                if reached or not following:
                    break
                d = following[0]
            if d >= 0 and d not in result:
                result.append(d)
        return result

    def target(self, scope: int, byte: int, text: str, called: bool = False) -> tuple[list[int], Value, int]:
        """Return the definitions that the last name of a chain means, the value of the chain, and the rank."""
        if ALTERNATIVE in text:
            value, rank = self.chain(scope, byte, text)
            return [], value, rank
        base, rest = _split(text)
        if not base:
            return [], None, SCOPE
        key, start, found = self._base_value(scope, byte, base, called if not rest else rest[0] == "(")
        if not rest:
            return self.follow(found), *start
        known = self._targets.get((key, rest)) if key is not None else None
        if known is None:
            known = self._last_step(key, start, rest)
            if key is not None:
                self._targets[(key, rest)] = known
        return known

    def _last_step(self, key: _Key | None, start: Answer, rest: str) -> tuple[list[int], Value, int]:
        cut = _last(rest)
        before, rank = self._walk(key, start, rest[:cut], 0)
        if before is None:
            return [], None, rank
        value, rank = self._step(before, rank, rest[cut:])
        if rest[cut] != ".":
            return [], value, rank
        name = rest[cut + 1 :]
        found = self._super_members(before[1], name) if before[0] == "s" else self.members(before, name, 0)[0]
        return self.follow(found), value, rank

    def _super_members(self, d: int, name: str) -> list[int]:
        for base in self.order(d)[0][1:]:
            found = self.own_member(base, name)
            if found:
                return found
        return []

    # expressions ----------------------------------------------------------------------------------------------------------

    def chain(self, scope: int, byte: int, text: str) -> Answer:
        """Return the value of a chain at `byte` in `scope`; of several alternatives, the first known one."""
        if ALTERNATIVE in text:
            answers = [self.chain(scope, byte, part) for part in text.split(ALTERNATIVE)]
            for wanted in ("e", ""):
                for value, rank in answers:
                    if value is not None and value[0] != wanted and value[1:2] != ("None",):
                        return value, max(rank, TYPED)
            return _NOTHING
        if self._depth > _DEEPEST:
            return _NOTHING
        self._depth += 1
        try:
            return self._follow(scope, byte, text)
        finally:
            self._depth -= 1

    def underlying(self, d: int) -> Value:
        """Return a value of the type that a named type is made of (`type H map[string]T`), or None."""
        item = self.world.definitions[d]
        return self.type_value(item.type, self.world.scope_of(d)) if item.kind == "class" and item.type else None

    def _follow(self, scope: int, byte: int, text: str) -> Answer:
        base, rest = _split(text)
        if not base:
            return _NOTHING
        key, start, _ = self._base_value(scope, byte, base, rest[:1] == "(")
        return self._walk(key, start, rest, 0)

    def _walk(self, key: _Key | None, start: Answer, rest: str, depth: int) -> Answer:
        """Apply the steps of `rest` to a value; prefixes are remembered by what the base means, not by where it stands."""
        if not rest or depth > _MOST_STEPS:
            return start if not rest else _NOTHING
        if key is not None:
            known = self._walked.get((key, rest))
            if known is not None:
                return known
        cut = _last(rest)
        value, rank = self._walk(key, start, rest[:cut], depth + 1)
        answer = (None, rank) if value is None else self._step(value, rank, rest[cut:])
        if key is not None:
            self._walked[(key, rest)] = answer
        return answer

    def _base_value(self, scope: int, byte: int, name: str, called: bool) -> tuple[_Key | None, Answer, list[int]]:
        """Return what the base of a chain means: a key for it, its value, and its definitions."""
        if name[0] == "`":
            if name.startswith("`require "):
                return (scope, name), (self._required(scope, name[9:-1]), IMPORT), []
            home = self.world.homes[scope]
            return (home, name), (self.type_value(name[1:-1], scope), TYPED), []
        dialect = self.world.dialects[self.world.scope_file[scope]]
        self.dialect = dialect
        if name in dialect.this or name in dialect.parent:
            owner = self.modules.this(scope)
            if owner < 0:
                return None, _NOTHING, []
            return (owner, name), ((("i", owner, ()), SCOPE) if name in dialect.this else (("s", owner), BASE)), []
        if name in dialect.selftype and name != "this":
            owner = self.modules.this(scope)
            return ((owner, name), (("c", owner, ()), SCOPE), []) if owner >= 0 else (None, _NOTHING, [])
        found, rank = self.lookup(scope, name, byte, _CALLED if called and dialect.constructors else _ANY)
        if not found:
            package = self.modules.package(scope, name)
            return None, ((package, IMPORT) if package is not None else (("e", name, ()), SCOPE)), []
        value, own = self.value_of_any(found)
        return (found[0], rank), (value, max(rank, own)), found

    def _required(self, scope: int, text: str) -> Value:
        """Return what `require(text)` gives: what the module exports as a whole, or the module."""
        module = self.modules.find(scope, text)
        if module and module[0] == "m":
            value = self.value_of_any(self.modules.required(module[1]))[0]
            return value if value is not None and value[0] != "e" else module
        return module

    def _step(self, value: Value, rank: int, step: str) -> Answer:
        assert value is not None
        if step[0] == ".":
            if value[0] == "s":
                return self._super_member(value[1], step[1:])
            return self.member(value, step[1:], rank)
        if step == "()":
            if value[0] == "s" or (value[0] == "e" and value[1] == "super"):
                return value, BASE
            called = self.result(value, "")
            return called, max(rank, TYPED if value[0] == "c" else CHAIN)
        if step[0] == "^":
            return self._part(value, int(step[1:])), rank if value[0] == "i" else max(rank, CHAIN)
        return self.modules.operate(self, value, step), max(rank, CHAIN)

    def _super_member(self, d: int, name: str) -> Answer:
        """Look a member up in the bases alone; an unknown base may have it, so then it is outside."""
        for base in self.order(d)[0][1:]:
            found = self.own_member(base, name)
            if found:
                value, _ = self._best_member(None, found)
                return (("f", value[1], ("i", d, ())) if value and value[0] == "f" else value), BASE
        return EXTERNAL if self.order(d)[1] else None, BASE

    def _part(self, value: Value, position: int) -> Value:
        if self.dialect.pairs and value and value[0] != "t":
            return value if position == 0 else EXTERNAL
        if value and value[0] == "t":
            return value[1][position] if position < len(value[1]) else None
        if value and value[0] == "e" and value[2]:
            named = value[1].rpartition(".")[2].lower() in ("tuple", "pair", "entry")
            return value[2][position] if named and position < len(value[2]) else value[2][-1] if named else EXTERNAL
        return EXTERNAL if value and value[0] == "e" else None

    def result(self, value: Value, step: str) -> Value:
        """Return what a call of the value gives."""
        if value is None:
            return None
        what = value[0]
        if what == "c":
            return ("i", value[1], value[2])
        if what == "f":
            return self._returns(value[1], value[2])
        if what == "r":
            return value[1]
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
            self._returned[d] = None
            self._returned[d] = self._inferred_result(scope) if item.inner >= 0 else None
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


@lru_cache(maxsize=1 << 16)
def _split(text: str) -> tuple[str, str]:
    """Return the base of a chain and its steps."""
    base = _BASE.match(text)
    return (base.group(), text[base.end() :]) if base else ("", "")


def _last(steps: str) -> int:
    """Return where the last step of a chain begins."""
    end = steps[-1]
    if end in "~@%":
        return len(steps) - 1
    if end in ")]":
        return len(steps) - 2
    return max(steps.rfind("."), steps.rfind("^"), 0)


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
