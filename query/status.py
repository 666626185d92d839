"""What a snapshot holds, in numbers: sources, files by status and reason, symbols by language, tables, versions.

With a briefing besides, and the freshness against a checkout, if one is given."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..schemas.manifest import ModelInfo, SourceInfo
from .connection import Connection
from .store import Snapshot

if TYPE_CHECKING:
    from .briefing import Briefing
    from .freshness import Freshness

__all__ = ["CallCount", "EdgeCount", "FileCount", "Status", "SymbolCount", "TableSize", "status"]

_FILES = """
SELECT repo, status, split_part(reason, ':', 1) AS reason, count(*)::BIGINT AS files
FROM files GROUP BY ALL ORDER BY ALL NULLS FIRST
"""
_SYMBOLS = """
SELECT language, count(*)::BIGINT AS symbols
FROM symbols WHERE kind <> 'file' GROUP BY language ORDER BY symbols DESC, language NULLS LAST
"""
_EDGES = "SELECT kind, count(*)::BIGINT AS edges FROM {} GROUP BY kind ORDER BY edges DESC, kind"
_CALLS = """
SELECT language, sum(sites)::BIGINT FROM {} AS edge JOIN symbols ON symbol = src
WHERE edge.kind = 'calls' AND language IS NOT NULL GROUP BY language
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
class EdgeCount:
    """Edges of one kind."""

    kind: str
    edges: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCount:
    """Calls of one language by what they lead to: `resolved` to symbols, others by the reason that they lead nowhere.

    `external` lead out of the sources and `value` to something that is no declaration; `unknown` is what could not be told.
    """

    language: str
    resolved: int
    unresolved: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSize:
    """Rows and bytes of one table, over all its parts."""

    table: str
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """A snapshot in numbers; `bytes` is the size of all its tables.

    `freshness` is None where no checkout was given.
    """

    snapshot: str
    format_version: int
    reproducible: bool
    bytes: int
    sources: tuple[SourceInfo, ...]
    files: tuple[FileCount, ...]
    symbols: tuple[SymbolCount, ...]
    edges: tuple[EdgeCount, ...]
    calls: tuple[CallCount, ...]
    tables: tuple[TableSize, ...]
    versions: dict[str, str]
    options: dict[str, Any]
    model: ModelInfo
    notes: tuple[str, ...]
    briefing: Briefing
    freshness: Freshness | None

    def to_json(self) -> dict[str, Any]:
        """Return what `status --json` prints."""
        return asdict(self)


def status(snapshot: Snapshot, topic: str | None = None, checkout: Path | None = None) -> Status:
    """Count what a snapshot holds, with the briefing, about a topic if one is given, and the freshness of a checkout."""
    from .briefing import brief
    from .freshness import compare

    with Connection(snapshot, ("files", "symbols", "edges", "edges_in")) as connection:
        files = [FileCount(repo=r, status=s, reason=w, files=n) for r, s, w, n in connection.rows(_FILES)]
        symbols = [SymbolCount(language=language, symbols=n) for language, n in connection.rows(_SYMBOLS)]
        edges, calls = _graph(snapshot, connection)
        briefing = brief(connection, {row.language: (row.resolved, row.unresolved) for row in calls}, topic)
        freshness = None if checkout is None else compare(connection, checkout)
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
        edges=edges,
        calls=calls,
        tables=tuple(tables),
        versions=known.versions,
        options=known.options,
        model=known.model,
        notes=tuple(_notes(snapshot, files)),
        briefing=briefing,
        freshness=freshness,
    )


def _graph(snapshot: Snapshot, connection: Connection) -> tuple[tuple[EdgeCount, ...], tuple[CallCount, ...]]:
    if not connection.has("edges"):
        return (), ()
    table = connection.source("edges")
    edges = tuple(EdgeCount(kind=kind, edges=n) for kind, n in connection.rows(_EDGES.format(table)))
    resolved: dict[str, int] = dict(connection.rows(_CALLS.format(table)))
    reasons: dict[str, dict[str, int]] = {language: {} for language in resolved}
    for row in snapshot.manifest.statistics.get("unresolved", ()):
        of_language = reasons.setdefault(row["language"], {})
        of_language[row["reason"]] = of_language.get(row["reason"], 0) + row["references"]
    calls = [CallCount(language=name, resolved=resolved.get(name, 0), unresolved=reasons[name]) for name in sorted(reasons)]
    return edges, tuple(calls)


def _notes(snapshot: Snapshot, files: list[FileCount]) -> list[str]:
    notes = []
    if not any(row.status in ("indexed", "partial") for row in files):
        notes.append("the index is empty: no file of its sources could be indexed" if files else "the index is empty")
    if not snapshot.manifest.reproducible:
        notes.append("a file was lost to the clock, so another run may give another snapshot")
    reason = snapshot.manifest.model.reason
    if reason is not None:
        notes.append(f"search by meaning is not available: {reason}")
    dirty = [source.repo for source in snapshot.manifest.sources if source.dirty]
    if dirty:
        notes.append(f"indexed with changes that are in no commit: {', '.join(dirty)}")
    return notes
