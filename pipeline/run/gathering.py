"""Extract every shard into its file below `.staging`, and count what is in it on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path

import numpy as np

from ..assemble import assemble
from ..batch import FactsBatch, decode
from ..languages import LANGUAGES
from ..progress import Progress
from ..shards import Shard, ShardFile, write
from ..summary import SET_ASIDE, FileName, LanguageCount, Slowest
from ..vectors import Model
from .batches import ShardPlan, batch_bytes, read
from .changes import FileState
from .extraction import Done, extract_batches

__all__ = ["Tally", "gather", "shard_path"]

BATCHES_A_WORKER = 4
"""Batches that are read ahead of each worker or wait for their turn; one is about 4 MB with its facts."""

_NESTED = ("submodule", "not_checked_out")


class Tally:
    """What a run extracted, in numbers and names; grows shard by shard.

    `files` has the state of every file by repository and path; `skipped` counts reasons without their details; `without`
    are languages that should have symbols and have none, with the number of their files.
    """

    def __init__(self, repos: Sequence[str]) -> None:
        self.files: dict[str, dict[str, FileState]] = {repo: {} for repo in repos}
        self.statuses: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.set_aside: list[FileName] = []
        self.nested: list[FileName] = []
        self.slowest: Slowest | None = None
        self.source_bytes = 0
        self._indexed: Counter[str] = Counter()
        self._symbols: Counter[str] = Counter()
        self._code: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """Return the number of files."""
        return self.statuses.total()

    @property
    def symbols(self) -> int:
        """Return the number of symbols."""
        return self._symbols.total()

    @property
    def languages(self) -> tuple[LanguageCount, ...]:
        """Return files and symbols by language."""
        rows = sorted(self._indexed.items())
        return tuple(LanguageCount(language=n or None, files=files, symbols=self._symbols[n]) for n, files in rows)

    @property
    def without(self) -> dict[str, int]:
        """Return the languages whose files gave not one symbol although they are not empty."""
        return {language: files for language, files in sorted(self._code.items()) if not self._symbols[language]}

    def add(self, repo: str, shard: Shard) -> None:
        """Count the files of a shard."""
        files = shard.files
        symbols = np.diff(np.append(files["symbol"].to_numpy(), shard.symbols.num_rows)) - 1
        columns = ("path", "language", "status", "reason", "blob", "size", "lines")
        rows = zip(*(files[name].to_pylist() for name in columns), symbols.tolist(), strict=True)
        for path, language, status, reason, blob, size, lines, found in rows:
            self.files[repo][path] = FileState(blob, size, reason)
            self.statuses[status] += 1
            if status == "skipped":
                self._add_skipped(FileName(repo=repo, path=path, reason=reason))
            else:
                self._add_indexed(language, found, empty=not lines)

    def add_times(self, done: Done) -> None:
        """Remember the slowest file, and how much was read."""
        self.source_bytes += done.batch.size
        seconds = [second for piece in done.pieces for second in piece.seconds]
        for file, second in zip(done.batch.files, seconds, strict=True):
            if self.slowest is None or second > self.slowest.seconds:
                self.slowest = Slowest(repo=done.batch.shard.origin.name, path=file.path, seconds=second)

    def _add_indexed(self, language: str | None, symbols: int, *, empty: bool) -> None:
        self._indexed[language or ""] += 1
        self._symbols[language or ""] += symbols
        if language is not None and not empty and LANGUAGES[language].grammar is not None:
            self._code[language] += 1

    def _add_skipped(self, file: FileName) -> None:
        slug = file.reason.partition(":")[0]
        self.skipped[slug] += 1
        if slug in SET_ASIDE:
            self.set_aside.append(file)
        elif slug in _NESTED:
            self.nested.append(file)


def gather(
    plans: Sequence[ShardPlan], pool: Executor, model: Model, folder: Path, progress: Progress, *, jobs: int
) -> Tally:
    """Extract all shards, write each to its file in `folder`, and return what was counted."""
    tally = Tally([plan.origin.name for plan in plans])
    batches = read(plans, batch_bytes(sum(plan.size for plan in plans), jobs))
    files: list[ShardFile] = []
    facts: list[FactsBatch] = []
    for done in extract_batches(batches, pool, model, window=jobs * BATCHES_A_WORKER):
        files += done.batch.files
        facts += [decode(piece.facts) for piece in done.pieces]
        tally.add_times(done)
        progress.advance(done.batch.size)
        if done.batch.last:
            shard = assemble(files, facts)
            tally.add(done.batch.shard.origin.name, shard)
            write(shard_path(folder, done.batch.shard), shard)
            files, facts = [], []
    return tally


def shard_path(folder: Path, plan: ShardPlan) -> Path:
    """Return the file of one shard."""
    return folder / f"{plan.number:05d}.arrow"
