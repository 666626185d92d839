"""What a snapshot holds, in numbers: sources, files by status and reason, symbols by language, tables, versions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..schemas.manifest import SourceInfo
from .connection import Connection
from .store import Snapshot

__all__ = ["FileCount", "Status", "SymbolCount", "TableSize", "status"]

_FILES = """
SELECT repo, status, split_part(reason, ':', 1) AS reason, count(*)::BIGINT AS files
FROM files GROUP BY ALL ORDER BY ALL NULLS FIRST
"""
_SYMBOLS = """
SELECT language, count(*)::BIGINT AS symbols
FROM symbols WHERE kind <> 'file' GROUP BY language ORDER BY symbols DESC, language NULLS LAST
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCount:
    """Files of one source with one status and reason (a slug of SPEC.md, None when indexed without remark)."""

    repo: str
    status: str
    reason: str | None
    files: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolCount:
    """Symbols of one language; the rows that stand for files are not counted."""

    language: str | None
    symbols: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSize:
    """Rows and bytes of one table, over all its parts."""

    table: str
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A snapshot in numbers; `bytes` is the size of all its tables."""

    snapshot: str
    format_version: int
    reproducible: bool
    bytes: int
    sources: tuple[SourceInfo, ...]
    files: tuple[FileCount, ...]
    symbols: tuple[SymbolCount, ...]
    tables: tuple[TableSize, ...]
    versions: dict[str, str]
    options: dict[str, Any]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return what `status --json` prints."""
        return asdict(self)


def status(snapshot: Snapshot) -> Status:
    """Count what a snapshot holds."""
    with Connection(snapshot, ("files", "symbols")) as connection:
        files = [FileCount(repo=r, status=s, reason=w, files=n) for r, s, w, n in connection.rows(_FILES)]
        symbols = [SymbolCount(language=language, symbols=n) for language, n in connection.rows(_SYMBOLS)]
    known = snapshot.manifest
    tables = [
        TableSize(table=name, rows=info.rows, bytes=sum(part.bytes for part in info.parts))
        for name, info in sorted(known.tables.items())
    ]
    return Status(
        snapshot=snapshot.id,
        format_version=known.format_version,
        reproducible=known.reproducible,
        bytes=sum(table.bytes for table in tables),
        sources=known.sources,
        files=tuple(files),
        symbols=tuple(symbols),
        tables=tuple(tables),
        versions=known.versions,
        options=known.options,
        notes=tuple(_notes(snapshot, files)),
    )


def _notes(snapshot: Snapshot, files: list[FileCount]) -> list[str]:
    notes = []
    if not any(row.status in ("indexed", "partial") for row in files):
        notes.append("the index is empty: no file of its sources could be indexed" if files else "the index is empty")
    if not snapshot.manifest.reproducible:
        notes.append("a file was lost to the clock, so another run may give another snapshot")
    dirty = [source.repo for source in snapshot.manifest.sources if source.dirty]
    if dirty:
        notes.append(f"indexed with changes that are in no commit: {', '.join(dirty)}")
    return notes
