"""List a folder that is no git repository: an own walk under the rules of its .gitignore files."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from .disk import Tree
from .ignore import IgnoreRules
from .listing import IGNORE_FILE, Found, Selection, examine

__all__ = ["IGNORE_LIMIT", "walk"]

IGNORE_LIMIT = 16 << 20
"""Bytes of an ignore file; a larger one is no ignore file."""


def walk(tree: Tree, selection: Selection) -> Iterator[Found]:
    """Yield every path below the root that neither .gitignore nor `selection` leaves out; `.git` is never entered."""
    rules = IgnoreRules()
    pending = [b""]
    while pending:
        folder = pending.pop()
        prefix = folder + b"/" if folder else b""
        try:
            names = sorted(os.listdir(tree.folder(folder)), key=os.fsencode)
        except OSError:
            yield Found(path=folder, reason="unreadable", folder=True)
            continue
        raw = [os.fsencode(name) for name in names]
        _read_rules(tree, prefix, raw, rules, selection)
        for name in raw:
            path = prefix + name
            if name == b".git":
                continue
            if _is_folder(tree, path):
                if not rules.excludes(path, is_folder=True) and selection.enters(path):
                    pending.append(path)
            elif not rules.excludes(path):
                yield examine(tree, path)


def _read_rules(tree: Tree, prefix: bytes, names: list[bytes], rules: IgnoreRules, selection: Selection) -> None:
    if b".gitignore" in names and (data := read_rules(tree, prefix + b".gitignore")) is not None:
        rules.add(prefix[:-1], data)
    if IGNORE_FILE in names:
        selection.read_ignore_files([prefix + IGNORE_FILE], lambda path: read_rules(tree, path))


def read_rules(tree: Tree, path: bytes) -> bytes | None:
    """Read an ignore file; one that is a link or cannot be read does not count, as for git."""
    try:
        return tree.read(path, IGNORE_LIMIT)[0]
    except OSError:
        return None


def _is_folder(tree: Tree, path: bytes) -> bool:
    try:
        return stat.S_ISDIR(tree.lstat(path).st_mode)
    except OSError:
        return False
