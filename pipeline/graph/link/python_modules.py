"""Python's imports: modules by dotted name from the roots of packages, relative ones by folder, fixtures by conftest."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .values import Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["PythonModules"]

_SUFFIXES = (".py", ".pyi")
_PROJECTS = ("pyproject.toml", "setup.py", "setup.cfg")


class PythonModules:
    """Find modules of all repositories; the importer's own repository and nearest folder come first."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._folders: set[tuple[str, str]] = set()
        self._packages: set[tuple[str, str]] = set()
        self._named: dict[str, list[tuple[str, str, str, int]]] = {}
        self._fixtures: dict[str, list[int]] | None = None
        paths = [(f.repo, f.path, n) for n, f in enumerate(world.files) if f.path.endswith(_SUFFIXES)]
        for repo, path, _ in paths:
            folder, _, name = path.rpartition("/")
            if name in ("__init__.py", "__init__.pyi"):
                self._packages.add((repo, folder))
            while folder:
                self._folders.add((repo, folder))
                folder = folder.rpartition("/")[0]
        for repo, path, number in paths:
            self._register(repo, path, number)

    def _register(self, repo: str, path: str, number: int) -> None:
        folder, _, name = path.rpartition("/")
        root = folder
        while (repo, root) in self._packages and root:
            root = root.rpartition("/")[0]
        stem = name.rpartition(".")[0]
        inside = folder[len(root) :].strip("/")
        parts = [p for p in inside.split("/") if p] + ([] if stem == "__init__" else [stem])
        if parts:
            self._named.setdefault(".".join(parts), []).append((repo, root, "package" if inside else "script", number))

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the file or folder that an import's module text names, or something outside."""
        if text.startswith("."):
            return self._relative(file, text)
        return self._absolute(file, text) or ("e", text, ())

    def _relative(self, file: int, text: str) -> Value:
        source = self._world.files[file]
        name = text.lstrip(".")
        folder = source.path.rpartition("/")[0]
        for _ in range(len(text) - len(name) - 1):
            folder = folder.rpartition("/")[0]
        path = "/".join(p for p in (folder, name.replace(".", "/")) if p)
        return self._at(source.repo, path)

    def _at(self, repo: str, path: str) -> Value:
        prefix = f"{path}/" if path else ""
        for candidate in (f"{prefix}__init__.py", f"{path}.py", f"{prefix}__init__.pyi", f"{path}.pyi"):
            found = self._world.by_path.get((repo, candidate))
            if found is not None:
                return ("m", found)
        return ("d", (repo, path)) if (repo, path) in self._folders else None

    def _absolute(self, file: int, text: str) -> Value:
        source = self._world.files[file]
        folder = source.path.rpartition("/")[0]
        best: tuple[int, int] | None = None
        standard = text.partition(".")[0] in sys.stdlib_module_names
        for repo, root, how, number in self._named.get(text, ()):
            below = repo == source.repo and _under(folder, root)
            if how == "script" and not (below and (root == folder or not standard) and not self._inside(repo, folder, root)):
                continue
            if (not below and (standard or not self._is_installed(repo, root))) or number == file:
                continue
            closeness = len(root) + 1 if below else 0
            if repo == source.repo:
                closeness += 1
            if best is None or closeness > best[0]:
                best = (closeness, number)
        if best is not None:
            return ("m", best[1])
        return None if standard else self._namespace(file, text)

    def _is_installed(self, repo: str, root: str) -> bool:
        """Return whether packages below the folder are there for everybody: it or the folder above is a project's."""
        above = root.rpartition("/")[0]
        places = (root, above) if root else ("",)
        files = (f"{place}/{name}" if place else name for place in places for name in _PROJECTS)
        return not root or any((repo, path) in self._world.by_path for path in files)

    def offered(self) -> frozenset[str]:
        """Return the dotted names of modules that other repositories can import."""
        return frozenset(
            text
            for text, places in self._named.items()
            if any(how == "package" and self._is_installed(repo, root) for repo, root, how, _ in places)
        )

    def _inside(self, repo: str, folder: str, root: str) -> bool:
        """Return whether the folder is a package: there a plain import never means a neighbour."""
        return (repo, folder) in self._packages and folder == root and bool(root)

    def _namespace(self, file: int, text: str) -> Value:
        """Look below the repository's usual roots for folders without `__init__.py`."""
        source = self._world.files[file]
        path = text.replace(".", "/")
        ancestors = [source.path.rpartition("/")[0]]
        while ancestors[-1]:
            ancestors.append(ancestors[-1].rpartition("/")[0])
        for root in [a for a in ancestors if (source.repo, a) not in self._packages] + ["src", "lib"]:
            found = self._at(source.repo, f"{root}/{path}" if root else path)
            if found is not None:
                return found
        return None

    def child(self, module: Value, name: str) -> Value:
        """Return the submodule or subpackage `name`."""
        if module is None:
            return None
        if module[0] == "d" and isinstance(module[1], tuple):
            repo, folder = module[1]
            return self._at(repo, f"{folder}/{name}" if folder else name)
        if module[0] != "m":
            return None
        file = self._world.files[module[1]]
        folder, _, base = file.path.rpartition("/")
        return self._at(file.repo, f"{folder}/{name}" if folder else name) if base.startswith("__init__.py") else None

    def fixture(self, file: int, name: str, function: int) -> int:
        """Return the nearest fixture of that name: the file's own, then conftest.py upwards; only tests have them."""
        world = self._world
        tested = world.definitions[function]
        if not (tested.name.startswith("test") or "fixture" in tested.flags):
            return -1
        if self._fixtures is None:
            self._fixtures = {}
            for d, item in enumerate(world.definitions):
                if "fixture" in item.flags and item.kind == "function":
                    self._fixtures.setdefault(item.name, []).append(d)
        folder = world.files[file].path.rpartition("/")[0]
        best = (-1, -1)
        for d in self._fixtures.get(name, ()):
            other = world.definition_file[d]
            if world.files[other].repo != world.files[file].repo or d == function:
                continue
            place, _, base = world.files[other].path.rpartition("/")
            if other == file:
                best = max(best, (1 << 20, d))
            elif base == "conftest.py" and _under(folder, place):
                best = max(best, (len(place), d))
        return best[1]


def _under(folder: str, root: str) -> bool:
    return not root or folder == root or folder.startswith(root + "/")
