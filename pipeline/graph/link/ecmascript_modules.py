"""Modules of JavaScript and TypeScript: relative paths, tsconfig paths, package.json names, exports and #imports."""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING, Any

from .values import Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["EcmascriptModules", "package_name", "told_by_json"]

_ENDINGS = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte")
_WRITTEN_FOR = {".js": (".ts", ".tsx", ".d.ts"), ".mjs": (".mts",), ".cjs": (".cts",), ".jsx": (".tsx",)}
_CONDITIONS = ("source", "types", "import", "module", "browser", "default", "require", "node", "main")
_PACKAGE = ("name", "imports", "exports", "source", "types", "typings", "module", "main")
_ENTRIES = _PACKAGE[3:]
"""What is read of a package.json, and what of that are entries where there are no exports."""

_OPTIONS = ("baseUrl", "paths")
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


class EcmascriptModules:
    """Find the file behind a module specifier; what is not in the corpus is outside."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._configs: dict[tuple[str, str], dict[str, Any]] = {}
        self._packages: dict[tuple[str, str], dict[str, Any]] = {}
        self._names: dict[str, list[tuple[str, str]]] = {}
        for file in world.files:
            folder, _, base = file.path.rpartition("/")
            if file.text is None or not base.endswith(".json"):
                continue
            if base == "package.json":
                package = _read(file.text)
                self._packages[(file.repo, folder)] = package
                if isinstance(package.get("name"), str):
                    self._names.setdefault(package["name"], []).append((file.repo, folder))
            elif base in ("tsconfig.json", "jsconfig.json", "tsconfig.base.json", "deno.json"):
                self._configs.setdefault((file.repo, folder), {}).update(_read(file.text))

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the file that a specifier names, or something outside."""
        source = self._world.files[file]
        folder = source.path.rpartition("/")[0]
        text = text.partition("?")[0]
        if not text:
            return ("m", file) if kind == "export" else ("e", "", ())
        if text.startswith("."):
            found = self._at(source.repo, posixpath.normpath(posixpath.join(folder, text)))
        elif text.startswith("#"):
            found = self._own_import(source.repo, folder, text)
        else:
            found = self._by_paths(source.repo, folder, text)
            if found is None:
                found = self._by_package(source.repo, text)
        return ("m", found) if found is not None else ("e", text, ())

    def child(self, module: Value, name: str) -> Value:
        """Return None: modules have no submodules here."""
        return None

    def offered(self) -> frozenset[str]:
        """Return the names of packages, by which other repositories import them."""
        return frozenset(self._names)

    def _at(self, repo: str, path: str) -> int | None:
        path = "" if path == "." else path
        by_path = self._world.by_path
        stem, ending = posixpath.splitext(path)
        for other in _WRITTEN_FOR.get(ending, ()):
            found = by_path.get((repo, stem + other))
            if found is not None:
                return found
        found = by_path.get((repo, path))
        if found is not None:
            return found
        for ending in _ENDINGS:
            found = by_path.get((repo, path + ending))
            if found is not None:
                return found
        for ending in _ENDINGS:
            found = by_path.get((repo, f"{path}/index{ending}" if path else f"index{ending}"))
            if found is not None:
                return found
        package = self._packages.get((repo, path))
        return self._entry(repo, path, package, ".") if package else None

    def _ancestors(self, folder: str) -> list[str]:
        found = [folder]
        while found[-1]:
            found.append(found[-1].rpartition("/")[0])
        return found

    def _by_paths(self, repo: str, folder: str, text: str) -> int | None:
        for place in self._ancestors(folder):
            config = self._configs.get((repo, place))
            if config is None:
                continue
            options = config.get("compilerOptions")
            if not isinstance(options, dict):
                continue
            base = posixpath.normpath(posixpath.join(place, str(options.get("baseUrl", "."))))
            paths = options.get("paths")
            for pattern, targets in paths.items() if isinstance(paths, dict) else ():
                rest = _matched(pattern, text)
                for target in targets if rest is not None and isinstance(targets, list) else ():
                    path = posixpath.normpath(posixpath.join(base, str(target).replace("*", rest or "")))
                    found = self._at(repo, path)
                    if found is not None:
                        return found
            if "baseUrl" in options:
                found = self._at(repo, posixpath.normpath(posixpath.join(base, text)))
                if found is not None:
                    return found
        return None

    def _own_import(self, repo: str, folder: str, text: str) -> int | None:
        for place in self._ancestors(folder):
            imports = self._packages.get((repo, place), {}).get("imports")
            for pattern, target in imports.items() if isinstance(imports, dict) else ():
                rest = _matched(pattern, text)
                if rest is not None:
                    return self._first(repo, place, target, rest)
        return None

    def _by_package(self, repo: str, text: str) -> int | None:
        name = package_name(text)
        rest = text[len(name) + 1 :]
        places = sorted(self._names.get(name, ()), key=lambda p: (p[0] != repo, len(p[1]), p[1]))
        for owner, folder in places:
            found = self._entry(owner, folder, self._packages[(owner, folder)], f"./{rest}" if rest else ".")
            if found is not None:
                return found
        return None

    def _entry(self, repo: str, folder: str, package: dict[str, Any], wanted: str) -> int | None:
        exports = package.get("exports")
        if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
            for pattern, target in exports.items():
                rest = _matched(pattern, wanted)
                if rest is not None:
                    found = self._first(repo, folder, target, rest)
                    if found is not None:
                        return found
        elif exports is not None and wanted == ".":
            found = self._first(repo, folder, exports, "")
            if found is not None:
                return found
        if wanted == ".":
            for key in _ENTRIES:
                found = self._first(repo, folder, package.get(key), "")
                if found is not None:
                    return found
            wanted = "./index"
        for inside in ("src", ""):
            found = self._at(repo, posixpath.normpath(posixpath.join(folder, inside, wanted)))
            if found is not None:
                return found
        return None

    def _first(self, repo: str, folder: str, target: object, rest: str) -> int | None:
        """Return the first file of a conditional target; built files are looked for under src as well."""
        if isinstance(target, str):
            path = posixpath.normpath(posixpath.join(folder, target.replace("*", rest)))
            for candidate in (path, re.sub(r"(^|/)(?:dist|lib|build|out)(?:/(?:esm|cjs|types))?/", r"\1src/", path)):
                found = self._at(repo, candidate.removesuffix(".d.ts"))
                if found is not None:
                    return found
        elif isinstance(target, list):
            for part in target:
                found = self._first(repo, folder, part, rest)
                if found is not None:
                    return found
        elif isinstance(target, dict):
            order = sorted(target, key=lambda k: (_CONDITIONS.index(k) if k in _CONDITIONS else -1, k))
            for key in order:
                found = self._first(repo, folder, target[key], rest)
                if found is not None:
                    return found
        return None


def package_name(text: str) -> str:
    """Return the package that a specifier names: its first part, the first two of `@scope/name`."""
    return "/".join(text.partition("?")[0].split("/")[: 2 if text.startswith("@") else 1])


def told_by_json(base: str, text: str) -> str:
    """Return what is read of a package.json, or of a file of compiler options, named `base`."""
    read = _read(text)
    if base == "package.json":
        return json.dumps({key: read[key] for key in _PACKAGE if key in read})
    options = read.get("compilerOptions")
    kept = {key: options[key] for key in _OPTIONS if key in options} if isinstance(options, dict) else options
    return json.dumps({"compilerOptions": kept} if "compilerOptions" in read else {})


def _matched(pattern: str, text: str) -> str | None:
    """Return what `*` stands for, an empty string for an exact match, None for no match."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == text else None
    fits = text.startswith(before) and text.endswith(after) and len(text) >= len(before) + len(after)
    return text[len(before) : len(text) - len(after)] if fits else None


def _read(text: str) -> dict[str, Any]:
    """Read JSON with comments and trailing commas; anything else is empty."""
    plain = _TRAILING.sub(lambda m: m.group(1) or "", _COMMENT.sub(lambda m: m.group(1) or "", text))
    try:
        value = json.loads(plain)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
