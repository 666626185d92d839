"""Values of any kind by name: one file each, whole under its name or not there, with its own hash."""

from __future__ import annotations

import hashlib
import logging
import os
import re
from contextlib import suppress
from pathlib import Path

from ._files import touch, write_whole

__all__ = ["VALUES", "Values"]

log = logging.getLogger(__name__)

VALUES = "values"
"""The folder of values in a cache."""

_DIGEST_BYTES = 32
_KIND = re.compile(r"[a-z][a-z_]{0,31}\Z")
_KEY = re.compile(r"[0-9a-f]{16,64}\Z")


class Values:
    """A folder of values; a value is found by its kind and key or not at all, so it is never out of date.

    A key is a hex digest of all that the value depends on, the code that makes it included (`code_digest`). Processes may
    use one folder at the same time. Whatever goes wrong with a file costs its value: a cache is allowed to forget.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, kind: str, key: str) -> bytes | None:
        """Return the value, None where there is none or its file is damaged; a damaged one is removed."""
        path = self._path(kind, key)
        try:
            held = path.read_bytes()
        except OSError:
            return None
        value, digest = held[:-_DIGEST_BYTES], held[-_DIGEST_BYTES:]
        if hashlib.sha256(value).digest() != digest:
            log.warning("%s is damaged and is made again", path)
            with suppress(OSError):
                path.unlink()
            return None
        touch(path)
        return value

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Keep a value; what is there already under the same name is replaced. A disk that is full or read-only keeps none."""
        path = self._path(kind, key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, value, hashlib.sha256(value).digest())
        except OSError as error:
            log.warning("%s was not kept (%s)", path, os.strerror(error.errno or 0))

    def _path(self, kind: str, key: str) -> Path:
        if not _KIND.match(kind) or not _KEY.match(key):
            raise ValueError(f"{kind!r} and {key!r} are no kind and key of a value")
        return self._folder / kind / key[:2] / key[2:]
