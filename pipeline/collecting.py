"""Remove old snapshots from a store: never the live one, nor one that a reader may just have opened."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..schemas import layout
from ..schemas.errors import CodequarryError
from ..schemas.manifest import parse
from .publish import Store

__all__ = ["Collected", "collect"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """Ids that were removed and kept, newest first, models that no kept snapshot needs, and the bytes that are free now."""

    removed: tuple[str, ...]
    kept: tuple[str, ...]
    encoders: tuple[str, ...]
    bytes: int


def collect(store: Store, *, keep: int, grace: float, dry_run: bool = False) -> Collected:
    """Keep the live snapshot, the `keep` newest, and those published within `grace` seconds; remove the others.

    A snapshot's folder is renamed before its files go, so that no reader finds half of it; one that has its files open keeps
    them. With `dry_run` nothing is removed. Models that no kept snapshot was made with go too.
    """
    folders = sorted(_snapshots(store.root), key=lambda folder: (-_published(folder), folder.name))
    live, limit = store.live(), time.time() - grace
    kept = [f for i, f in enumerate(folders) if i < keep or f.name == live or _published(f) > limit]
    removed = [folder for folder in folders if folder not in kept]
    encoders = _unused(store.root, kept) if removed or not kept else []
    gone = [*removed, *encoders]
    freed = sum(_size(folder) for folder in gone)
    if not dry_run and gone:
        bin_ = store.staging("removed")
        for folder in gone:
            folder.rename(bin_ / folder.name)
        shutil.rmtree(bin_, ignore_errors=True)
    return Collected(removed=_names(removed), kept=_names(kept), encoders=_names(encoders), bytes=freed)


def _snapshots(root: Path) -> list[Path]:
    """Return the folders that are named like snapshots; nothing else is ever touched."""
    found = []
    with suppress(FileNotFoundError):
        for entry in (root / layout.SNAPSHOTS).iterdir():
            with suppress(CodequarryError):
                layout.check_snapshot_id(entry.name, entry)
                if entry.is_dir() and not entry.is_symlink():
                    found.append(entry)
    return found


def _published(folder: Path) -> float:
    return folder.stat().st_mtime


def _unused(root: Path, kept: Iterable[Path]) -> list[Path]:
    """Return the models that no kept snapshot names; none if a manifest cannot be read, because it may name any."""
    try:
        needed = {parse((f / layout.MANIFEST).read_bytes(), f / layout.MANIFEST).model.sha256 for f in kept}
    except (OSError, CodequarryError):
        return []
    with suppress(FileNotFoundError):
        there = sorted((root / layout.ENCODERS).iterdir())
        return [folder for folder in there if layout.is_sha256(folder.name) and folder.name not in needed]
    return []


def _size(folder: Path) -> int:
    return sum(Path(place, name).lstat().st_size for place, _, names in os.walk(folder) for name in names)


def _names(folders: Iterable[Path]) -> tuple[str, ...]:
    return tuple(folder.name for folder in folders)
