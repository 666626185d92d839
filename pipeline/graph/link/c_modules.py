"""Names of C and C++: what a file sees through its includes, and the definitions behind prototypes."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from ..references.chains import plain_path
from ._core import TYPES
from .spaces import outward, space_of, spellings
from .values import INCLUDED, LIBRARY, PROTOTYPE, SCOPE, Value

if TYPE_CHECKING:
    from .world import World

__all__ = ["CModules"]

_MOST_REACHED = 64
_MOST_INCLUDES = 4096
_LOCAL = frozenset({"static", "namespace"})
"""Flags of functions that only their file sees; the second is that of a namespace without name."""

_LIBRARY = frozenset(
    (
        "abort abs accept access atoi atol basename bind bsearch calloc chdir chmod chown clock close connect dup dup2 "
        "err execvp exit fclose fcntl fflush fopen fork fprintf fputs fread free fscanf fseek fstat fsync ftell fwrite "
        "getcwd getenv getpid gettimeofday htonl htons index ioctl isatty kill link listen localtime log lseek lstat "
        "malloc memchr memcmp memcpy memmove memset mkdir mkstemp mmap munmap nanosleep open pause perror pipe poll pow "
        "printf putenv puts qsort raise rand random read readdir readlink realloc realpath recv rename rewind rmdir "
        "round scanf select send setenv setsockopt shutdown sigaction signal sin sleep snprintf socket sprintf sqrt "
        "srand sscanf stat strcat strchr strcmp strcpy strdup strerror strlen strncmp strncpy strrchr strstr strtol "
        "symlink system tan time truncate umask uname unlink usleep utime vfprintf wait waitpid warn write "
    ).split()
)
"""Names of the C library and POSIX: a definition of the same name in the corpus is a replacement less surely."""


class CModules:
    """Find included files and visible functions of one repository."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._by_base: dict[tuple[str, str], list[int]] = {}
        self._globals: dict[tuple[str, str, str], list[int]] = {}
        self._others: dict[tuple[str, str, str], list[int]] = {}
        self._spaces: set[tuple[str, str]] = set()
        self._declared: dict[tuple[str, str, str], list[int]] = {}
        self._includes: dict[int, tuple[int, ...]] = {}
        for number, file in enumerate(world.files):
            if world.dialects[number].shared == "includes" and file.facts is not None:
                self._by_base.setdefault((file.repo, file.path.rpartition("/")[2]), []).append(number)
                self._register(number, file.repo)
        self._reached: dict[int, frozenset[int]] = {}

    def _register(self, number: int, repo: str) -> None:
        world = self._world
        facts = world.files[number].facts
        assert facts is not None
        for scope, item in enumerate(facts.scopes, world.scope_base[number]):
            if item.kind not in ("file", "namespace"):
                continue
            space = space_of(world, scope)
            self._spaces.update((repo, outer) for outer in outward(space))
            for name, found in world.names[scope].items():
                for d in found:
                    if d >= 0:
                        kind, flags = world.definitions[d].kind, world.definitions[d].flags
                        table = self._globals if kind == "function" and _LOCAL.isdisjoint(flags.split()) else self._others
                        table.setdefault((repo, space, name), []).append(d)

    def _declarations(self, repo: str, space: str, name: str) -> list[int]:
        """Return the prototypes of that name in a namespace of a repository."""
        world = self._world
        if not self._declared:
            for found in world.prototypes.values():
                for d in found:
                    place = (world.files[world.definition_file[d]].repo, space_of(world, world.scope_of(d)))
                    self._declared.setdefault((*place, world.definitions[d].name), []).append(d)
        return self._declared.get((repo, space, name), [])

    def module(self, file: int, text: str, kind: str, scope: int = -1) -> Value:
        """Return the included file, or the namespace or names that a `using` brings, or something outside."""
        if kind == "include":
            found = self._include(file, text)
            return ("m", found) if found is not None else ("e", text, ())
        repo, path = self._world.files[file].repo, plain_path(text)
        for full in spellings(self._world, scope, path):
            if (repo, full) in self._spaces:
                return ("d", (repo, full, "cpp", file))
            space, _, name = full.rpartition(".")
            seen = self.visible(file, name, space)[0]
            if seen:
                is_type = self._world.definitions[seen[0]].kind in TYPES
                return ("c", seen[0], ()) if is_type else ("x", seen)
        return ("e", path.rpartition(".")[2], ())

    def around(self, file: int, space: str, name: str) -> tuple[tuple[int, ...], int]:
        """Return what a name means in a namespace or in one around it, but for the global one, and the rank."""
        for outer in outward(space):
            found = self.visible(file, name, outer) if outer else ((), SCOPE)
            if found[0]:
                return found
        return (), SCOPE

    def free(self, scope: int, name: str) -> Value:
        """Return the namespace that a name stands for at a scope, or None."""
        file = self._world.scope_file[scope]
        repo = self._world.files[file].repo
        for full in spellings(self._world, scope, name):
            if (repo, full) in self._spaces:
                return ("d", (repo, full, "cpp", file))
        return None

    def _include(self, file: int, text: str) -> int | None:
        """Look beside the including file, then for the one whose path ends so and shares most of its folders."""
        source = self._world.files[file]
        folder = source.path.rpartition("/")[0]
        beside = self._world.by_path.get((source.repo, posixpath.normpath(posixpath.join(folder, text))))
        if beside is not None:
            return beside
        tail = posixpath.normpath(text).lstrip("./")
        found = [
            n
            for n in self._by_base.get((source.repo, tail.rpartition("/")[2]), ())
            if self._world.files[n].path == tail or self._world.files[n].path.endswith("/" + tail)
        ]
        return min(found, key=lambda n: (-_common(folder, self._world.files[n].path), n), default=None)

    def _closure(self, file: int) -> frozenset[int]:
        """Return all files that the file includes, itself among them; answers are remembered, and dropped when they are many."""
        known = self._reached.get(file)
        if known is None:
            if len(self._reached) >= _MOST_REACHED:
                self._reached.clear()
            known = self._reached[file] = self._reach(file)
        return known

    def _reach(self, file: int) -> frozenset[int]:
        seen = {file}
        waiting = [file]
        while waiting and len(seen) < _MOST_INCLUDES:
            at = waiting.pop()
            if at not in self._includes:
                texts = (self._world.imports[-1 - mark].module for mark in self._world.includes.get(at, ()))
                self._includes[at] = tuple(f for f in (self._include(at, t) for t in texts) if f is not None)
            for other in self._includes[at]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return frozenset(seen)

    def visible(self, file: int, name: str, space: str = "") -> tuple[tuple[int, ...], int]:
        """Return what `name` of a namespace means in a file beyond the scope it is used in, and the rank of that answer."""
        world = self._world
        repo = world.files[file].repo
        key = (repo, space, name)
        defined, others = self._globals.get(key, ()), self._others.get(key, ())
        declared = self._declarations(*key) if name in world.prototypes else ()
        if not (defined or others or declared):
            return (), SCOPE
        reach = self._closure(file)
        near = tuple(d for d in (*others, *defined) if world.definition_file[d] in reach)
        if near:
            return near, SCOPE
        seen = tuple(d for d in declared if world.definition_file[d] in reach)
        if not seen:
            return (), SCOPE
        if defined:
            return tuple(defined), LIBRARY if name in _LIBRARY else INCLUDED
        return seen[:1], PROTOTYPE

    def child(self, module: Value, name: str) -> Value:
        """Return the namespace `name` in a namespace; files have no files as members."""
        if module and module[0] == "d" and module[1][2:3] == ("cpp",):
            repo, space, _, file = module[1]
            inner = f"{space}.{name}"
            return ("d", (repo, inner, "cpp", file)) if (repo, inner) in self._spaces else None
        return None


def _common(folder: str, path: str) -> int:
    """Return how many leading folders two paths share."""
    count = 0
    for left, right in zip(folder.split("/"), path.split("/"), strict=False):
        if left != right:
            break
        count += 1
    return count
