"""Go's imports: a package is a folder, found by the module paths of the go.mod files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .values import Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["GoModules", "module_path"]

_MODULE = re.compile(r"^\s*module\s+\"?([^\s\"]+)", re.MULTILINE)


class GoModules:
    """Find the folder of a package; without go.mod nothing outside of the own folder is found."""

    def __init__(self, world: World) -> None:
        self._modules: list[tuple[str, str, str]] = []
        self._folders: set[tuple[str, str]] = set()
        self._world = world
        for file in world.files:
            folder, _, base = file.path.rpartition("/")
            if base == "go.mod" and file.text:
                path = module_path(file.text)
                if path is not None:
                    self._modules.append((path, file.repo, folder))
            elif base.endswith(".go"):
                self._folders.add((file.repo, folder))
        self._modules.sort(key=lambda m: (-len(m[0]), m))

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the package's folder, or something outside."""
        own = self._world.files[file].repo
        for path, repo, folder in sorted(self._modules, key=lambda m: m[1] != own):
            if text == path or text.startswith(path + "/"):
                place = "/".join(p for p in (folder, text[len(path) + 1 :]) if p)
                if (repo, place) in self._folders:
                    return ("d", (repo, place, ""))
        return ("e", text.rpartition("/")[2], ())

    def offered(self) -> frozenset[str]:
        """Return the paths of modules, with which the imports of other repositories begin."""
        return frozenset(path for path, _, _ in self._modules)

    def child(self, module: Value, name: str) -> Value:
        """Return something outside: a package has no packages as members."""
        return ("e", name, ()) if module and module[0] == "d" and module[1][2:] == ("",) else None


def module_path(text: str) -> str | None:
    """Return the path that a go.mod gives its module."""
    found = _MODULE.search(text)
    return found.group(1) if found else None
