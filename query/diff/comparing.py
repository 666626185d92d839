"""Compare two snapshots as wholes, and follow what changed through the graph."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...schemas import layout
from ...schemas.errors import UsageError
from ..connection import Connection, Limits
from ..graph.naming import Place, places
from ..graph.related import impact
from ..store import Snapshot, open_snapshot
from .edges import EdgeChanges, compare_edges
from .files import FileChanges, compare_files
from .symbols import SymbolChange, compare_symbols, read_symbols

__all__ = ["Difference", "Felt", "compare", "open_side"]

_TABLES = ("edges", "edges_in", "edges_out", "files", "sources", "symbol_statistics", "symbols")

_FOLLOWED = 200
"""Changed symbols that are followed through the graph, those with a new signature first; more would take long to read too."""

_FEW = 40
"""Of what one changed symbol may break, this much is added up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """A symbol that may feel a change: how likely, and the key of the changed symbol that it feels most."""

    place: Place
    score: float
    cause: str

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {**self.place.to_json(), "score": round(self.score, 6), "cause": self.cause}


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """All that changed from `before` to `after` (ids of snapshots); `impact` has what did not change and may break, likeliest first."""

    before: str
    after: str
    files: FileChanges
    symbols: tuple[SymbolChange, ...]
    edges: EdgeChanges
    impact: tuple[Felt, ...]
    notes: tuple[str, ...]

    @property
    def empty(self) -> bool:
        """Say whether nothing changed."""
        files = self.files
        lists: Sequence[Sequence[Any]] = (
            files.added, files.removed, files.changed, files.moved, self.symbols,
            self.edges.added, self.edges.removed, self.edges.changed,
        )  # fmt: skip
        return not any(lists)

    def to_json(self) -> dict[str, Any]:
        """Return plain values (schemas/json/diff.schema.json)."""
        files = {name: list(getattr(self.files, name)) for name in ("added", "removed", "changed")}
        return {
            "before": self.before,
            "after": self.after,
            "complete": not self.notes,
            "notes": list(self.notes),
            "files": {**files, "moved": [move._asdict() for move in self.files.moved]},
            "symbols": [change.to_json() for change in self.symbols],
            "edges": self.edges.to_json(),
            "impact": [felt.to_json() for felt in self.impact],
        }


def open_side(name: str, index: str) -> Snapshot:
    """Open what one side of a comparison names: a folder, or the beginning of a snapshot's id in the store `index`."""
    if os.path.isdir(name):
        return open_snapshot(name)
    try:
        there = sorted(os.listdir(Path(index, layout.SNAPSHOTS)))
    except OSError:
        there = []
    found = [folder for folder in there if len(name) >= 4 and folder.startswith(name)]
    if len(found) != 1:
        known = ", ".join(there[:10]) or "none"
        what = "more than one snapshot" if found else "neither a folder nor a snapshot"
        raise UsageError(f"{name!r} names {what} of {index}: give a folder, or the first letters of an id ({known})")
    return open_snapshot(Path(index, layout.SNAPSHOTS, found[0]))


def compare(old: Snapshot, new: Snapshot, *, limit: int = 20) -> Difference:
    """Return what changed; `limit` bounds what may break. Symbols are read of files that differ only."""
    if old.id == new.id:
        nothing = FileChanges(added=(), removed=(), changed=(), moved=(), before=(), after=())
        edges = EdgeChanges(added=(), removed=(), changed=())
        return Difference(
            before=old.id, after=new.id, files=nothing, symbols=(), edges=edges, impact=(), notes=()
        )  # fmt: skip
    with _connected(old) as was, _connected(new) as now:
        files = compare_files(was, now)
        symbols = compare_symbols(read_symbols(was, files.before), read_symbols(now, files.after))
        moved = {move.before: move.after for move in files.moved}
        moved |= {c.before.key: c.after.key for c in symbols if c.before and c.after and c.change == "moved"}
        edges = compare_edges(was, now, moved)
        felt, notes = _impact(was, now, symbols, limit)
    return Difference(
        before=old.id,
        after=new.id,
        files=files,
        symbols=symbols,
        edges=edges,
        impact=felt,
        notes=(*_without_texts(old, new), *notes),
    )


def _connected(snapshot: Snapshot) -> Connection:
    return Connection(snapshot, [name for name in _TABLES if snapshot.has(name)], Limits(threads=1))


def _without_texts(*snapshots: Snapshot) -> Iterator[str]:
    for snapshot in snapshots:
        if not snapshot.has("sources"):
            yield f"snapshot {snapshot.id} holds no texts, so changed bodies and moved symbols cannot be told"


def _impact(
    was: Connection, now: Connection, symbols: Sequence[SymbolChange], limit: int
) -> tuple[tuple[Felt, ...], list[str]]:
    """Follow what changed now, and what is gone in the snapshot that had it; add up by the key of what may break."""
    changed = [c for c in symbols if c.change not in ("added", "moved")]
    changed.sort(key=lambda c: (c.change == "body", c.row.key))
    touched = {c.row.key for c in symbols}
    best: dict[str, Felt] = {}
    for change in changed[:_FOLLOWED]:
        connection = now if change.after else was
        place = places(connection, [change.row.symbol])[change.row.symbol]
        for row in impact(connection, place, limit=_FEW).groups["impact"]:
            felt = Felt(place=row.place, score=row.score or 0.0, cause=change.row.key)
            known = best.get(row.place.key)
            if row.place.key not in touched and (known is None or felt.score > known.score):
                best[row.place.key] = felt
    notes = [f"followed {_FOLLOWED:,} of {len(changed):,} changed symbols"] if len(changed) > _FOLLOWED else []
    order = sorted(best.values(), key=lambda felt: (-round(felt.score, 9), felt.place.key))
    return tuple(order[:limit]), notes
