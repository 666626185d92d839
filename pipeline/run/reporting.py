"""Put the summary of a run together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...query.store import Snapshot
from ...query.text import count
from ...schemas.manifest import Manifest, dump
from ..summary import Changes, Summary
from .changes import Files, compare, snapshot_files, source_states
from .gathering import Tally
from .options import IndexOptions
from .origins import Origin

__all__ = ["Ending", "summarize"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a run ended: the published snapshot with its manifest, the one that was live before, and the wall time."""

    snapshot: str
    manifest: Manifest
    last: Snapshot | None
    seconds: float


def summarize(options: IndexOptions, origins: Sequence[Origin], tally: Tally, ending: Ending) -> Summary:
    """Return what the run did."""
    before: Files = snapshot_files(ending.last) if ending.last else {}
    parts = [part.bytes for table in ending.manifest.tables.values() for part in table.parts]
    return Summary(
        snapshot=ending.snapshot,
        out=str(options.out),
        sources=source_states(origins, tally.files, before),
        files={status: tally.statuses[status] for status in ("indexed", "partial", "skipped")},
        skipped=dict(sorted(tally.skipped.items())),
        set_aside=tuple(tally.set_aside),
        nested=tuple(tally.nested),
        languages=tally.languages,
        changes=_changes(ending.last, before, tally),
        seconds=round(ending.seconds, 3),
        source_bytes=tally.source_bytes,
        artifact_bytes=sum(parts) + len(dump(ending.manifest)),
        slowest=tally.slowest,
        reproducible=ending.manifest.reproducible,
        notes=tuple(note for origin in origins for note in origin.notes),
        warnings=tuple(_warnings(tally)),
    )


def _changes(last: Snapshot | None, before: Files, tally: Tally) -> Changes | None:
    return compare(last.id, before, tally.files) if last else None


def _warnings(tally: Tally) -> Iterator[str]:
    """Say what is likely not what the user wanted, although the run did what was asked."""
    if tally.total and tally.statuses["skipped"] == tally.total:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in sorted(tally.skipped.items()))
        yield f"{count(tally.total, 'file')} and not one indexed ({reasons})"
    for language, files in tally.without.items():
        yield f"{count(files, 'file')} of {language} and not one symbol"
    if tally.skipped["timeout"]:
        yield "a clock ended the work on some files, so another run may give another snapshot"
