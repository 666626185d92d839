"""Cut origins into shards, and read each shard as a stream of batches of about one megabyte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..languages import LANGUAGES, detect
from ..shards import CutRule, ShardFile, cut
from ..sources import Entry
from ..worker import FileTask, Task
from .origins import Origin

__all__ = ["Batch", "ShardPlan", "batch_bytes", "languages", "plan", "read"]

MOST_BYTES = 1 << 20
"""Of source in one batch: a worker is busy with it for a few tenths of a second, which hides what its transfer costs."""

LEAST_BYTES = 1 << 16

MOST_FILES = 2000
"""In one batch, so that thousands of empty files do not make one task."""

BATCHES_A_WORKER = 8
"""Small corpora are cut finer than MOST_BYTES, so that all workers end at about the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardPlan:
    """A run of one origin's entries that will be extracted together; `number` counts over all origins."""

    number: int
    origin: Origin
    entries: tuple[Entry, ...]

    @property
    def size(self) -> int:
        """Return the bytes that reading it is expected to give."""
        return sum(map(_expected, self.entries))


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Files of one shard and what is to be done with each, in order; `last` when the shard ends with them."""

    shard: ShardPlan
    files: tuple[ShardFile, ...]
    tasks: tuple[Task, ...]
    last: bool

    @property
    def size(self) -> int:
        """Return the bytes of source in it."""
        return sum(len(task.data) for task in self.tasks if isinstance(task, FileTask))


def plan(origins: Iterable[Origin], rule: CutRule) -> tuple[ShardPlan, ...]:
    """Cut every origin into shards, in the order of the origins."""
    shards: list[ShardPlan] = []
    for origin in origins:
        paths = [entry.path for entry in origin.entries]
        for run in cut(paths, list(map(_expected, origin.entries)), rule):
            entries = origin.entries[run.start : run.stop]
            shards.append(ShardPlan(number=len(shards), origin=origin, entries=entries))
    return tuple(shards)


def languages(plans: Iterable[ShardPlan]) -> list[str]:
    """Return the languages with a grammar that the names of the files to be read suggest, sorted."""
    suggested = {detect(entry.path, b"") for plan in plans for entry in plan.entries if entry.reason is None}
    return sorted(name for name in suggested if name is not None and LANGUAGES[name].grammar is not None)


def batch_bytes(total: int, workers: int) -> int:
    """Return how many bytes of source a batch should have when `total` are to be read."""
    return max(LEAST_BYTES, min(MOST_BYTES, total // (workers * BATCHES_A_WORKER)))


def read(shards: Iterable[ShardPlan], size: int) -> Iterator[Batch]:
    """Read all shards in order, as batches of about `size` bytes."""
    for shard in shards:
        yield from _read_shard(shard, size)


def _read_shard(shard: ShardPlan, size: int) -> Iterator[Batch]:
    files: list[ShardFile] = []
    tasks: list[Task] = []
    held = 0
    last = len(shard.entries) - 1
    for i, item in enumerate(shard.origin.read(shard.entries)):
        files.append(item.file)
        tasks.append(item.task)
        held += len(item.task.data) if isinstance(item.task, FileTask) else 0
        if i == last or held >= size or len(files) >= MOST_FILES:
            yield Batch(shard=shard, files=tuple(files), tasks=tuple(tasks), last=i == last)
            files, tasks, held = [], [], 0


def _expected(entry: Entry) -> int:
    return entry.size or 0 if entry.reason is None else 0
