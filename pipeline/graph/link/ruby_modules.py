"""Ruby's files: `require` by the roots that libraries are loaded from, `require_relative` by folder."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from .values import Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["RubyModules"]

_ROOTS = frozenset({"lib", "spec", "test", "app", "ext", "src"})


class RubyModules:
    """Find required files; constants need no import, see `open_types`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._by_base: dict[str, list[int]] = {}
        for number, file in enumerate(world.files):
            if world.dialects[number].name == "ruby":
                self._by_base.setdefault(file.path.rpartition("/")[2], []).append(number)

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the file that the text names, or something outside."""
        source = self._world.files[file]
        folder = source.path.rpartition("/")[0]
        name = text if text.endswith(".rb") else text + ".rb"
        if kind == "relative":
            found = self._world.by_path.get((source.repo, posixpath.normpath(posixpath.join(folder, name))))
            return ("m", found) if found is not None else None
        best = max(self._candidates(source.repo, folder, name), default=None)
        return ("m", -best[-1]) if best is not None else ("e", text, ())

    def _candidates(self, repo: str, folder: str, name: str) -> list[tuple[bool, int, int]]:
        """Return (own repository, length of the root around the importer, -file) of the files that `name` may be."""
        found = []
        for number in self._by_base.get(name.rpartition("/")[2], ()):
            file = self._world.files[number]
            if file.path != name and not file.path.endswith("/" + name):
                continue
            root = file.path[: -len(name)].rstrip("/")
            if root == "" or root == folder or root.rpartition("/")[2] in _ROOTS:
                above = root.rpartition("/")[0]
                near = len(above) + 1 if folder == above or folder.startswith(above + "/") or not above else 0
                found.append((file.repo == repo, near, -number))
        return found

    def child(self, module: Value, name: str) -> Value:
        """Return None: files have no files as members."""
        return None
