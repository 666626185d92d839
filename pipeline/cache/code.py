"""A digest of the code that makes something, so that a cache never gives what other code made."""

from __future__ import annotations

import hashlib
from functools import cache, lru_cache
from pathlib import Path

__all__ = ["PACKAGE", "QUERY_CODE", "code_digest", "code_files"]

PACKAGE = Path(__file__).parents[2]
"""The folder that holds `pipeline`, `query` and `schemas`."""

QUERY_CODE = (
    *("query/encoder.py", "query/stems.py"),
    *("query/readers/__init__.py", "query/readers/arrays.py"),  # which the encoder names its arrays by
)
"""Code of the query side that makes parts of a snapshot."""

_KINDS = (".py", ".scm")


@lru_cache(maxsize=8)
def code_digest(*places: str) -> str:
    """Return the hex sha256 of the names and bytes of all code at `places`: files or folders below the package.

    A release could be told by its version alone; work on the code itself could not.
    """
    total = hashlib.sha256()
    for path in code_files(*places):
        total.update(f"{path.relative_to(PACKAGE).as_posix()}\0{_file_digest(path)}\0".encode())
    return total.hexdigest()


@cache
def _file_digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def code_files(*places: str) -> list[Path]:
    """Return the files of code at `places`, in the order of their paths; FileNotFoundError for a place that is not there."""
    found: set[Path] = set()
    for place in places:
        path = PACKAGE / place
        if path.is_file():
            found.add(path)
        elif path.is_dir():
            found.update(p for p in path.rglob("*") if p.suffix in _KINDS and p.is_file())
        else:
            raise FileNotFoundError(path)
    return sorted(found)
