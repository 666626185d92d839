"""Cut origins into shards, and read each shard as a stream of batches of about one megabyte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..cache import Known
from ..languages import LANGUAGES, detect
from ..shards import CutRule, ShardFile, cut
from ..sources import Entry
from ..worker import FileTask, Task
from .origins import Item, Origin

__all__ = ["Batch", "ShardPlan", "batch_bytes", "languages", "plan", "read"]

MOST_BYTES = 1 << 20
"""Of source in one batch: a worker is busy with it for a few tenths of a second, which hides what its transfer costs."""

LEAST_BYTES = 1 << 18
"""A tenth of a second of work: for less, another worker's start and its first words cost more than they save."""

MOST_FILES = 2000
"""In one batch, so that thousands of empty files do not make one task."""

BATCHES_A_WORKER = 8
"""Small corpora are cut finer than MOST_BYTES, so that all workers end at about the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardPlan:
    """A run of one origin's entries that will be extracted together; `number` counts over all origins.

    `known` are the facts of its entries that need not be read, None for the others; empty where nothing is known.
    """

    number: int
    origin: Origin
    entries: tuple[Entry, ...]
    known: tuple[Known | None, ...] = ()

    @property
    def size(self) -> int:
        """Return the bytes that reading it is expected to give."""
        return sum(_expected(self.entries[i]) for i in self.missing)

    @property
    def missing(self) -> list[int]:
        """Return the positions of the entries whose facts are not known."""
        return [i for i, known in enumerate(self.known) if known is None] if self.known else list(range(len(self.entries)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Files of one shard and what is to be done with each, in order; `last` when the shard ends with them.

    `positions` are those of the files among the entries of the shard. A shard of which all is known is one batch of none.
    """

    shard: ShardPlan
    positions: tuple[int, ...]
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
    entries = (plan.entries[i] for plan in plans for i in plan.missing)
    suggested = {detect(entry.path, b"") for entry in entries if entry.reason is None}
    return sorted(name for name in suggested if name is not None and LANGUAGES[name].grammar is not None)


def batch_bytes(total: int, workers: int) -> int:
    """Return how many bytes of source a batch should have when `total` are to be read."""
    return max(LEAST_BYTES, min(MOST_BYTES, total // (workers * BATCHES_A_WORKER)))


def read(shards: Iterable[ShardPlan], size: int) -> Iterator[Batch]:
    """Read all shards in order, as batches of about `size` bytes."""
    for shard in shards:
        yield from _read_shard(shard, size)


def _read_shard(shard: ShardPlan, size: int) -> Iterator[Batch]:
    missing = shard.missing
    items = shard.origin.read([shard.entries[i] for i in missing]) if missing else iter(())
    held: list[tuple[int, Item]] = []
    total = 0
    for position, item in zip(missing, items, strict=True):
        if total >= size or len(held) >= MOST_FILES:
            yield _batch(shard, held, last=False)
            held, total = [], 0
        held.append((position, item))
        total += len(item.task.data) if isinstance(item.task, FileTask) else 0
    yield _batch(shard, held, last=True)


def _batch(shard: ShardPlan, held: list[tuple[int, Item]], *, last: bool) -> Batch:
    return Batch(
        shard=shard,
        positions=tuple(position for position, _ in held),
        files=tuple(item.file for _, item in held),
        tasks=tuple(item.task for _, item in held),
        last=last,
    )


def _expected(entry: Entry) -> int:
    return entry.size or 0 if entry.reason is None else 0
