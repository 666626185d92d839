"""Keep a cache small: what was not used for long goes, and the oldest above a size."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ._files import PARTIAL, abandoned
from .facts import FACTS
from .values import VALUES

__all__ = ["MOST_BYTES", "MOST_SECONDS", "Pruned", "prune"]

MOST_SECONDS = 30 * 86400.0
MOST_BYTES = 4_000_000_000

_PARTIAL_SECONDS = 86400.0
"""After a day, a file that is not finished never will be, also where nothing can be locked."""


class Pruned(NamedTuple):
    """What pruning did: files and bytes that it removed, and those that stay."""

    removed: int
    removed_bytes: int
    kept: int
    kept_bytes: int


class _File(NamedTuple):
    used: float
    size: int
    path: Path


def prune(root: Path, *, most_bytes: int = MOST_BYTES, most_seconds: float = MOST_SECONDS) -> Pruned:
    """Remove what no run has used for `most_seconds`, and then the least recently used until `most_bytes` are left.

    Only what caches consist of is touched. A run that has a removed file open keeps it; nothing that is refused fails.
    """
    now = time.time()
    files, left, gone = sorted(_files(root), reverse=True), 0, []
    kept = 0
    for file in files:
        partial = file.path.name.startswith(PARTIAL)
        limit = _PARTIAL_SECONDS if partial else most_seconds
        if now - file.used > limit or left + file.size > most_bytes or (partial and abandoned(file.path)):
            gone.append(file)
        else:
            left, kept = left + file.size, kept + 1
    for file in gone:
        with suppress(OSError):
            file.path.unlink()
    _remove_empty(root)
    return Pruned(len(gone), sum(file.size for file in gone), kept, left)


def _files(root: Path) -> Iterator[_File]:
    for kind in (FACTS, VALUES):
        for folder, _, names in os.walk(root / kind):
            for name in names:
                path = Path(folder, name)
                with suppress(OSError):  # pruned by another process meanwhile
                    status = path.lstat()
                    yield _File(status.st_mtime, status.st_size, path)


def _remove_empty(root: Path) -> None:
    for kind in (FACTS, VALUES):
        for folder, _, _ in os.walk(root / kind, topdown=False):
            with suppress(OSError):  # not empty
                os.rmdir(folder)
