"""Decide which paths gitignore patterns exclude, exactly as git does.

Paths and patterns are bytes, relative, with `/`, as git matches bytes and not characters. The rules are those of
gitignore(5) and, where the manual is silent, of git's own matcher: the last matching pattern of the deepest file
decides; a file under an excluded folder cannot come back; `**` spans folders only between slashes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ._wildmatch import expression, literal_length

__all__ = ["IgnoreRules", "Pattern", "parse"]

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One line of an ignore file; `regex` is matched against the whole base name, or the path below the file's folder."""

    regex: re.Pattern[bytes]
    negative: bool
    folders_only: bool
    by_name: bool


def parse(data: bytes) -> tuple[Pattern, ...]:
    """Return the patterns of an ignore file in order; lines that can match nothing are left out."""
    patterns = (_pattern(line) for line in _lines(data))
    return tuple(p for p in patterns if p is not None)


class IgnoreRules:
    """The patterns of nested ignore files; folders are asked about once and remembered."""

    def __init__(self) -> None:
        self._lists: dict[bytes, tuple[Pattern, ...]] = {}
        self._folders: dict[bytes, bool] = {b"": False}

    def add(self, folder: bytes, data: bytes) -> None:
        """Add the ignore file of `folder` (`b""` is the root), before anything below that folder is asked about."""
        if patterns := parse(data):
            self._lists[folder] = patterns

    def excludes(self, path: bytes, *, is_folder: bool = False) -> bool:
        """Tell whether `path`, or a folder above it, is excluded."""
        if not self._lists:
            return False
        if is_folder:
            return self._excludes_folder(path)
        return self._excludes_folder(path.rpartition(b"/")[0]) or self._verdict(path, is_folder=False)

    def _excludes_folder(self, folder: bytes) -> bool:
        unknown = []
        while folder not in self._folders:
            unknown.append(folder)
            folder = folder.rpartition(b"/")[0]
        known = self._folders[folder]
        for below in reversed(unknown):
            known = self._folders[below] = known or self._verdict(below, is_folder=True)
        return known

    def _verdict(self, path: bytes, *, is_folder: bool) -> bool:
        """Judge `path` by itself: the deepest list that has a matching pattern decides."""
        folder, _, name = path.rpartition(b"/")
        while True:
            patterns = self._lists.get(folder)
            if patterns:
                below = path[len(folder) + 1 :] if folder else path
                for p in reversed(patterns):
                    if (is_folder or not p.folders_only) and p.regex.fullmatch(name if p.by_name else below):
                        return not p.negative
            if not folder:
                return False
            folder = folder.rpartition(b"/")[0]


def _lines(data: bytes) -> list[bytes]:
    lines = data.removeprefix(_BOM).split(b"\n")
    return [_trimmed(line.removesuffix(b"\r")) for line in lines if line and not line.startswith(b"#")]


def _trimmed(line: bytes) -> bytes:
    """Drop trailing blanks (not tabs), but none that a backslash quotes."""
    line = line.partition(b"\0")[0]
    bare = line.rstrip(b" ")
    backslashes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + 1] if backslashes % 2 and len(bare) < len(line) else bare


@lru_cache(maxsize=4096)
def _pattern(line: bytes) -> Pattern | None:
    negative = line.startswith(b"!")
    glob = line[negative:]
    folders_only = glob.endswith(b"/")
    glob = glob[: len(glob) - folders_only]
    by_name = b"/" not in glob
    if not by_name:
        glob = glob.removeprefix(b"/")
    regex = expression(glob, bounded_at=literal_length(glob) if not by_name else -1)
    if not glob or regex is None:
        return None
    return Pattern(regex=re.compile(regex, re.DOTALL), negative=negative, folders_only=folders_only, by_name=by_name)
