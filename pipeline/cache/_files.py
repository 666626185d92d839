"""Files of a cache: written whole or not at all, and marked as used."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from pathlib import Path
from typing import IO

import pyarrow as pa

__all__ = ["PARTIAL", "abandoned", "touch", "write_whole"]

PARTIAL = ".partial-"
"""What the names of unfinished files begin with."""

_FRESH = 3600.0
"""Seconds for which a file that was marked as used is not marked again."""


def write_whole(path: Path, *parts: bytes | pa.Buffer) -> None:
    """Write a file under a name of its own and rename it, so that others see all of it or nothing; raises OSError."""
    partial = path.parent / f"{PARTIAL}{os.getpid()}-{secrets.token_hex(8)}"
    try:
        with partial.open("xb") as file:
            _lock(file)
            file.writelines(parts)
            file.flush()
            partial.replace(path)
    except BaseException:
        with suppress(OSError):
            partial.unlink()
        raise


def touch(path: Path) -> None:
    """Mark a file as used now; its time of modification tells pruning what is old."""
    with suppress(OSError):  # of another user, or pruned meanwhile
        if time.time() - path.stat().st_mtime > _FRESH:
            os.utime(path)


def abandoned(partial: Path) -> bool:
    """Say whether an unfinished file belongs to a process that is gone: its lock was the kernel's."""
    try:
        with partial.open("rb") as file:
            return _lock(file)
    except OSError:
        return False


def _lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed; False where another process has it, or nothing can be locked."""
    try:
        import fcntl  # not there on Windows

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (ImportError, OSError):
        return False
    return True
