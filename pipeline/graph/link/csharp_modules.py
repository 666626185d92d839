"""C#'s namespaces: types by qualified name over all files, `using` by file, by block and for a whole project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._core import TYPES
from .spaces import outward, space_of, spellings
from .values import Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["CsharpModules"]

_SPACE = "csharp"


class CsharpModules:
    """Find what a name means in a namespace; the importer's own repository comes first."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._names: dict[tuple[str, str], list[int]] = {}
        self._spaces: set[str] = set()
        self._global: dict[str, list[int]] = {}
        for number, file in enumerate(world.files):
            if world.dialects[number].name == _SPACE and file.facts is not None:
                for local, scope in enumerate(file.facts.scopes):
                    if scope.kind in ("file", "namespace"):
                        self._register(world.scope_base[number] + local)
        for position, i in enumerate(world.imports):
            if i.kind == "everywhere":
                self._global.setdefault(world.files[world.import_file[position]].repo, []).append(-1 - position)

    def _register(self, scope: int) -> None:
        space = space_of(self._world, scope)
        self._spaces.update(outer for outer in outward(space) if outer)
        for name, found in self._world.names[scope].items():
            kept = [d for d in found if d >= 0 and self._world.definitions[d].kind in TYPES]
            if kept:
                self._names.setdefault((space, name), []).extend(kept)

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the namespace or type that the text names, else something outside."""
        if text in self._spaces:
            return ("d", ("", text, _SPACE))
        found = self._type(file, text)
        return ("c", found, ()) if found >= 0 else ("e", text.rpartition(".")[2], ())

    def _type(self, file: int, text: str) -> int:
        """Return the type of a qualified name, nested ones too, or -1."""
        space, _, name = text.rpartition(".")
        found = self.member(file, space, name)
        if found:
            return found[0]
        outer = self._type(file, space) if space and space not in self._spaces else -1
        inner = self._world.inner(outer) if outer >= 0 else -1
        nested = [d for d in self._world.names[inner].get(name, ()) if d >= 0] if inner >= 0 else []
        return nested[0] if nested else -1

    def member(self, file: int, space: str, name: str) -> tuple[int, ...]:
        """Return the types of that name in a namespace."""
        found = self._names.get((space, name), ())
        if not found:
            return ()
        own = self._world.definition_file[found[0]] if file < 0 else file
        return self._world.nearest(found, self._world.files[own].repo)

    def around(self, scope: int, name: str) -> tuple[int, ...]:
        """Return the types of that name in the namespace of a scope or in one around it."""
        space = space_of(self._world, scope)
        for outer in outward(space):
            found = self.member(self._world.scope_file[scope], outer, name)
            if found:
                return found
        return ()

    def everywhere(self, file: int) -> list[int]:
        """Return the imports that hold for all files of the repository."""
        return self._global.get(self._world.files[file].repo, [])

    def free(self, scope: int, name: str) -> Value:
        """Return the namespace that a name stands for at a scope, or None."""
        for space in spellings(self._world, scope, name):
            if space in self._spaces:
                return ("d", ("", space, _SPACE))
        return None

    def child(self, module: Value, name: str) -> Value:
        """Return the namespace `name` in a namespace."""
        if module and module[0] == "d" and module[1][2:] == (_SPACE,):
            space = f"{module[1][1]}.{name}"
            return ("d", ("", space, _SPACE)) if space in self._spaces else None
        return None
