"""PHP's namespaces: classes and functions by qualified name over all files, and files by the path of an include."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from typing import TYPE_CHECKING

from .values import Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["PhpModules"]

_KINDS = frozenset({"class", "interface", "trait", "enum", "function", "field"})
_FALLING_BACK = frozenset({"function", "field"})
"""What an unqualified name may mean in the global namespace: never a class."""


class PhpModules:
    """Find what a name means in its namespace; the importer's own repository comes first."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._names: dict[tuple[str, str], list[int]] = {}
        spaces: set[str] = set()
        for number, file in enumerate(world.files):
            if world.dialects[number].name == "php" and file.facts is not None:
                space = world.packages.get(number, "")
                spaces.add(space)
                for name, found in world.names[world.file_scope(number)].items():
                    kept = [d for d in found if d >= 0 and world.definitions[d].kind in _KINDS]
                    if kept:
                        self._names.setdefault((space, name), []).extend(kept)
        self._spaces = sorted(spaces)

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the class, function or namespace of a qualified name, or the file of an include."""
        if kind == "side":
            return self._file(file, text)
        path = text.strip("\\")
        found = self._absolute(file, path)
        if found:
            return ("x", found) if self._world.definitions[found[0]].kind == "function" else ("c", found[0], ())
        return ("d", ("", path, "php")) if self._is_space(path) else ("e", path.rpartition("\\")[2], ())

    def _is_space(self, path: str) -> bool:
        """Return whether a file is in the namespace or in one inside it."""
        spaces = self._spaces
        same, inside = bisect_left(spaces, path), bisect_left(spaces, path + "\\")
        return spaces[same : same + 1] == [path] or (inside < len(spaces) and spaces[inside].startswith(path + "\\"))

    def _file(self, file: int, text: str) -> Value:
        source = self._world.files[file]
        for folder in (source.path.rpartition("/")[0], ""):
            path = posixpath.normpath(posixpath.join(folder, text.lstrip("/")))
            found = self._world.by_path.get((source.repo, path))
            if found is not None:
                return ("m", found)
        return None

    def _absolute(self, file: int, path: str) -> tuple[int, ...]:
        space, _, name = path.rpartition("\\")
        return self._world.nearest(self._names.get((space, name), ()), self._world.files[file].repo)

    def visible(self, file: int, name: str) -> tuple[int, ...]:
        """Return what a name that the file neither defines nor imports means there."""
        space = self._world.packages.get(file, "")
        if name.startswith("\\"):
            return self._absolute(file, name[1:])
        head, _, rest = name.partition("\\")
        if rest:
            return self._absolute(file, f"{self._prefix(file, head, space)}\\{rest}".strip("\\"))
        found = self._absolute(file, f"{space}\\{name}".strip("\\"))
        if found or not space:
            return found
        return tuple(d for d in self._absolute(file, name) if self._world.definitions[d].kind in _FALLING_BACK)

    def _prefix(self, file: int, head: str, space: str) -> str:
        """Return the namespace that the first part of a qualified name stands for."""
        world = self._world
        if head == "namespace":
            return space
        for mark in world.names[world.file_scope(file)].get(head, ()):
            if mark < 0:
                i = world.imports[-1 - mark]
                return f"{i.module}\\{i.name}".strip("\\")
        return f"{space}\\{head}".strip("\\")

    def child(self, module: Value, name: str) -> Value:
        """Return the class of a namespace."""
        if module and module[0] == "d" and module[1][2:] == ("php",):
            found = self._absolute(0, f"{module[1][1]}\\{name}")
            return ("c", found[0], ()) if found else ("e", name, ())
        return None
