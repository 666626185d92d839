"""Where the files of a run come from: a listed source, or a source of the live snapshot that the run keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..extract import Limits
from ..languages import detect
from ..shards import ShardFile
from ..sources import Content, Entry, Source
from ..sources.git import Place
from ..worker import FileTask, Task, row_only

__all__ = ["Item", "Origin", "file_task", "from_source"]

_HEAD = 65536
"""Bytes that may decide between languages of one extension."""

_NOT_FILES = ("submodule", "symlink", "not_regular", "outside_root", "not_checked_out")


class Item(NamedTuple):
    """One file: what its row says that its bytes don't, and what a worker is to do with it."""

    file: ShardFile
    task: Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """A source as the run sees it; `entries` are sorted by the bytes of their paths, and `read` follows their order.

    `kept` says that it comes from the live snapshot; `notes` are sentences for the summary; `place` is the
    repository that holds `commit`, None where it is not at hand.
    """

    name: str
    commit: str | None
    branch: str | None
    dirty: bool | None
    entries: tuple[Entry, ...]
    limits: Limits
    kept: bool
    notes: tuple[str, ...] = ()
    place: Place | None = None
    read: Callable[[Sequence[Entry]], Iterator[Item]] = field(repr=False)


def from_source(source: Source, limits: Limits) -> Origin:
    """Return a listed source as the origin of its files."""

    def read(entries: Iterable[Entry]) -> Iterator[Item]:
        return map(_item, source.read(entries))

    return Origin(
        name=source.name,
        commit=source.commit,
        branch=source.branch,
        dirty=source.dirty,
        entries=source.entries,
        limits=limits,
        kept=False,
        notes=source.notes,
        place=source.place,
        read=read,
    )


def _item(content: Content) -> Item:
    entry = content.entry
    size = entry.size if content.data is None else len(content.data)
    file = ShardFile(path=entry.path, size=size, blob=content.blob or entry.blob, vendored=entry.vendored)
    return Item(file, _task(content))


def file_task(path: str, data: bytes) -> FileTask:
    """Return the task to look into a file."""
    return FileTask(language=detect(path, data[:_HEAD]), basename=path.rpartition("/")[2], data=data)


def _task(content: Content) -> Task:
    if content.data is not None:
        return file_task(content.entry.path, content.data)
    reason = content.reason or "unreadable"
    return row_only(None if reason in _NOT_FILES else detect(content.entry.path, b""), reason)
