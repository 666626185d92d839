"""A snapshot as one tar file: `pack` writes equal bytes for equal snapshots, `unpack` trusts nothing that it reads.

latest.json   snapshots/ID/manifest.json   snapshots/ID/TABLE/PART.parquet   encoders/SHA/FILE

Regular files only, nothing else.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ..schemas import layout, manifest
from ..schemas.errors import DamagedError, StoreError, UsageError
from .encoder import FILES, content_hash, model_hash
from .meaning import encoder_folders
from .store import AGAIN, MAX_JSON_BYTES, Snapshot, open_snapshot

__all__ = ["pack", "unpack"]

_CHUNK = 1 << 20
_FOREIGN = "it was not made by `codequarry pack`"


def pack(snapshot: Snapshot, target: Path, *, force: bool = False) -> str:
    """Write a snapshot as a store of its own into the tar file `target`; return the hex sha256 of the file.

    Every part is checked against the manifest while it is read, and `target` appears only when it is whole. Raises
    UsageError if `target` exists and `force` is not given, DamagedError for a snapshot that is not whole.
    """
    if os.path.lexists(target) and not force:
        raise UsageError(f"{target} exists: choose another name, or replace it with --force")
    if not target.absolute().parent.is_dir():
        raise UsageError(f"the folder {target.absolute().parent} does not exist: make it first")
    with _beside(target) as draft:
        with draft.open("wb") as file:
            out = _Hashed(file)
            with tarfile.open(mode="w", fileobj=out, format=tarfile.PAX_FORMAT) as tar:
                _write(tar, snapshot)
        draft.replace(target)
    return out.hexdigest()


def unpack(source: Path, target: Path) -> Snapshot:
    """Make a store at `target` of a packed snapshot and return the snapshot.

    Every member's name and kind is checked before it is written and every file's sha256 before the store appears.
    Raises UsageError if `target` is there and not an empty folder, StoreError if `source` cannot be read, DamagedError
    if it is not a whole packed snapshot.
    """
    if os.path.lexists(target) and not (target.is_dir() and not target.is_symlink() and not any(target.iterdir())):
        raise UsageError(f"{target} exists and is not an empty folder: choose another with --out")
    target.absolute().parent.mkdir(parents=True, exist_ok=True)
    with _beside(target) as draft:
        draft.mkdir()
        try:
            with tarfile.open(source, "r:") as tar:
                digests = _extract(tar, draft, source)
        except (tarfile.TarError, EOFError, UnicodeError) as error:
            raise DamagedError(f"{source} is not a whole tar file ({error}): download or pack it again") from None
        except OSError as error:
            raise StoreError(f"{error.filename or source}: {error.strerror or error}") from None
        _check(draft, digests, source)
        open_snapshot(draft)
        draft.replace(target)
    return open_snapshot(target)


# --- writing


class _Hashed(io.RawIOBase):
    """A writer that knows the sha256 of what went through it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]  # the tar writer gives bytes
        self._hash.update(data)
        return self._file.write(data)

    def tell(self) -> int:
        return self._file.tell()

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def _write(tar: tarfile.TarFile, snapshot: Snapshot) -> None:
    home = f"{layout.SNAPSHOTS}/{snapshot.id}"
    _add(tar, layout.LATEST, layout.dump_latest(snapshot.id))
    _add(tar, f"{home}/{layout.MANIFEST}", (snapshot.folder / layout.MANIFEST).read_bytes())
    for table, info in sorted(snapshot.manifest.tables.items()):
        for part in info.parts:
            path = layout.part_path(snapshot.folder, table, part.name)
            with path.open("rb") as file:
                read = _Reading(file)
                tar.addfile(_member(f"{home}/{table}/{part.name}", part.bytes), read)  # type: ignore[arg-type]  # only read is used
            if read.hexdigest() != part.sha256:
                raise DamagedError(f"{path} differs from what the manifest records (sha256): {AGAIN}")
    for name, data in _encoder(snapshot).items():
        _add(tar, f"{layout.ENCODERS}/{snapshot.manifest.model.sha256}/{name}", data)


def _encoder(snapshot: Snapshot) -> dict[str, bytes]:
    """Return the files of the model that made the vectors, by name; none if it is nowhere, or another."""
    for folder in encoder_folders(snapshot):
        paths = [folder / name for name in FILES]
        if all(path.is_file() for path in paths):
            contents = {path.name: path.read_bytes() for path in paths}
            if content_hash(contents) == snapshot.manifest.model.sha256:
                return contents
    return {}


class _Reading:
    """A reader that knows the sha256 of what it gave."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self._hash.update(data)
        return data

    def hexdigest(self) -> str:
        return self._hash.hexdigest()


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    tar.addfile(_member(name, len(data)), io.BytesIO(data))


def _member(name: str, size: int) -> tarfile.TarInfo:
    """Return a header that depends on name and size alone: no time, no owner, one mode."""
    member = tarfile.TarInfo(name)
    member.size = size
    return member


# --- reading


def _extract(tar: tarfile.TarFile, folder: Path, source: Path) -> dict[str, str]:
    """Write every member below `folder`; return the sha256 of each by its name."""
    digests: dict[str, str] = {}
    for member in tar:
        _check_member(member, source)
        if member.name in digests:
            raise DamagedError(f"{source} holds {member.name!r} twice: {AGAIN}")
        path = folder / member.name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = tar.extractfile(member)
        if content is None:
            raise DamagedError(f"{source} holds {member.name!r} without content: {AGAIN}")
        with path.open("xb") as file:
            digests[member.name] = _copy(content, file)
        if path.stat().st_size != member.size:
            raise DamagedError(f"{source} ends within {member.name!r}: download or pack it again")
    return digests


def _check_member(member: tarfile.TarInfo, source: Path) -> None:
    """Accept a regular file whose name is one that `pack` writes."""
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE) or member.sparse is not None:
        raise DamagedError(f"{source} holds {member.name!r}, which is no regular file: {_FOREIGN}")
    if member.name == layout.LATEST:
        return
    steps = member.name.split("/")
    if len(steps) == 3 and steps[0] == layout.ENCODERS and steps[2] in FILES and layout.is_sha256(steps[1]):
        return
    if len(steps) not in (3, 4) or steps[0] != layout.SNAPSHOTS or (len(steps) == 3 and steps[2] != layout.MANIFEST):
        raise DamagedError(f"{source} holds {member.name!r}, which belongs in no snapshot: {_FOREIGN}")
    layout.check_snapshot_id(steps[1], source)
    if len(steps) == 4:
        layout.check_table_name(steps[2], source)
        layout.check_part_name(steps[3], source)


def _copy(content: IO[bytes], file: IO[bytes]) -> str:
    total = hashlib.sha256()
    while data := content.read(_CHUNK):
        total.update(data)
        file.write(data)
    return total.hexdigest()


def _check(store: Path, digests: dict[str, str], source: Path) -> None:
    """See that a written store holds one snapshot, all of it, and nothing else."""
    if layout.LATEST not in digests or (store / layout.LATEST).stat().st_size > MAX_JSON_BYTES:
        raise DamagedError(f"{source} has no {layout.LATEST}: {_FOREIGN}")
    name = layout.parse_latest((store / layout.LATEST).read_bytes(), source)
    home = f"{layout.SNAPSHOTS}/{name}"
    where = f"{home}/{layout.MANIFEST}"
    if where not in digests or (store / where).stat().st_size > MAX_JSON_BYTES:
        raise DamagedError(f"{source} has no {where}: {AGAIN}")
    if layout.snapshot_id(digests[where]) != name:
        raise DamagedError(f"{source}: {where} differs from the one that its snapshot is named after (sha256): {AGAIN}")
    known = manifest.parse((store / where).read_bytes(), source)
    wanted = {f"{home}/{t}/{part.name}": part.sha256 for t, info in known.tables.items() for part in info.parts}
    model, encoder = known.model.sha256, f"{layout.ENCODERS}/{known.model.sha256}/"
    found = {n: digest for n, digest in digests.items() if n not in (layout.LATEST, where)}
    files = {n.removeprefix(encoder): found.pop(n) for n in sorted(found) if n.startswith(encoder)}
    if files and (len(files) != len(FILES) or model_hash(files) != model):
        raise DamagedError(f"{source}: the model in {encoder} is not the one that made the vectors (sha256): {AGAIN}")
    for part_name in sorted(wanted.keys() | found.keys()):
        if wanted.get(part_name) != found.get(part_name):
            fault = "is missing" if part_name not in found else "is not in its manifest or differs from it (sha256)"
            raise DamagedError(f"{source}: {part_name} {fault}: {AGAIN}")


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Give a free path in a new folder next to `target`, removed at the end, for work that is then moved into place."""
    folder = Path(tempfile.mkdtemp(prefix=f".{target.name[:80]}.", dir=target.absolute().parent))
    try:
        yield folder / "draft"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
