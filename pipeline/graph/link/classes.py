"""Members of classes: own ones, those of bases in order, properties, and what is outside."""

from __future__ import annotations

from collections.abc import Mapping

from ._core import CALLABLES, Answer
from .dialects import Dialect
from .typed import Typed
from .values import BASE, CHAIN, EXTERNAL, IMPORT, PRIOR, TYPED, Value

__all__ = ["Classes"]

_PRECEDENCE = {"trait": 0, "interface": 2}
"""Places of kinds of bases in the order of lookup; all others stand between."""


class Classes(Typed):
    """Classes and names to members."""

    def order(self, d: int) -> tuple[tuple[int, ...], bool]:
        """Return the class and its bases in the order of lookup, and whether some base is outside or unknown."""
        if d in self._orders:
            return self._orders[d]
        question = ("order", d)
        if question in self._asked:
            self.modules.cut = True
            return (d,), False
        self._asked.add(question)
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
        self._asked.discard(question)
        return self._orders[d]

    def bases_of(self, d: int, singleton: bool = False) -> list[Value]:
        """Return the values of the bases that the class declares, in the order of lookup; or those of the class itself."""
        values: list[Value] = []
        for scope in self.modules.scopes_of(d):
            for base in self.world.bases.get(scope, ()):
                if (base.relation == "singleton") is singleton:
                    values.append(self.type_value(base.type, self.world.parents[scope]))
        if self._dialect_of(d).mixins_first:
            values.reverse()
            values.sort(key=self._precedence)
        return values

    def _precedence(self, base: Value) -> int:
        kind = self.world.definitions[base[1]].kind if base and base[0] in "ic" else "class"
        return _PRECEDENCE.get(kind, 1)

    def _dialect_of(self, d: int) -> Dialect:
        return self.world.dialects[self.world.definition_file[d]]

    def member_of_class(self, d: int, name: str) -> list[int]:
        """Return the definitions of the member, its own or the nearest base's."""
        if d < 0:
            return []
        known = self._members.get((d, name))
        if known is None:
            known = next((found for owner in self.order(d)[0] if (found := self.own_member(owner, name))), [])
            self._members[(d, name)] = known
        return known

    def own_member(self, d: int, name: str) -> list[int]:
        """Return the definitions of `name` in the class itself, in its body or outside of it."""
        members = self._own.get(d)
        if members is None:
            members = self._own_members(d)
            if self.whole:
                self._own[d] = members
        found = members.get(name, [])
        if len(found) > 1 and found[0] >= 0 and self.world.definitions[found[0]].kind == "prototype":
            return sorted(found, key=lambda m: m >= 0 and self.world.definitions[m].kind == "prototype")
        return found

    def _own_members(self, d: int) -> Mapping[str, list[int]]:
        """Return the members that the class itself has, by name: those of all its bodies, then those outside of them."""
        parts = [self.world.names[scope] for scope in self.modules.scopes_of(d)]
        if d in self.members_of:
            parts.append(self.members_of[d])
        if len(parts) == 1:
            return parts[0]
        together: dict[str, list[int]] = {}
        for part in parts:
            for name, found in part.items():
                together[name] = together[name] + found if name in together else found
        return together

    def member(self, value: Value, name: str, rank: int) -> Answer:
        """Return the value of `.name` on a value."""
        if name == "this" and value and value[0] == "c":
            return ("i", value[1], ()), rank
        if value and value[0] == "c" and self._makes(value[1], name):
            return value, rank
        found, rank = self.members(value, name, rank)
        if found:
            answer, own = self._best_member(found)
            rank = max(rank, own) if own >= PRIOR else rank
            if value and value[0] in "icu" and answer and answer[0] in "fw" and self._is_property(answer[1]):
                return self.result(("f", answer[1], value), ""), max(rank, CHAIN)
            if answer and answer[0] == "f" and value and value[0] in "icu":
                return ("f", answer[1], value), rank
            return answer, rank
        return self._outside_member(value, name), rank

    def _best_member(self, found: list[int]) -> Answer:
        callables = [d for d in found if d >= 0 and self.world.definitions[d].kind in CALLABLES]
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
                among, step = self.members(part, name, rank)
                if among:
                    return among, step
        if what == "e" and name in self.world.extensions:
            return self._extensions(value, name), max(rank, TYPED)
        if what == "f" and self._dialect_of(value[1]).calls_bare:
            return self.members(self.result(value, ""), name, max(rank, CHAIN))
        if what == "f":
            return self.members_of.get(value[1], {}).get(name, []), rank
        if what not in "ic":
            return [], rank
        if what == "c" and self._dialect_of(value[1]).singletons:
            return self._class_members(value[1], name, rank)
        own = self.own_member(value[1], name)
        if own:
            return own, rank if what == "i" else max(rank, IMPORT) if rank else rank
        inherited = self.member_of_class(value[1], name)
        if not inherited and what == "i" and name in self.world.extensions:
            return self._extensions(value, name), max(rank, TYPED)
        return inherited, max(rank, BASE)

    def _extensions(self, value: Value, name: str) -> list[int]:
        """Return the functions that add a member of that name to the value's class, to a base, or to what is outside."""
        assert value is not None
        found = []
        for d in self.world.extensions[name]:
            receiver = self.type_value(self.world.definitions[d].owner[2:], self.world.scope_of(d))
            if self._dialect_of(d).name == self.dialect.name and self.is_a(value, receiver):
                found.append(d)
        return found

    def is_a(self, value: Value, receiver: Value) -> bool:
        """Return whether an extension for `receiver` is one for the value: of its class, a base, or the same type outside."""
        if value is None or receiver is None:
            return False
        if value[0] == receiver[0] == "i":
            return value[1] >= 0 and receiver[1] in self.order(value[1])[0]
        return value[0] == "e" and bool(value[1]) and receiver[:2] == value[:2]

    def _makes(self, d: int, name: str) -> bool:
        """Return whether the member of the class makes an object as the language does by itself."""
        return name == self._dialect_of(d).maker and not self.member_of_class(d, "." + name)

    def _class_members(self, d: int, name: str, rank: int) -> tuple[list[int], int]:
        """Return the members of the class itself where those are apart from its objects', a constructor for its maker."""
        dialect = self._dialect_of(d)
        found = self.own_member(d, "." + name) or (self.own_member(d, name) if name[:1].isupper() else [])
        if not found and self.world.definitions[d].kind == "trait":
            found = self.own_member(d, name)
        if found:
            return found, max(rank, IMPORT) if rank else rank
        found = self.member_of_class(d, "." + name)
        if not found and name == dialect.maker:
            found = self.member_of_class(d, dialect.initializer) or [d]
        for base in self.bases_of(d, singleton=True) if not found else ():
            found = found or (self.member_of_class(base[1], name) if base and base[0] in "ic" else [])
        return found, max(rank, BASE)

    def _outside_member(self, value: Value, name: str) -> Value:
        if value is None:
            return None
        what = value[0]
        if what == "m":
            return self.modules.child(value, name) or (EXTERNAL if self.modules.open_module(value[1]) else None)
        if what == "d":
            return self.modules.child(value, name)
        if what == "i" and name in self._dialect_of(value[1]).itself:
            return ("r", value)
        if what in "ic":
            return EXTERNAL if self.order(value[1])[1] else None
        if what == "e":
            return ("e", "." + name, (value,))
        if what == "u":
            outside = [self._outside_member(part, name) for part in value[1]]
            return outside[0] if all(o is not None for o in outside) else None
        return None

    def _super_members(self, d: int, name: str) -> list[int]:
        """Return the definitions of the member in the nearest base that has it."""
        return next((found for base in self.order(d)[0][1:] if (found := self.own_member(base, name))), [])

    def _super_member(self, d: int, name: str) -> Answer:
        """Look a member up in the bases alone; an unknown base may have it, so then it is outside."""
        found = self._super_members(d, name)
        if not found:
            return EXTERNAL if self.order(d)[1] else None, BASE
        value, _ = self._best_member(found)
        return (("f", value[1], ("i", d, ())) if value and value[0] == "f" else value), BASE
