"""What came and went: the files of a run against those of the last snapshot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyarrow.parquet as pq

from ...query.store import Snapshot
from ..summary import Changes, SourceState
from .origins import Origin

__all__ = ["FileState", "Files", "compare", "snapshot_files", "source_states"]


class FileState(NamedTuple):
    """What tells two states of a file apart; files that were not read have no blob, so size and reason count too."""

    blob: str | None
    size: int | None
    reason: str | None


Files = Mapping[str, Mapping[str, FileState]]
"""The files of a snapshot: by repository, then by path."""


def snapshot_files(snapshot: Snapshot) -> Files:
    """Read the files of a published snapshot."""
    files: dict[str, dict[str, FileState]] = {source.repo: {} for source in snapshot.manifest.sources}
    for path in snapshot.paths("files"):
        table = pq.read_table(path, columns=["repo", "path", *FileState._fields])
        for repo, name, *state in zip(*(column.to_pylist() for column in table.columns), strict=True):
            files.setdefault(repo, {})[name] = FileState(*state)
    return files


def compare(since: str, before: Files, now: Files) -> Changes:
    """Count the files that differ."""
    was = {(repo, path): state for repo, files in before.items() for path, state in files.items()}
    seen = {(repo, path): state for repo, files in now.items() for path, state in files.items()}
    common = was.keys() & seen.keys()
    return Changes(
        since=since,
        added=len(seen) - len(common),
        removed=len(was) - len(common),
        changed=sum(was[key] != seen[key] for key in common),
    )


def source_states(origins: Sequence[Origin], now: Files, before: Files) -> tuple[SourceState, ...]:
    """Return what became of every source of this run and of the last snapshot, by name."""
    states = [
        SourceState(repo=o.name, commit=o.commit, branch=o.branch, dirty=o.dirty, state=_state(o, now, before))
        for o in origins
    ]
    gone = before.keys() - {origin.name for origin in origins}
    removed = [SourceState(repo=repo, commit=None, branch=None, dirty=None, state="removed") for repo in gone]
    return tuple(sorted([*states, *removed], key=lambda source: source.repo.encode()))


def _state(origin: Origin, now: Files, before: Files) -> str:
    if origin.name not in before:
        return "new"
    if origin.kept:
        return "kept"
    return "unchanged" if now.get(origin.name, {}) == before[origin.name] else "updated"  # no files, no entry
