"""What a run did, as one value: what the closing text says, `index --json` prints, and the exit code follows from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..query.console import clean
from ..query.text import count, size
from ..schemas.errors import EXIT_FILES_SET_ASIDE, EXIT_OK

__all__ = ["SET_ASIDE", "Changes", "FileName", "LanguageCount", "Slowest", "SourceState", "Summary"]

SET_ASIDE = ("too_deep", "parse_failed", "timeout", "unreadable", "missing", "changed")
"""Reasons of skipped files that should have been read; any of them makes the exit code 3."""

_MOST_NAMES = 10
"""Names of one kind in the text; the JSON has all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileName:
    """A file, or a folder that is skipped as a whole, with its reason."""

    repo: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slowest:
    """The file that took a worker the most CPU seconds."""

    repo: str
    path: str
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """A source and what became of it: `new`, `updated`, `unchanged`, `kept`, `removed` or `extracted`.

    `unchanged` sources were indexed again and have the same files; `kept` ones were taken from the last snapshot;
    `removed` ones were in that and are not in this; `extracted` is all that a run that publishes nothing knows.
    """

    repo: str
    commit: str | None
    branch: str | None
    dirty: bool | None
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageCount:
    """A language, None for none, with its indexed files and their symbols."""

    language: str | None
    files: int
    symbols: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """Files that came, went and changed since the snapshot `since`."""

    since: str
    added: int
    removed: int
    changed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The result of a run, which is also its JSON (schemas/json/index.schema.json).

    `files` counts them by status, `skipped` the skipped ones by reason, without its detail; `set_aside` are files that
    should have been read, and `nested` repositories inside a source that were not. `changes` is None without an earlier
    snapshot. `seconds` is wall time, `source_bytes` the size of what was read or known, `cached` how many files were known
    from earlier runs, `artifact_bytes` the snapshot's size. `published` is False where the live snapshot was made from the
    same, and where only facts were extracted: then `snapshot` and `out` are None.
    """

    snapshot: str | None
    published: bool
    out: str | None
    sources: tuple[SourceState, ...]
    files: dict[str, int]
    skipped: dict[str, int]
    set_aside: tuple[FileName, ...]
    nested: tuple[FileName, ...]
    languages: tuple[LanguageCount, ...]
    changes: Changes | None
    seconds: float
    source_bytes: int
    cached: int
    artifact_bytes: int
    slowest: Slowest | None
    reproducible: bool
    notes: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """Return the exit code that tells whether files were set aside."""
        return EXIT_FILES_SET_ASIDE if self.set_aside else EXIT_OK

    def to_json(self) -> dict[str, Any]:
        """Return the summary as plain values."""
        return asdict(self)

    def lines(self) -> Iterator[str]:
        """Yield the closing text, clean for a terminal."""
        yield self._headline()
        yield from _block("sources", map(_source, self.sources))
        yield from _block("partial", _some(self.files.get("partial", 0), "file"))
        yield from _block("skipped", _counts(self.skipped))
        yield from _block("nested", _names(self.nested))
        yield from _block("set aside", _names(self.set_aside))
        yield from _block("symbols", _counts({row.language or "no language": row.symbols for row in self.languages}))
        yield from _block("changes", [_changes(self.changes)] if self.changes else [])
        yield from _block("cached", [f"{self.cached:,} of {count(self.total, 'file')}"] if self.cached else [])
        yield from _block("slowest", [_slowest(self.slowest)] if self.slowest else [])
        snapshot = f", {size(self.artifact_bytes)} of snapshot" if self.snapshot else ""
        yield from _block("size", [f"{size(self.source_bytes)} of source{snapshot}"])
        yield from _block("note", self.notes)

    @property
    def total(self) -> int:
        """Return the number of files."""
        return sum(self.files.values())

    def _headline(self) -> str:
        read = self.files.get("indexed", 0) + self.files.get("partial", 0)
        of = f"{read:,} of {count(self.total, 'file')} in {self.seconds:.1f} s"
        if self.snapshot is None:
            return f"extracted {of}: nothing was published"
        place = clean(f"snapshot {self.snapshot} in {self.out}")
        if not self.published:
            return f"nothing has changed in {count(self.total, 'file')}: {place} stays"
        return f"indexed {of}: {place}" if self.total else f"nothing to index, {place} is empty"


def _block(title: str, lines: Iterator[str] | Sequence[str]) -> Iterator[str]:
    """Yield lines beside a title that stands once."""
    for i, line in enumerate(lines):
        yield f"  {title if i == 0 else '':<10}{clean(line)}".rstrip()


def _some(number: int, noun: str) -> list[str]:
    return [count(number, noun)] if number else []


def _counts(numbers: Mapping[str, int]) -> list[str]:
    """Return one line with a total and its parts, the largest first."""
    parts = sorted((-number, name) for name, number in numbers.items() if number)
    shown = ", ".join(f"{-number:,} {name}" for number, name in parts)
    total = f"{sum(numbers.values()):,}: " if len(parts) > 1 else ""
    return [total + shown] if shown else []


def _names(files: Sequence[FileName]) -> list[str]:
    lines = [f"{file.repo}:{file.path} ({file.reason})" for file in files[:_MOST_NAMES]]
    return lines if len(files) <= _MOST_NAMES else [*lines, f"and {len(files) - _MOST_NAMES:,} more (--json has all)"]


def _source(source: SourceState) -> str:
    place = " ".join(filter(None, [source.branch, source.commit and source.commit[:12]]))
    dirty = ", with uncommitted changes" if source.dirty else ""
    return f"{source.state:<10}{source.repo}{f' at {place}' if place else ''}{dirty}"


def _changes(changes: Changes) -> str:
    if not (changes.added or changes.removed or changes.changed):
        return f"none since snapshot {changes.since}"
    numbers = f"{count(changes.added, 'file')} added, {changes.removed:,} removed, {changes.changed:,} changed"
    return f"{numbers} since snapshot {changes.since}"


def _slowest(file: Slowest) -> str:
    return f"{file.repo}:{file.path} {file.seconds:.2f} s"
