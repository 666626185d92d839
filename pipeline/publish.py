"""Write to a store: stage, then publish a snapshot so that a reader sees the old one or the new one, both whole.

The order is: the files of the snapshot, its folders, its name, the folder of names, and `latest.json` last; each is on
the disk before the next begins.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..query.encoder import FILES, content_hash
from ..schemas import layout
from ..schemas.errors import CodequarryError, StoreError
from ..schemas.manifest import Manifest, digest, dump, parse
from ._lock import locked

__all__ = ["Store", "open_store"]

log = logging.getLogger(__name__)

_TRACES = frozenset({layout.STAGING, layout.LOCK})
"""What a run that was killed before its first snapshot leaves."""

_HARMLESS = ("readme", ".git", ".keep", ".ds_store")
"""What may lie in a folder that is to become a store, by the beginning of its name in lower case."""

_FULL = {
    errno.ENOSPC: "the disk has no space left: free some",
    errno.EDQUOT: "the quota has no space left: free some",
    errno.EFBIG: "a file is too large for the file system or for the limit of this process: raise the limit",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """A store that this process may write to; made by `open_store`, which holds its lock."""

    root: Path

    def staging(self, name: str) -> Path:
        """Make an empty folder of this name for unpublished work, on the same file system as the snapshots."""
        folder = self.root / layout.STAGING / name
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)
        return folder

    def live(self) -> str | None:
        """Return the id of the live snapshot, None if nothing was published or `latest.json` is damaged."""
        latest = self.root / layout.LATEST
        try:
            return layout.parse_latest(latest.read_bytes(), latest)
        except (FileNotFoundError, CodequarryError):
            return None

    def keep_encoder(self, folder: Path, sha256: str) -> None:
        """Keep the model that made the vectors, once a store, so that a query needs nothing else."""
        if self.holds_encoder(sha256):
            return
        final = layout.encoder_path(self.root, sha256)
        if os.path.lexists(final):
            log.warning("%s was damaged and is replaced", final)
        staged = self.staging("encoder")
        for name in FILES:
            _write(staged / name, (folder / name).read_bytes())
        _sync_tree(staged)
        final.parent.mkdir(exist_ok=True)
        if os.path.lexists(final):
            final.rename(self.staging("damaged") / "encoder")
        staged.rename(final)
        _sync(final.parent)

    def holds_encoder(self, sha256: str) -> bool:
        """Say whether the model is kept, whole."""
        folder = layout.encoder_path(self.root, sha256)
        if folder.is_symlink() or not all((folder / name).is_file() for name in FILES):
            return False
        return content_hash({name: (folder / name).read_bytes() for name in FILES}) == sha256

    def is_made_from(self, inputs: str | None) -> bool:
        """Say whether the live snapshot was made from these inputs and is whole, byte for byte."""
        try:
            known = layout.parse_inputs((self.root / layout.LATEST).read_bytes())
        except OSError:
            return False
        name = self.live()
        return (
            inputs is not None and known == inputs and name is not None and _whole(self.root / layout.SNAPSHOTS / name, name)
        )

    def publish(self, staged: Path, manifest: Manifest, local: str | None = None, inputs: str | None = None) -> str:
        """Publish the tables in the folder `staged` under `manifest`, and return the snapshot's id.

        `local` is the base name of the folder that is the source `local`, and `inputs` the digest of all that the snapshot
        follows from, for `latest.json` to remember.
        A snapshot of the same content that is already there is kept if it is whole, and set aside if it is not.
        """
        data = dump(manifest)
        name = layout.snapshot_id(digest(data))
        final = self.root / layout.SNAPSHOTS / name
        if os.path.lexists(final) and not _whole(final, name):
            log.warning("%s was damaged and is replaced", final)
            final.rename(self.staging("damaged") / name)
        if os.path.lexists(final):
            shutil.rmtree(staged)
        else:
            _write(staged / layout.MANIFEST, data)
            _sync_tree(staged)
            final.parent.mkdir(exist_ok=True)
            staged.rename(final)
        _sync(final.parent)
        self.point_to(name, local, inputs)
        return name

    def point_to(self, name: str, local: str | None, inputs: str | None) -> None:
        """Make a snapshot that is there the live one."""
        latest = self.root / layout.LATEST
        data = layout.dump_latest(name, local, inputs)
        if latest.is_symlink() or not latest.exists() or latest.read_bytes() != data:
            partial = self.root / layout.STAGING / layout.LATEST
            partial.parent.mkdir(exist_ok=True)
            _write(partial, data)
            _sync(partial)
            partial.replace(latest)
        _sync(self.root)


@contextmanager
def open_store(root: Path, *, wait: float = 0.0) -> Iterator[Store]:
    """Hold the store at `root` for writing; make it if nothing is there, and sweep what an earlier run left unpublished.

    Waits at most `wait` seconds for another writer, then raises LockedError. Raises StoreError for a folder that holds
    something else, and for a disk that is full, read-only or forbidden, also when the block meets one; what was published
    stays as it is.
    """
    with _plain_errors(root):
        _check(root)
        root.mkdir(parents=True, exist_ok=True)
        with locked(root / layout.LOCK, wait):
            _sweep(root)
            try:
                yield Store(root=root)
            finally:
                _sweep(root)


def _sweep(root: Path) -> None:
    shutil.rmtree(root / layout.STAGING, ignore_errors=True)


def _check(root: Path) -> None:
    """Refuse a folder that holds anything but a store, so that nothing of the user's is ever mixed with one."""
    if not root.exists():
        return
    if not root.is_dir():
        raise StoreError(f"{root} is not a folder: give --out a folder that is empty, new, or a store")
    names = {entry.name for entry in root.iterdir()}
    if layout.MANIFEST in names:
        raise StoreError(f"{root} is a snapshot, which never changes: give --out the store or another folder")
    content = sorted(name for name in names - _TRACES if not name.lower().startswith(_HARMLESS))
    if content and not _is_store(root):
        raise StoreError(f"{root} holds {content[0]!r} and is no store: give --out a folder that is empty, new, or a store")
    for name in (layout.SNAPSHOTS, layout.STAGING):
        if (root / name).is_symlink():
            raise StoreError(f"{root / name} is a link, which a store may not hold: remove it or give --out another folder")


def _is_store(root: Path) -> bool:
    """Say whether a folder names a live snapshot, or has snapshots and nothing else under their name."""
    latest = root / layout.LATEST
    try:
        layout.parse_latest(latest.read_bytes(), latest)
        return True
    except (OSError, CodequarryError):
        pass
    try:
        names = os.listdir(root / layout.SNAPSHOTS)
        return all(layout.check_snapshot_id(name, latest) for name in names)
    except (OSError, CodequarryError):
        return False


@contextmanager
def _plain_errors(root: Path) -> Iterator[None]:
    """Turn what the disk says into one sentence that names the store."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            what = _FULL[error.errno]
            raise StoreError(f"{root} is unchanged because {what} and run again") from error
        ours = isinstance(error.filename, str | os.PathLike) and Path(error.filename).is_relative_to(root)
        if ours:
            remedy = "check its permissions and its disk, or give --out another folder"
            raise StoreError(f"{root} cannot be written ({error.strerror}): {remedy}") from error
        raise


def _whole(snapshot: Path, name: str) -> bool:
    """Say whether a published snapshot is what its name and its manifest say, byte for byte."""
    where = snapshot / layout.MANIFEST
    try:
        data = where.read_bytes()
        if layout.snapshot_id(digest(data)) != name:
            return False
        tables = parse(data, where).tables
        return all(
            _sha256(layout.part_path(snapshot, table, part.name)) == part.sha256
            for table, info in tables.items()
            for part in info.parts
        )
    except (OSError, CodequarryError):
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)


def _sync_tree(folder: Path) -> None:
    """Bring every file of a folder to the disk, then the folders from the inside out."""
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            _sync(Path(place, name))
        _sync(Path(place))


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
