"""The lock of a store: `flock` on one file, held by the coordinator alone and gone with its process."""

from __future__ import annotations

import errno
import json
import logging
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..schemas.errors import LockedError, StoreError

__all__ = ["locked"]

log = logging.getLogger(__name__)

_PAUSE = 0.1
"""Seconds between two attempts while another writer holds the lock."""


@contextmanager
def locked(path: Path, wait: float) -> Iterator[None]:
    """Hold the lock of `path`, a file that is made if need be; wait at most `wait` seconds for another writer.

    Raises LockedError that says who holds it, and StoreError where the file system knows no locks. What the file says is
    for that message only: the lock itself is the kernel's, so one left by a killed process does not exist.
    """
    # Not inherited by child processes (PEP 446), which could otherwise hold the lock longer than their parent lives.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _acquire(descriptor, path, wait)
        _note(descriptor, {"host": socket.gethostname(), "pid": os.getpid()})
        try:
            yield
        finally:
            _note(descriptor, {})
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, path: Path, wait: float) -> None:
    deadline = time.monotonic() + wait
    told = False
    while not _try(descriptor, path):
        left = deadline - time.monotonic()
        if left <= 0:
            raise LockedError(
                f"{path.parent} is being written by {_holder(path)}: "
                "wait for it to end, or let this run wait with --wait SECONDS"
            )
        if not told:
            log.warning("waiting for %s, which writes %s", _holder(path), path.parent)
            told = True
        time.sleep(min(_PAUSE, left))


def _try(descriptor: int, path: Path) -> bool:
    try:
        import fcntl  # not there on Windows, where a store can be read but not written
    except ImportError:
        raise StoreError(f"{path.parent} cannot be locked on this system: write stores on Linux or macOS") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return False
        raise StoreError(
            f"{path.parent} cannot be locked ({error.strerror}): write to a local disk and copy the store afterwards"
        ) from None
    return True


def _note(descriptor: int, who: dict[str, object]) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, (json.dumps(who) + "\n").encode(), 0)


def _holder(path: Path) -> str:
    try:
        who = json.loads(path.read_bytes())
        return f"process {int(who['pid'])} on {str(who['host'])[:64]}"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
