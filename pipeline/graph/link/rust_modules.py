"""Rust's modules: crates by Cargo.toml, module files by folder, `crate`, `self` and `super` by place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._core import EVERYWHERE
from .values import Value

if TYPE_CHECKING:
    from .infer import Inference
    from .world import World

__all__ = ["RustModules", "crate_name"]

_PACKAGE = re.compile(r"^\[package\][^\[]*?^\s*name\s*=\s*\"([^\"]+)\"", re.MULTILINE | re.DOTALL)
_LIBRARY = re.compile(r"^\[lib\][^\[]*?^\s*name\s*=\s*\"([^\"]+)\"", re.MULTILINE | re.DOTALL)
_OUTSIDE = frozenset({"std", "core", "alloc", "proc_macro", "test"})
_ROOTS = frozenset({"lib.rs", "main.rs"})
_Place = tuple[str, str, tuple[str, ...]]


class RustModules:
    """Find the file of a module path; every file is a module of one crate."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.inference: Inference | None = None
        self._crates: dict[str, list[tuple[str, str]]] = {}
        self._folders: set[tuple[str, str]] = set()
        self._places: dict[int, _Place] = {}
        self._files: dict[_Place, int] = {}
        for file in world.files:
            folder, _, base = file.path.rpartition("/")
            if base == "Cargo.toml" and file.text is not None:
                self._folders.add((file.repo, folder))
                name = crate_name(file.text)
                if name is not None:
                    self._crates.setdefault(name, []).append((file.repo, folder))
        for number, file in enumerate(world.files):
            if file.facts is not None and world.dialects[number].name == "rust":
                place = self._place(file.repo, file.path)
                self._places[number] = place
                self._files.setdefault(place, number)

    def _place(self, repo: str, path: str) -> _Place:
        """Return (repository, root folder or file, module path) of a file."""
        folder, _, base = path.rpartition("/")
        crate = folder
        while crate and (repo, crate) not in self._folders:
            crate = crate.rpartition("/")[0]
        inside = folder[len(crate) :].strip("/").split("/") if folder != crate else []
        if inside[:1] == ["src"] and inside[1:2] != ["bin"]:
            root, parts = f"{crate}/src" if crate else "src", inside[1:]
        elif inside[:1] in (["tests"], ["examples"], ["benches"]) or inside[:2] == ["src", "bin"]:
            depth = 2 if inside[0] == "src" else 1
            parts = inside[depth:]
            top = parts[0] if parts else base.rpartition(".")[0]
            root, parts = "/".join(p for p in (crate, *inside[:depth], top) if p), parts[1:]
            if not inside[depth:] or base == "main.rs":
                return repo, root, ()
        else:
            root, parts = crate, inside
        if base in _ROOTS and not parts:
            return repo, root, ()
        return repo, root, (*parts,) if base == "mod.rs" else (*parts, base.rpartition(".")[0])

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the module, type or crate that a path names at a scope."""
        if kind == "module":
            return self._child_file(file, scope, text)
        first, *rest = text.split("::")
        value = self._start(file, scope, first)
        for part in rest:
            value = self._next(value, part)
        return value

    def _start(self, file: int, scope: int, name: str) -> Value:
        known = self.free(scope, name)
        if known is not None:
            return known
        assert self.inference is not None
        found, _ = self.inference.lookup(scope, name, EVERYWHERE)
        value = self.inference.value_of_any(found)[0] if found else None
        return value if value is not None else ("e", name, ())

    def free(self, scope: int, name: str) -> Value:
        """Return what `crate`, `self`, `super` or the name of a crate is at a scope, or None."""
        file = self._world.scope_file[scope]
        repo, root, path = self._places[file]
        if name == "crate":
            return self._module((repo, root, ()))
        if name in ("self", "super"):
            around = self._around(scope)
            if name == "self":
                return ("c", self._world.defines(around), ()) if around >= 0 else ("m", file)
            if around >= 0:
                outer = self._around(self._world.parents[around])
                return ("c", self._world.defines(outer), ()) if outer >= 0 else ("m", file)
            return self._module((repo, root, path[:-1])) if path else None
        if name in _OUTSIDE:
            return ("e", name, ())
        if name not in self._crates:
            return None
        for owner, folder in sorted(self._crates[name], key=lambda p: (p[0] != repo, p)):
            for root in (f"{folder}/src" if folder else "src", folder):  # where [lib] says path = "lib.rs"
                found = self._files.get((owner, root, ()))
                if found is not None:
                    return ("m", found)
        return None

    def offered(self) -> frozenset[str]:
        """Return the names of crates."""
        return frozenset(self._crates)

    def _around(self, scope: int) -> int:
        """Return the scope of the inline module around a scope, or -1."""
        return self._world.enclosing(scope, "namespace")

    def _module(self, place: _Place) -> Value:
        found = self._files.get(place)
        return ("m", found) if found is not None else None

    def _child_file(self, file: int, scope: int, name: str) -> Value:
        repo, root, path = self._places[file]
        inline: list[str] = []
        at = self._around(scope)
        while at >= 0:
            inline.insert(0, self._world.definitions[self._world.defines(at)].name)
            at = self._around(self._world.parents[at])
        return self._module((repo, root, (*path, *inline, name)))

    def _next(self, value: Value, name: str) -> Value:
        if value is None or self.inference is None:
            return None
        if name == "super" and value[0] == "m":
            repo, root, path = self._places[value[1]]
            return self._module((repo, root, path[:-1]))
        if value[0] == "e":
            return ("e", name, ())
        found = self.inference.named(value, name)
        return self.inference.value_of_any(found)[0] if found else self.child(value, name)

    def child(self, module: Value, name: str) -> Value:
        """Return the file of a child module, even where a macro hides its declaration."""
        if module and module[0] == "m" and module[1] in self._places:
            repo, root, path = self._places[module[1]]
            return self._module((repo, root, (*path, name)))
        return None


def crate_name(text: str) -> str | None:
    """Return the name of the crate that a Cargo.toml is of, as code writes it."""
    found = _LIBRARY.search(text) or _PACKAGE.search(text)
    return found.group(1).replace("-", "_") if found else None
