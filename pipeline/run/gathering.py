"""Bring the facts of every shard, extracted or known, into its file below `.staging`."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path

from ..assemble import assemble
from ..batch import FactsBatch, decode
from ..cache import FactsCache, Known, runs
from ..progress import Progress
from ..receipts import Parts
from ..shards import Shard, ShardFile, write
from ..sources import Entry
from ..vectors import Model
from ..worker import FileTask
from .batches import ShardPlan, batch_bytes, read
from .extraction import Done, extract_batches
from .reuse import key_of, sure
from .stopping import Stop
from .tally import Tally

__all__ = ["Work", "gather", "shard_path"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What gathering works with: the model, the folder of the shards' files (None to write none), workers, and a cache.

    `ahead` batches are read ahead of the workers or wait for their turn. Workers leave facts among the `parts`, if there are any.
    """

    model: Model
    folder: Path | None
    jobs: int
    ahead: int
    parts: Parts | None
    cache: FactsCache | None
    progress: Progress
    stop: Stop


class _Part:
    """The files of a shard with their facts, as they come in."""

    def __init__(self, plan: ShardPlan) -> None:
        self._files: list[ShardFile | None] = [_known_file(entry) for entry in plan.entries]
        self._facts: list[Known | None] = list(plan.known) or [None] * len(plan.entries)

    def add(self, done: Done, facts: Sequence[FactsBatch]) -> None:
        """Put the facts of a batch where they belong."""
        rows = [Known(batch, row) for batch in facts for row in range(batch.files.num_rows)]
        for position, file, known in zip(done.batch.positions, done.batch.files, rows, strict=True):
            self._files[position], self._facts[position] = file, known

    def assembled(self) -> Shard:
        """Return the shard, of which every file has its facts."""
        files = [file for file in self._files if file is not None]
        facts = [known for known in self._facts if known is not None]
        return assemble(files, runs(facts))


def gather(plans: Sequence[ShardPlan], pool: Executor, work: Work) -> Tally:
    """Bring the facts of all shards together, write each to its file, and return what was counted."""
    tally = Tally([plan.origin.name for plan in plans])
    batches = read(plans, batch_bytes(sum(plan.size for plan in plans), work.jobs))
    part: _Part | None = None
    try:
        stream = extract_batches(batches, pool, work.model, window=work.ahead, parts=work.parts, stop=work.stop)
        for done in stream:
            facts = [decode(piece.facts) for piece in done.pieces]
            _keep(done, facts, work.cache)
            tally.add_times(done)
            work.progress.advance(done.batch.size)
            part = part or _Part(done.batch.shard)
            part.add(done, facts)
            if done.batch.last:
                _finish(part.assembled(), done.batch.shard, tally, work.folder)
                part = None
                if work.cache is not None:
                    work.cache.release()
    finally:
        if work.cache is not None:
            work.cache.close()
    return tally


def shard_path(folder: Path, plan: ShardPlan) -> Path:
    """Return the file of one shard."""
    return folder / f"{plan.number:05d}.arrow"


def _finish(shard: Shard, plan: ShardPlan, tally: Tally, folder: Path | None) -> None:
    tally.add(plan.origin.name, shard)
    tally.add_known(plan)
    if folder is not None:
        write(shard_path(folder, plan), shard)


def _known_file(entry: Entry) -> ShardFile:
    return ShardFile(path=entry.path, size=entry.size, blob=entry.blob, vendored=entry.vendored)


def _keep(done: Done, facts: Sequence[FactsBatch], cache: FactsCache | None) -> None:
    """Give the facts of a batch to the cache, but for those of files that were not read or that another run may read better."""
    if cache is None:
        return
    files = iter(zip(done.batch.files, done.batch.tasks, strict=True))
    for piece, batch in zip(done.pieces, facts, strict=True):
        good = sure(batch.files["reason"].to_pylist())
        keys = [
            key_of(done.batch.shard.origin, file.path, file.blob) if ok and isinstance(task, FileTask) else None
            for ok, (file, task) in zip(good, files, strict=False)
        ]
        cache.add(keys, piece.facts)
