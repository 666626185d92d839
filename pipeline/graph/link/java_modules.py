"""Java's packages: classes by qualified name, over all source roots of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .values import Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["JavaModules"]


class JavaModules:
    """Find a class or a package by its dotted name; Kotlin and Scala share the packages."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._packages: dict[str, list[int]] = {}
        for file in range(len(world.files)):
            if world.dialects[file].space == "jvm" and world.files[file].facts is not None:
                self._packages.setdefault(world.packages.get(file, ""), []).append(file)

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the class, its member's class, or the package that the text names, else something outside."""
        if text in self._packages:
            return ("d", ("", text, "jvm"))
        package, _, rest = text.rpartition(".")
        names = [rest]
        while package:
            if package in self._packages:
                found = self._class(file, package, names)
                if found is not None:
                    return found
            package, _, rest = package.rpartition(".")
            names.insert(0, rest)
        return ("e", text.rpartition(".")[2], ())

    def _class(self, file: int, package: str, names: list[str]) -> Value:
        """Return the class after walking through the nested names; a last part that is a member is left to the caller."""
        found = self.top_level(file, package, names[0])
        for name in names[1:]:
            if found < 0:
                return None
            inner = self._world.inner(found)
            nested = self._world.names[inner].get(name, ()) if inner >= 0 else ()
            if not nested:
                return None
            if self._world.definitions[nested[0]].kind in ("function", "field"):
                return ("x", tuple(nested))
            found = nested[0]
        return ("c", found, ()) if found >= 0 else None

    def top_level(self, file: int, package: str, name: str) -> int:
        """Return the top-level definition of a package, of the importer's own repository if there are several, or -1."""
        own = self._world.files[file].repo
        best = -1
        for other in self._packages.get(package, ()):
            found = self._world.names[self._world.file_scope(other)].get(name, ())
            if found and found[0] >= 0:
                if self._world.files[other].repo == own:
                    return found[0]
                best = found[0] if best < 0 else best
        return best

    def child(self, module: Value, name: str) -> Value:
        """Return the class `name` of a package."""
        if module and module[0] == "d" and module[1][2:] == ("jvm",):
            found = self.top_level(0, module[1][1], name)
            return ("c", found, ()) if found >= 0 else None
        return None
