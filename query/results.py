"""What a search returns: frozen values, and their JSON form, which is a documented schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["FILE_KIND", "Answer", "Chain", "Cluster", "Hit", "Link", "Provenance", "Snippet"]

FILE_KIND = "file"
"""Kind of a row that stands for a whole file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """The lines of a hit that say most about the query; `line` is the number of the first, from 1.

    `spans` are (row, start, end) of matched words: row counts `lines` from 0, start and end are character offsets.
    """

    line: int
    lines: tuple[str, ...]
    spans: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a row comes from: the snapshot, the commit of its source (None where unknown) and what was read there."""

    snapshot: str
    commit: str | None
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One row of an answer: a symbol, a whole file (kind `file`, `name` the base name, `qualified_name` None), or a line.

    A row for a line has its number as `line`, its text as `snippet`, and else what belongs to the innermost symbol around
    it: None where there is none. `symbol` is the id in the snapshot's `symbols` table, of the file's own row where no symbol
    is around a line; lines count from 1, inclusive. `matched_by` is a subset of
    name, content, meaning, graph and path. `terms`, when asked for, map the name of each part of the score to a number
    and add up to `score`; their order is the order in which they were applied.
    """

    rank: int
    score: float
    repo: str
    path: str
    start_line: int | None
    end_line: int | None
    name: str | None
    qualified_name: str | None
    kind: str | None
    language: str | None
    signature: str | None
    key: str | None
    matched_by: tuple[str, ...]
    symbol: int
    provenance: Provenance
    terms: Mapping[str, float] | None = None
    snippet: Snippet | None = None
    line: int | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row as plain JSON values; `terms` and `snippet` are there only if they were asked for, `line` of lines."""
        row: dict[str, Any] = {name: getattr(self, name) for name in _ROW}
        if self.line is not None:
            row["line"] = self.line
        row["matched_by"] = list(self.matched_by)
        # the snapshot's id stands once in the envelope: rows of equal content are equal in every snapshot
        row["provenance"] = {"commit": self.provenance.commit, "evidence": self.provenance.evidence}
        if self.terms is not None:
            row["terms"] = dict(self.terms)
        if self.snippet is not None:
            row["snippet"] = {"line": self.snippet.line, "lines": list(self.snippet.lines)}
        return row


_ROW = "rank score repo path start_line end_line name qualified_name kind language signature key matched_by".split()


class Cluster(NamedTuple):
    """Rows of a set that share something.

    `key` names what they share, `reason` says what it is: `shared base`, `name` or `folder`. `members` are keys of symbols, the
    best first: `coverage` of the first `of` rows, which may be more than were asked for.
    """

    key: str
    reason: str
    coverage: int
    of: int
    members: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {name: getattr(self, name) for name in ("key", "reason", "coverage", "of")} | {"members": list(self.members)}


class Link(NamedTuple):
    """One step of a chain: the edge's kind, and whether it leads from the symbol before to this one or back."""

    key: str
    kind: str
    forward: bool


class Chain(NamedTuple):
    """How two symbols hang together: a shortest chain of edges, no links where there is none; symbols by their keys."""

    start: str
    end: str
    links: tuple[Link, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain JSON values."""
        links = [{"key": link.key, "kind": link.kind, "forward": link.forward} for link in self.links]
        return {"start": self.start, "end": self.end, "links": links}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to one query.

    `family` is the query family that was used, `mode` one of `lexical`, `lexical+meaning`, `meaning` and `content`,
    `snapshot` the id of the snapshot. `complete` is False, with a note, when something was cut or unavailable. `trace`, when
    asked for, is what the ranker wrote down of the whole query, see `query.why.summary`. `clusters` are there for queries about a
    set, `paths` for those about a relationship, None for others.
    """

    query: str
    family: str
    mode: str
    snapshot: str
    complete: bool = True
    notes: tuple[str, ...] = ()
    results: tuple[Hit, ...] = field(default=())
    trace: Mapping[str, Any] | None = None
    clusters: tuple[Cluster, ...] | None = None
    paths: tuple[Chain, ...] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the envelope of `search --json` as plain JSON values."""
        answer: dict[str, Any] = {
            "query": self.query,
            "family": self.family,
            "mode": self.mode,
            "snapshot": self.snapshot,
            "complete": self.complete,
            "notes": list(self.notes),
            "results": [hit.to_json() for hit in self.results],
        }
        if self.clusters is not None:
            answer["clusters"] = [cluster.to_json() for cluster in self.clusters]
        if self.paths is not None:
            answer["paths"] = [path.to_json() for path in self.paths]
        if self.trace is not None:
            answer["trace"] = dict(self.trace)
        return answer
