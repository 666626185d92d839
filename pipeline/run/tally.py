"""Count what a run extracts or finds again, for its summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ...query.store import Snapshot
from ..languages import LANGUAGES
from ..shards import Shard
from ..summary import SET_ASIDE, FileName, LanguageCount, Slowest
from .batches import ShardPlan
from .changes import FileState
from .extraction import Done

__all__ = ["Tally"]

_NESTED = ("submodule", "not_checked_out")

_COLUMNS = ("path", "language", "status", "reason", "blob", "size", "lines")


class Tally:
    """What a run extracted, in numbers and names; grows shard by shard.

    `files` has the state of every file by repository and path; `cached` counts those whose facts were known; `skipped`
    counts reasons without their details; `without` are languages that should have symbols and have none, with the number
    of their files.
    """

    def __init__(self, repos: Sequence[str]) -> None:
        self.files: dict[str, dict[str, FileState]] = {repo: {} for repo in repos}
        self.statuses: Counter[str] = Counter()
        self.skipped: Counter[str] = Counter()
        self.set_aside: list[FileName] = []
        self.nested: list[FileName] = []
        self.slowest: Slowest | None = None
        self.source_bytes = 0
        self.cached = 0
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
        self._add_rows(repo, files, symbols.tolist())

    def add_snapshot(self, snapshot: Snapshot) -> None:
        """Count the files of a published snapshot, of which this run would only make the same again."""
        columns = ["repo", *_COLUMNS, "symbol"]
        files = pa.concat_tables([pq.read_table(path, columns=columns) for path in snapshot.paths("files")])
        symbols = np.diff(np.append(files["symbol"].to_numpy(), snapshot.rows("symbols"))) - 1
        repos = files["repo"].to_numpy()
        for repo in self.files:
            mine = repos == repo
            self._add_rows(repo, files.filter(pa.array(mine)), symbols[mine].tolist())
        self.cached = self.total
        self.source_bytes = sum(state.size or 0 for of in self.files.values() for state in of.values() if state.blob)

    def add_known(self, plan: ShardPlan) -> None:
        """Count the files of a shard that needed no reading."""
        sizes = [entry.size or 0 for entry, known in zip(plan.entries, plan.known, strict=False) if known is not None]
        self.cached += len(sizes)
        self.source_bytes += sum(sizes)

    def _add_rows(self, repo: str, files: pa.Table, symbols: Sequence[int]) -> None:
        rows = zip(*(files[name].to_pylist() for name in _COLUMNS), symbols, strict=True)
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
