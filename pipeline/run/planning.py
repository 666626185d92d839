"""What a run would do, without doing it: `index --dry-run`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ...query.console import clean
from ...query.text import count, size
from .listing import check_removals, last_snapshot, list_named, with_kept
from .options import IndexOptions
from .origins import Origin

__all__ = ["PlannedFile", "PlannedRun", "PlannedSource", "plan_only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """A path; `reason` says why it would be skipped unread, None if it would be read."""

    path: str
    size: int | None
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSource:
    """A source with its files in the order of their paths; `kept` if it would be taken from the last snapshot."""

    repo: str
    commit: str | None
    branch: str | None
    dirty: bool | None
    kept: bool
    notes: tuple[str, ...]
    files: tuple[PlannedFile, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """All that a run would read; what only reading tells (binary, minified, encodings) is not known yet."""

    sources: tuple[PlannedSource, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain values (schemas/json/index-dry-run.schema.json)."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """Yield one line a file, then the totals of each source."""
        for source in self.sources:
            for file in source.files:
                reason = f"  ({file.reason})" if file.reason else ""
                yield clean(f"{'skip' if file.reason else 'read'}  {source.repo}:{file.path}{reason}")
        for source in self.sources:
            yield clean(_total(source))
            yield from (f"note: {clean(note)}" for note in source.notes)


def plan_only(options: IndexOptions) -> PlannedRun:
    """List the sources of a run; neither reads their files nor touches the store."""
    last = last_snapshot(options.out, needed=options.keep)
    check_removals(options, last)
    return PlannedRun(sources=tuple(map(_planned, with_kept(list_named(options), options, last))))


def _planned(origin: Origin) -> PlannedSource:
    return PlannedSource(
        repo=origin.name,
        commit=origin.commit,
        branch=origin.branch,
        dirty=origin.dirty,
        kept=origin.kept,
        notes=origin.notes,
        files=tuple(PlannedFile(path=e.path, size=e.size, reason=e.reason) for e in origin.entries),
    )


def _total(source: PlannedSource) -> str:
    read = [file for file in source.files if file.reason is None]
    reasons = Counter(file.reason.partition(":")[0] for file in source.files if file.reason)
    skipped = "".join(f", {number:,} {reason}" for reason, number in sorted(reasons.items()))
    kept = " kept from the last snapshot:" if source.kept else ":"
    return f"{source.repo}{kept} {count(len(read), 'file')} to read, {size(sum(f.size or 0 for f in read))}{skipped}"
