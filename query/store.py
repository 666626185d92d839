"""Open an artifact read-only: a store (`latest.json`) or one snapshot folder, from wherever it lies.

Nothing in an artifact is trusted: names must match the strict patterns of schemas.layout, links are refused, and every
part must be a regular file of the size that the manifest records before anything reads it.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from ..schemas import layout
from ..schemas.errors import DamagedError, StoreError
from ..schemas.manifest import Manifest, Part, digest, parse
from ..schemas.tables import TABLES

__all__ = ["AGAIN", "NEEDED", "Snapshot", "open_snapshot"]

AGAIN = "download or build the artifact again"
"""The remedy for an artifact that is not what it should be."""

NEEDED = tuple(name for name in TABLES if name not in ("sources", "vectors"))
"""Tables that no snapshot can do without; texts and vectors are left out on request."""

MAX_ROWS = 2**31 - 1
"""Ids are int32."""

MAX_JSON_BYTES = 64 << 20
"""No manifest comes near: a few hundred bytes a part and a source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One published snapshot: its folder (absolute), its id by content, and its manifest.

    `id` begins the sha256 of the manifest's bytes, whatever the folder is called.
    """

    folder: Path
    id: str
    manifest: Manifest

    def has(self, table: str) -> bool:
        """Say whether the snapshot holds this table."""
        return table in self.manifest.tables

    def rows(self, table: str) -> int:
        """Return the number of rows of a table that the snapshot holds."""
        return self.manifest.tables[table].rows

    def paths(self, table: str) -> tuple[Path, ...]:
        """Return the paths of a table's parts, in the order of their rows."""
        return tuple(layout.part_path(self.folder, table, part.name) for part in self.manifest.tables[table].parts)


def open_snapshot(path: str | os.PathLike[str], *, check_parts: bool = True) -> Snapshot:
    """Open the live snapshot of a store, or the snapshot folder itself.

    `check_parts` sees that every part is a file of the right size; only `verify` leaves it out, to report all at once.
    Raises StoreError where there is nothing to open, FormatVersionError for another format, DamagedError for an
    artifact that is not whole.
    """
    try:
        return _open(Path(os.path.abspath(path)), check_parts)
    except OSError as error:
        place = error.filename if error.filename is not None else path
        raise StoreError(f"{place} cannot be read ({error.strerror}): check the path and its permissions") from None
    except ValueError as error:  # a path with a NUL
        raise StoreError(f"{str(path)!r} is not a path ({error}): give the folder of an artifact") from None


def _open(root: Path, check_parts: bool) -> Snapshot:
    _check_root(root)
    folder = root if (root / layout.MANIFEST).exists() else _live(root)
    where = folder / layout.MANIFEST
    data = _read(where)
    manifest = parse(data, where)
    snapshot = Snapshot(folder=folder, id=layout.snapshot_id(digest(data)), manifest=manifest)
    _check_tables(snapshot)
    if check_parts:
        _check_parts(snapshot)
    return snapshot


def _check_root(root: Path) -> None:
    try:
        mode = os.stat(root).st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(f"there is no artifact at {root}: build one with `codequarry index SOURCE --out {root}`") from None
    if not stat.S_ISDIR(mode):
        raise StoreError(f"{root} is not a folder: an artifact is one (a packed one is opened with `codequarry unpack`)")
    try:
        str(root).encode()
    except UnicodeEncodeError:
        raise StoreError(f"{os.fsencode(root)!r} is not valid UTF-8: move the artifact to a path that is") from None


def _live(root: Path) -> Path:
    """Return the folder of the snapshot that `latest.json` names."""
    latest = root / layout.LATEST
    if not latest.exists():
        raise StoreError(_nothing_here(root))
    name = layout.parse_latest(_read(latest), latest)
    folder = root / layout.SNAPSHOTS / name
    for step in (folder.parent, folder):
        if step.is_symlink():
            raise DamagedError(f"{step} is a link, which an artifact may not hold: {AGAIN}")
    if not (folder / layout.MANIFEST).exists():
        raise DamagedError(f"{folder / layout.MANIFEST} is missing, though {latest} names it: {AGAIN}")
    return folder


def _nothing_here(root: Path) -> str:
    remedy = f"build it with `codequarry index SOURCE --out {root}`"
    if not any(root.iterdir()):
        return f"{root} is empty: {remedy}"
    if (root / layout.SNAPSHOTS).is_dir() or (root / layout.STAGING).is_dir():
        return f"{root} has no {layout.LATEST}, so no snapshot was published there yet: {remedy}"
    return f"{root} is not a codequarry artifact (it has neither {layout.LATEST} nor {layout.MANIFEST}): {remedy}"


def _read(path: Path) -> bytes:
    """Read one JSON file of an artifact; refuses links, other than regular files, and absurd sizes."""
    status = os.lstat(path)
    if not stat.S_ISREG(status.st_mode):
        raise DamagedError(f"{path} is not a regular file: {AGAIN}")
    if status.st_size > MAX_JSON_BYTES:
        raise DamagedError(f"{path} has {status.st_size} bytes, too many for what it should hold: {AGAIN}")
    return path.read_bytes()


def _check_tables(snapshot: Snapshot) -> None:
    for table in NEEDED:
        if not snapshot.has(table):
            raise DamagedError(f"{snapshot.folder / layout.MANIFEST} lists no table {table}: {AGAIN}")
        if not 0 <= snapshot.rows(table) <= MAX_ROWS:
            raise DamagedError(f"{snapshot.folder / layout.MANIFEST} claims {snapshot.rows(table)} rows of {table}: {AGAIN}")


def _check_parts(snapshot: Snapshot) -> None:
    for table, info in snapshot.manifest.tables.items():
        for part in info.parts:
            _check_part(layout.part_path(snapshot.folder, table, part.name), part)


def _check_part(path: Path, part: Part) -> None:
    try:
        status = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        raise DamagedError(f"{path} is missing: {AGAIN}") from None
    if not stat.S_ISREG(status.st_mode):
        raise DamagedError(f"{path} is not a regular file: {AGAIN}")
    if status.st_size != part.bytes:
        raise DamagedError(f"{path} has {status.st_size} bytes where the manifest says {part.bytes}: {AGAIN}")
