"""Java's packages: classes by qualified name, over all source roots of the corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .values import Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["JavaModules"]

_LOOSE = frozenset({"function", "field", "variable", "property"})


class JavaModules:
    """Find a class or a package by its dotted name; Kotlin and Scala share the packages."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._packages: dict[str, list[int]] = {}
        self._outer: set[str] = set()
        for file in range(len(world.files)):
            if world.dialects[file].space == "jvm" and world.files[file].facts is not None:
                package = world.packages.get(file, "")
                self._packages.setdefault(package, []).append(file)
                while package and package not in self._outer:
                    self._outer.add(package)
                    package = package.rpartition(".")[0]

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
        if found >= 0 and len(names) == 1 and self._world.definitions[found].kind in _LOOSE:
            return ("x", self._overloads(file, package, names[0]))
        for name in names[1:]:
            if found < 0:
                return None
            inner = self._world.inner(found)
            nested = self._world.names[inner].get(name, ()) if inner >= 0 else ()
            if not nested:
                return None
            if self._world.definitions[nested[0]].kind in _LOOSE:
                return ("x", tuple(nested))
            found = nested[0]
        return ("c", found, ()) if found >= 0 else None

    def _overloads(self, file: int, package: str, name: str) -> tuple[int, ...]:
        """Return the functions or values of that name of a package, those of the importer's repository if there are any."""
        world = self._world
        found = [
            d for other in self._packages[package] for d in world.names[world.file_scope(other)].get(name, ()) if d >= 0
        ]
        return world.nearest(found, world.files[file].repo)

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
        """Return the class `name` of a package, or the package of that name in it."""
        if module and module[0] == "d" and module[1][2:] == ("jvm",):
            found = self.top_level(0, module[1][1], name)
            inner = f"{module[1][1]}.{name}"
            return ("c", found, ()) if found >= 0 else ("d", ("", inner, "jvm")) if inner in self._outer else None
        return None

    def free(self, scope: int, name: str) -> Value:
        """Return the outermost package of that name, or None."""
        return ("d", ("", name, "jvm")) if name in self._outer else None
