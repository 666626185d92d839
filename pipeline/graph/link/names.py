"""What a name in a scope means: lexical scopes, class bodies, packages, star imports, exports."""

from __future__ import annotations

from ._core import ANY, BODIES, DEEPEST, EVERYWHERE, Core
from .dialects import Dialect
from .values import BASE, IMPORT, SCOPE, Value

__all__ = ["Names"]

_CALLABLE = frozenset({"function", "lambda"})


class Names(Core):
    """Names to definitions; an import is a negative number."""

    def lookup(self, scope: int, name: str, byte: int, want: frozenset[str] = ANY) -> tuple[list[int], int]:
        """Return the definitions that `name` may mean at `byte` in `scope`, the likeliest first, and the rank.

        `want` are the kinds that count where a language keeps types, functions and variables apart; imports always do.
        """
        world = self.world
        dialect = world.dialects[world.scope_file[scope]]
        if dialect.implicit_self and not name[:1].isupper():
            return self._own_name(scope, name, byte)
        names, parents, scopes, stars, attached = (
            world.names,
            world.parents,
            world.scopes,
            world.stars,
            self.modules.attached,
        )
        at = scope
        while scopes[at][0] in _CALLABLE:
            found = names[at].get(name)
            if found and (found := self._wanted(found, want, dialect)):
                return self._ordered(found, at == scope, byte), SCOPE
            if at in attached or at in stars:
                beyond, rank = self._around_function(at, name, want, dialect)
                if beyond:
                    return beyond, rank
            at = parents[at]
        body = scopes[at][0] in BODIES and (dialect.class_body or dialect.space == "cpp")
        if at != scope or (byte == EVERYWHERE and not body):
            return self._outer(at, name, want, dialect)
        return self._in_place(scope, name, byte, want, dialect)

    def _around_function(self, at: int, name: str, want: frozenset[str], dialect: Dialect) -> tuple[list[int], int]:
        """Look into the class that a function is written outside of, and into the star imports of its body."""
        attached = self.modules.attached.get(at, -1)
        if attached >= 0:
            found = self._outer(self.world.inner(attached), name, want, dialect)
            if found[0]:
                return found
        return self._beyond(at, name, want, dialect)

    def _in_place(self, scope: int, name: str, byte: int, want: frozenset[str], dialect: Dialect) -> tuple[list[int], int]:
        """Look a name up that stands directly in a class or file, where the order of definitions counts."""
        world = self.world
        if world.scopes[scope].kind not in BODIES or dialect.class_scope or dialect.class_body:
            found = self._wanted(world.names[scope].get(name), want, dialect)
            if found:
                return self._ordered(found, True, byte), SCOPE
            beyond, rank = self._beyond(scope, name, want, dialect)
            if beyond:
                return beyond, rank
        if world.parents[scope] >= 0:
            return self.lookup(world.parents[scope], name, EVERYWHERE, want)
        shared, rank = self.modules.shared(world.scope_file[scope], name)
        return list(shared), rank

    def _own_name(self, scope: int, name: str, byte: int) -> tuple[list[int], int]:
        """Return a local variable, else the member of the object at the scope, else a function of the file."""
        world = self.world
        at = scope
        while world.scopes[at].kind in ("function", "lambda"):
            found = world.names[at].get(name)
            if found:
                return self._ordered(found, at == scope, byte), SCOPE
            at = world.parents[at]
        owner = self.modules.this(scope)
        if owner >= 0:
            members, rank = self.members(("c" if self.modules.is_static(scope) else "i", owner, ()), name, SCOPE)
            if members:
                return members, rank
        return list(world.names[world.file_scope(world.scope_file[scope])].get(name, ())), SCOPE

    def _outer(self, at: int, name: str, want: frozenset[str], dialect: Dialect) -> tuple[list[int], int]:
        """Look up from a class or file scope on, where the place of use does not matter, so that answers are remembered."""
        if not dialect.class_scope:
            at = self.beyond_bodies(at)
        key = (at, name, want)
        known = self._outers.get(key)
        if known is None:
            known = self._search(at, name, want, dialect)
            if not self._searching:
                self._outers[key] = known
        return known

    def beyond_bodies(self, at: int) -> int:
        """Return the nearest scope at or around one that is no body of a class or object."""
        world = self.world
        while world.scopes[at][0] in BODIES:
            at = world.parents[at]
        return at

    def _search(self, at: int, name: str, want: frozenset[str], dialect: Dialect) -> tuple[list[int], int]:
        world = self.world
        file = world.scope_file[at]
        while at >= 0:
            if world.scopes[at].kind not in BODIES or dialect.class_scope:
                found = self._wanted(world.names[at].get(name), want, dialect)
                if found and found[0] >= 0 and world.definitions[found[0]].kind == "prototype":
                    return self.member_of_class(self.modules.owner(at), name), SCOPE
                if found:
                    return self._ordered(found, False, 0), SCOPE
                beyond, rank = self._beyond(at, name, want, dialect)
                if beyond:
                    return beyond, rank
            at = world.parents[at]
        shared, rank = self.modules.shared(file, name)
        return list(shared), rank

    def _wanted(self, found: list[int] | None, want: frozenset[str], dialect: Dialect) -> list[int] | None:
        if found and want and dialect.separate:
            wanted = [d for d in found if d < 0 or self.world.definitions[d].kind in want]
            return wanted if wanted or dialect.separate == "always" else found
        return found

    def _beyond(self, at: int, name: str, want: frozenset[str], dialect: Dialect) -> tuple[list[int], int]:
        """Look into the star imports of a scope and the bases of a class."""
        if at in self.world.stars:
            starred = self._starred(at, name)
            if starred:
                return list(starred), IMPORT
        if self.world.scopes[at].kind == "namespace":
            apart, rank = self.modules.in_namespace(at, name)
            return self._wanted(list(apart), want, dialect) or [], rank
        if dialect.class_scope and self.world.scopes[at].kind == "class":
            inherited = self.member_of_class(self.modules.owner(at), name)
            if inherited and want and dialect.separate:
                inherited = [d for d in inherited if d < 0 or self.world.definitions[d].kind in want]
            return list(inherited), BASE
        return [], SCOPE

    def _ordered(self, found: list[int], same_scope: bool, byte: int) -> list[int]:
        if len(found) == 1:
            return found
        if same_scope:
            self.placed = True
            before = [d for d in found if self._byte(d) <= byte]
            return before[::-1] if before else found
        return found[::-1]

    def _byte(self, d: int) -> int:
        return self.world.imports[-1 - d].byte if d < 0 else self.world.definitions[d].byte

    def _starred(self, scope: int, name: str) -> tuple[int, ...]:
        file = self.world.scope_file[scope]
        if (scope, name) in self._searching:
            self.modules.cut = True
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
        known = self._exports.get(key)
        if known is None:
            if key in self._asked:
                self.modules.cut = True
                return ()
            self._asked.add(key)
            known = ()
            if self.world.files[file].facts is not None:
                known = self.modules.exported(file, name) or self._star_export(file, name)
            self._exports[key] = known
            self._asked.discard(key)
        return known

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

    def named(self, module: Value, name: str) -> tuple[int, ...]:
        """Return the definitions that a module or package hands out under `name`."""
        if module and module[0] == "m":
            return self.export(module[1], name)
        if module and module[0] == "d":
            return self.modules.in_package(module[1], name)
        if module and module[0] == "x":
            return tuple(module[1])
        return tuple(self.member_of_class(module[1], name)) if module and module[0] == "c" else ()

    def follow(self, found: list[int] | tuple[int, ...]) -> list[int]:
        """Return the definitions behind names that may be imported, in order; what is outside has none."""
        joined = self.modules.joined
        if len(found) == 1 and found[0] >= 0:
            return [joined.get(found[0], found[0])]
        result: list[int] = []
        for d in found:
            for _ in range(DEEPEST):
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
        return list(dict.fromkeys(joined.get(d, d) for d in result)) if joined and result else result
