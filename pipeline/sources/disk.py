"""Look at and read files below a root without ever leaving it.

Every folder on the way is opened by its own name without following links, so neither a link in the tree nor one that
appears during the run leads outside. Files are opened without blocking: a FIFO cannot stop a run.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from pathlib import Path
from types import TracebackType
from typing import Self

from .model import Content, Entry, Stamp

__all__ = ["Tree", "blob_digest", "link_reason", "stamp_of"]

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_REASONS = {
    errno.EACCES: "unreadable",
    errno.EFBIG: "too_large",
    errno.EISDIR: "not_regular",
    errno.ELOOP: "changed",  # a link has taken the place of the file
    errno.ENOENT: "missing",
    errno.ENOTDIR: "missing",  # something else has taken the place of a folder above it
    errno.ENXIO: "changed",  # a socket has
    errno.EPERM: "unreadable",
    errno.ESTALE: "changed",
}
_COMPARED = 256 << 20
"""Bytes of the largest file that is compared with its blob: it is held in memory."""

_TRIES = 3
"""Reads of a file that changes while it is read before it is set aside."""


class Tree:
    """A root folder whose files are reached folder by folder; keeps the last folder open.

    Paths are bytes relative to the root. Methods raise OSError as the system calls do.
    """

    def __init__(self, root: Path) -> None:
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._path = b""
        self._open = self._root

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._leave()
        os.close(self._root)

    def folder(self, path: bytes) -> int:
        """Return a descriptor of the folder `path`, valid until the next call."""
        if path == self._path:
            return self._open
        self._leave()
        reached = self._root
        try:
            for name in path.split(b"/") if path else ():
                above, reached = reached, os.open(name, _FOLDER, dir_fd=reached)
                if above != self._root:
                    os.close(above)
        except OSError:
            if reached != self._root:
                os.close(reached)
            raise
        self._open, self._path = reached, path
        return reached

    def lstat(self, path: bytes) -> os.stat_result:
        """Return the status of the file itself; NotADirectoryError or ELOOP when a folder above is not a folder."""
        folder, _, name = path.rpartition(b"/")
        return os.lstat(name, dir_fd=self.folder(folder))

    def readlink(self, path: bytes) -> bytes:
        """Return the target of a symbolic link."""
        folder, _, name = path.rpartition(b"/")
        return os.readlink(name, dir_fd=self.folder(folder))

    def read(self, path: bytes, limit: int) -> tuple[bytes, Stamp]:
        """Return the bytes of a regular file and its stamp, both of one moment.

        Raises OSError with EISDIR for anything that is not a regular file, EFBIG for more than `limit` bytes and ESTALE
        for a file that does not hold still.
        """
        folder, _, name = path.rpartition(b"/")
        descriptor = os.open(name, _FILE, dir_fd=self.folder(folder))
        try:
            return _slurp(descriptor, limit)
        finally:
            os.close(descriptor)

    def digests(self, path: bytes, algorithm: str, *, link: bool) -> tuple[str, str]:
        """Return git's hex digest of a file, or of a link's target, as it is and with CRLF turned into LF.

        Raises OSError as `read` does, EFBIG from 256 MB on.
        """
        data = self.readlink(path) if link else self.read(path, _COMPARED)[0]
        return blob_digest(data, algorithm), blob_digest(data.replace(b"\r\n", b"\n"), algorithm)

    def content(self, entry: Entry, limit: int) -> Content:
        """Read one entry of at most `limit` bytes; whatever goes wrong becomes its reason."""
        try:
            data, stamp = self.read(entry.path.encode(), limit)
        except OSError as error:
            return Content(entry=entry, data=None, reason=_reason(error))
        same = entry.blob is not None and stamp == entry.stamp
        return Content(entry=entry, data=data, blob=entry.blob if same else blob_digest(data))

    def _leave(self) -> None:
        if self._open != self._root:
            os.close(self._open)
        self._open, self._path = self._root, b""


def _slurp(descriptor: int, limit: int) -> tuple[bytes, Stamp]:
    """Read an open regular file whole, again when it changes meanwhile; see Tree.read for the errors."""
    for _ in range(_TRIES):
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise OSError(errno.EISDIR, "not a regular file")
        if before.st_size > limit:
            raise OSError(errno.EFBIG, "too large")
        data = os.pread(descriptor, before.st_size + 1, 0)
        if len(data) == before.st_size and stamp_of(os.fstat(descriptor)) == stamp_of(before):
            return data, stamp_of(before)
    raise OSError(errno.ESTALE, "changes while it is read")


def stamp_of(status: os.stat_result) -> Stamp:
    """Return what tells two states of one file apart."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def blob_digest(data: bytes, algorithm: str = "sha1") -> str:
    """Return the hex digest that git gives to a blob with these bytes."""
    digest = hashlib.new(algorithm, b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def link_reason(path: bytes, target: bytes) -> str:
    """Tell a link that stays below the root from one that leaves it, by its text alone.

    Nothing is resolved, so the answer is the same on every machine; an absolute target counts as outside.
    """
    depth = path.count(b"/")
    for step in target.split(b"/"):
        depth += {b"": 0, b".": 0, b"..": -1}.get(step, 1)
        if depth < 0:
            return "outside_root"
    return "outside_root" if target.startswith(b"/") else "symlink"


def _reason(error: OSError) -> str:
    return _REASONS.get(error.errno or 0) or f"unreadable: {os.strerror(error.errno or 0)}"
