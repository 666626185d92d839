"""Turn raw listings of paths into entries: which ones count, and why some are skipped unread."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from ..roles import is_secret_name, is_vendored
from .disk import Tree, link_reason, stamp_of
from .ignore import IgnoreRules
from .model import Entry, ListingOptions, SourceRequest, Stamp

__all__ = ["IGNORE_FILE", "Found", "Selection", "entries", "examine", "outside", "printable"]

IGNORE_FILE = b".codequarryignore"


class Found(NamedTuple):
    """One raw path of a listing, before selection; a tuple because a listing makes and remakes one a file.

    `reason` is a reason to skip it that the listing itself knows; `folder` marks a repository inside the source that
    stands as one path; `changed` says that it differs from the commit.
    """

    path: bytes
    size: int | None = None
    reason: str | None = None
    blob: str | None = None
    oid: str | None = None
    stamp: Stamp | None = None
    folder: bool = False
    changed: bool = False


class Selection:
    """Which paths of a source count: include and exclude globs, ignore files, folders left out."""

    def __init__(self, request: SourceRequest, left_out: Iterable[bytes] = ()) -> None:
        self._include = _globs(request.include)
        self._exclude = _globs(request.exclude)
        self._ignore = IgnoreRules()
        self._left_out = tuple(left_out)

    def read_ignore_files(self, paths: Iterable[bytes], read: Callable[[bytes], bytes | None]) -> None:
        """Add the ignore files among `paths`, parents before children."""
        for path in sorted(p for p in paths if p.rpartition(b"/")[2] == IGNORE_FILE):
            data = read(path)
            if data is not None:
                self._ignore.add(path.rpartition(b"/")[0], data)

    def keeps(self, path: bytes, *, is_folder: bool = False) -> bool:
        """Tell whether a path counts."""
        included = self._include is None or self._include.excludes(path, is_folder=is_folder)
        return included and self.enters(path, is_folder=is_folder)

    def enters(self, path: bytes, *, is_folder: bool = True) -> bool:
        """Tell whether something at or below a path may count."""
        if any(path == folder or path.startswith(folder + b"/") for folder in self._left_out):
            return False
        if self._ignore.excludes(path, is_folder=is_folder):
            return False
        return self._exclude is None or not self._exclude.excludes(path, is_folder=is_folder)


def entries(kept: Iterable[Found], options: ListingOptions) -> tuple[Entry, ...]:
    """Return the entries of the paths that count, in the order of the bytes of their UTF-8 paths."""
    result: dict[bytes, Entry] = {}
    odd: list[Found] = []
    for found in kept:
        try:
            result[found.path] = _entry(found, found.path.decode(), options)
        except UnicodeDecodeError:
            odd.append(found)
    for found in sorted(odd, key=lambda f: f.path):
        name = printable(found.path)
        while name.encode() in result:
            name += "~"
        result[name.encode()] = Entry(path=name, size=found.size, reason="path_not_utf8")
    return tuple(result[path] for path in sorted(result))


def examine(tree: Tree, path: bytes, *, sparse: bool = False) -> Found:
    """Look at one path of a folder on disk; `sparse` says that git does not expect it there."""
    try:
        status = tree.lstat(path)
    except PermissionError:
        return Found(path=path, reason="unreadable")
    except OSError:
        return Found(path=path, reason="not_checked_out" if sparse else "missing")
    if stat.S_ISLNK(status.st_mode):
        return Found(path=path, size=status.st_size, reason=_link(tree, path), stamp=stamp_of(status))
    if not stat.S_ISREG(status.st_mode):
        return Found(path=path, reason="not_regular")
    return Found(path=path, size=status.st_size, stamp=stamp_of(status))


def outside(root: Path, folders: Iterable[Path]) -> tuple[bytes, ...]:
    """Return those of `folders` that lie below `root`, relative to it."""
    base = os.path.realpath(root)
    below = (os.path.relpath(os.path.realpath(f), base) for f in folders)
    return tuple(os.fsencode(p) for p in below if p != ".." and not p.startswith("../") and p != ".")


def printable(path: bytes) -> str:
    """Write the bytes of a path that are not UTF-8 as `\\xNN`: readable, not reversible."""
    return path.decode("utf-8", "backslashreplace")


def _link(tree: Tree, path: bytes) -> str:
    try:
        return link_reason(path, tree.readlink(path))
    except OSError:
        return "symlink"


def _entry(found: Found, path: str, options: ListingOptions) -> Entry:
    reason = found.reason
    if reason is None and not options.allow_secrets and is_secret_name(path):
        reason = "secret"
    if reason is None and found.size is not None and found.size > options.max_file_size:
        reason = "too_large"
    vendored = is_vendored(path)
    if reason is not None:
        return Entry(path=path, size=found.size, reason=reason, vendored=vendored)
    return Entry(path=path, size=found.size, vendored=vendored, blob=found.blob, oid=found.oid, stamp=found.stamp)


def _globs(patterns: tuple[str, ...]) -> IgnoreRules | None:
    if not patterns:
        return None
    rules = IgnoreRules()
    rules.add(b"", b"\n".join(os.fsencode(p) for p in patterns))
    return rules
