"""Put the summary of a run together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...query.store import Snapshot
from ...query.text import count
from ...schemas.manifest import Manifest, dump
from ..summary import Changes, SourceState, Summary
from .changes import Files, compare, snapshot_files, source_states
from .options import IndexOptions
from .origins import Origin
from .tally import Tally

__all__ = ["Ending", "summarize"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a run ended: the live snapshot with its manifest, the one that was live before, and the wall time.

    `published` is False where both are one, and where only facts were extracted, for which there is no snapshot.
    """

    snapshot: str | None = None
    manifest: Manifest | None = None
    last: Snapshot | None = None
    published: bool = False
    seconds: float


def summarize(options: IndexOptions, origins: Sequence[Origin], tally: Tally, ending: Ending) -> Summary:
    """Return what the run did."""
    before: Files = snapshot_files(ending.last) if ending.last else {}
    return Summary(
        snapshot=ending.snapshot,
        published=ending.published,
        out=None if options.extract_only else str(options.out),
        sources=_extracted(origins) if options.extract_only else source_states(origins, tally.files, before),
        files={status: tally.statuses[status] for status in ("indexed", "partial", "skipped")},
        skipped=dict(sorted(tally.skipped.items())),
        set_aside=tuple(tally.set_aside),
        nested=tuple(tally.nested),
        languages=tally.languages,
        changes=_changes(ending.last, before, tally),
        seconds=round(ending.seconds, 3),
        source_bytes=tally.source_bytes,
        cached=tally.cached,
        artifact_bytes=_artifact_bytes(ending.manifest) if ending.manifest else 0,
        slowest=tally.slowest,
        reproducible="timeout" not in tally.skipped,
        notes=tuple(note for origin in origins for note in origin.notes),
        warnings=tuple(_warnings(tally)),
    )


def _extracted(origins: Sequence[Origin]) -> tuple[SourceState, ...]:
    return tuple(
        SourceState(repo=o.name, commit=o.commit, branch=o.branch, dirty=o.dirty, state="extracted") for o in origins
    )


def _artifact_bytes(manifest: Manifest) -> int:
    parts = [part.bytes for table in manifest.tables.values() for part in table.parts]
    return sum(parts) + len(dump(manifest))


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
