"""Follow an expression chain from its base to its value; every answer is remembered, every cycle ends as unknown."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ..references.chains import ALTERNATIVE, plain_path
from ._core import ANY, CALLED, DEEPEST, NOTHING, Answer
from .results import Results
from .types import read_type
from .values import BASE, CHAIN, EXTERNAL, IMPORT, SCOPE, TYPED, Value

if TYPE_CHECKING:
    from .dialects import Dialect
    from .modules import Modules
    from .world import World

__all__ = ["Inference", "split"]

_BASE = re.compile(r"`[^`]*`|[^.()\[\]~@%^`]+")
_INWARD = re.compile(r"[\[@%^~]|\.items")
"""Steps into what holds other values."""

_MOST_STEPS = 80


class Inference(Results):
    """The linker's questions about one world."""

    def __init__(self, world: World, modules: Modules) -> None:
        super().__init__(world, modules)
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
        for known in (
            self._types,
            self._paths,
            self._orders,
            self._outers,
            self._members,
            self._defined,
            self._imported,
            self._exports,
        ):
            known.clear()
        self.modules.cut = False
        self.whole = True

    def _attach(self) -> None:
        """Give the members that are written outside of a body to their owners."""
        world = self.world
        for d in sorted(world.owned, key=lambda n: world.definition_file[n] in world.inactive):
            item = world.definitions[d]
            dialect = world.dialects[world.definition_file[d]]
            if dialect.space:
                self._attach_path(d, dialect)
                continue
            if dialect.family == "go":
                path = read_type("go", item.owner)[1].split(".")
            else:
                path = item.owner.removesuffix(".prototype").split(".")
            found, _ = self.lookup(world.scope_of(d), path[0], item.byte)
            if len(path) == 1 and found and found[0] >= 0:
                members = self.members_of.setdefault(self.modules.joined.get(found[0], found[0]), {})
                if world.definition_file[d] not in world.inactive or item.name not in members:
                    members.setdefault(item.name, []).append(d)

    def _attach_path(self, d: int, dialect: Dialect) -> None:
        """Give `d`, declared as `a::B::d`, to what its owner's path means."""
        item = self.world.definitions[d]
        value = self._path_value(plain_path(item.owner), self.world.scope_of(d))
        if value and value[0] in "ic":
            single = not dialect.singletons.isdisjoint(item.flags.split())
            self.members_of.setdefault(value[1], {}).setdefault("." + item.name if single else item.name, []).append(d)
            if item.inner >= 0:
                self.modules.attached[self.world.inner(d)] = value[1]

    def target(self, scope: int, byte: int, text: str, called: bool, place: int) -> tuple[list[int], Value, int]:
        """Return the definitions that the last name of a chain means, the value of the chain, and the rank.

        `place` is the scope, or a negative number that stands for all scopes in which the base of the chain means the same.
        """
        if ALTERNATIVE in text:
            value, rank = self.chain(scope, byte, text)
            return [], value, rank
        base, rest = split(text)
        if not base:
            return [], None, SCOPE
        if base == "super" and not rest and self.world.dialects[self.world.scope_file[scope]].super_repeats:
            return self._repeated(scope), EXTERNAL, BASE
        called = called if not rest else rest[0] == "("
        known_start = self._starts.get((place, base, called))
        if known_start is None:
            known_start = self._start(scope, byte, base, called, place)
        else:
            self.dialect = self.world.dialects[self.world.scope_file[scope]]
        start, found = known_start
        if not rest:
            return self.follow(found), *start
        value, rank = start
        if value is None or (value[0] == "e" and not value[2] and self._stays_outside(rest)):
            return [], value, rank
        key = (start, rest, self.dialect.name)
        known = self._targets.get(key)
        if known is None:
            known = self._targets[key] = self._last_step(start, rest)
        return known

    def _stays_outside(self, steps: str) -> bool:
        """Return whether these steps lead from something outside without arguments to something outside, whatever it is."""
        return len(steps) < _MOST_STEPS and not self.world.extensions and not _INWARD.search(steps)

    def _start(self, scope: int, byte: int, base: str, called: bool, place: int) -> tuple[Answer, list[int]]:
        """Return what the base of a reference means, and remember it where it means the same all over the scope.

        Only between questions: within one, a value may still be unknown.
        """
        self.placed = False
        found = self._base_value(scope, byte, base, called)
        if not self.placed:
            self._starts[place, base, called] = found
        return found

    def _repeated(self, scope: int) -> list[int]:
        """Return the methods of the nearest base that the method around the scope replaces."""
        around = self.world.enclosing(scope, "function")
        d, owner = self.world.defines(around) if around >= 0 else -1, self.modules.this(scope)
        if d < 0 or owner < 0:
            return []
        name = self.world.definitions[d].name
        return self.follow(self._super_members(owner, "." + name if self.modules.is_static(scope) else name))

    def _last_step(self, start: Answer, rest: str) -> tuple[list[int], Value, int]:
        cut = _last(rest)
        before, rank = self._walk(start, rest[:cut], 0)
        if before is None:
            return [], None, rank
        value, rank = self._step(before, rank, rest[cut:])
        if rest[cut] != ".":
            return [], value, rank
        name = rest[cut + 1 :]
        found = self._super_members(before[1], name) if before[0] == "s" else self.members(before, name, 0)[0]
        return self.follow(found), value, rank

    def chain(self, scope: int, byte: int, text: str) -> Answer:
        """Return the value of a chain at `byte` in `scope`; of several alternatives, the first known one."""
        if ALTERNATIVE in text:
            answers = [self.chain(scope, byte, part) for part in text.split(ALTERNATIVE)]
            for wanted in ("e", ""):
                for value, rank in answers:
                    if value is not None and value[0] != wanted and value[1:2] != ("None",):
                        return value, max(rank, TYPED)
            return NOTHING
        if self._depth > DEEPEST:
            self.modules.cut = True
            return NOTHING
        around = self.dialect
        self._depth += 1
        try:
            return self._follow(scope, byte, text)
        finally:
            self._depth -= 1
            self.dialect = around

    def _follow(self, scope: int, byte: int, text: str) -> Answer:
        base, rest = split(text)
        if not base:
            return NOTHING
        start, _ = self._base_value(scope, byte, base, rest[:1] == "(")
        return self._walk(start, rest, 0)

    def _walk(self, start: Answer, rest: str, depth: int) -> Answer:
        """Apply the steps of `rest` to a value; prefixes are remembered by the value, not by where it stands."""
        if not rest or depth > _MOST_STEPS:
            return start if not rest else NOTHING
        key = (start, rest, self.dialect.name)
        known = self._walked.get(key)
        if known is not None:
            return known
        cut = _last(rest)
        value, rank = self._walk(start, rest[:cut], depth + 1)
        answer = (None, rank) if value is None else self._step(value, rank, rest[cut:])
        self._walked[key] = answer
        return answer

    def _base_value(self, scope: int, byte: int, name: str, called: bool) -> tuple[Answer, list[int]]:
        """Return what the base of a chain means: its value, and its definitions."""
        dialect = self.dialect = self.world.dialects[self.world.scope_file[scope]]
        if name[0] == "`":
            if name.startswith("`require "):
                return (self._required(scope, name[9:-1]), IMPORT), []
            return (self.type_value(name[1:-1], scope), TYPED), []
        if name in dialect.this or name in dialect.parent:
            owner = self.modules.this(scope)
            if owner < 0:
                return NOTHING, []
            if dialect.singletons and name in dialect.this and self.modules.is_static(scope):
                return (("c", owner, ()), SCOPE), []
            return (("i", owner, ()), SCOPE) if name in dialect.this else (("s", owner), BASE), []
        if name in dialect.selftype and name != "this":
            owner = self.modules.this(scope)
            return (("c", owner, ()), SCOPE) if owner >= 0 else NOTHING, []
        found, rank = self.lookup(scope, name, byte, CALLED if called and dialect.constructors else ANY)
        if not found:
            package = self.modules.package(scope, name)
            return (package, IMPORT) if package is not None else (("e", name, ()), SCOPE), []
        if name == dialect.maker and dialect.implicit_self and self.modules.is_static(scope):
            return (("c" if called else "i", self.modules.this(scope), ()), rank), found
        value, own = self.value_of_any(found)
        if dialect.calls_bare and value is not None and value[0] == "f" and not called:
            value = self.result(value, "")
        return (value, max(rank, own)), found

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


@lru_cache(maxsize=1 << 16)
def split(text: str) -> tuple[str, str]:
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
