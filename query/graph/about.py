"""All about one symbol: what it is, where it stands, its outline, its source, and how it is connected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..connection import Connection
from .naming import Place, places

__all__ = ["Info", "info"]

_OUTLINE = 200
"""Parts that an outline shows at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """One symbol; `owner` is what contains it, `outline` what it contains, `counts` its edges by direction and kind.

    `source` is its text, None where the snapshot holds no sources; `visibility` and `decorators` as in the table.
    """

    symbol: Place
    doc: str | None
    visibility: str
    decorators: tuple[str, ...]
    owner: Place | None
    outline: tuple[Place, ...]
    counts: dict[str, int]
    source: str | None
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return what `info --json` prints."""
        return {
            "symbol": self.symbol.to_json(),
            "doc": self.doc,
            "visibility": self.visibility,
            "decorators": list(self.decorators),
            "owner": self.owner and self.owner.to_json(),
            "outline": [part.to_json() for part in self.outline],
            "edges": self.counts,
            "source": self.source,
            "complete": not self.notes,
            "notes": list(self.notes),
        }


def info(connection: Connection, symbol: Place) -> Info:
    """Gather what the snapshot knows about a symbol."""
    ((doc, visibility, decorators, parent, file, start, end),) = connection.rows(
        "SELECT doc, visibility, decorators, parent, file, start_byte, end_byte FROM symbols WHERE symbol = ?",
        [symbol.symbol],
    )
    owners = connection.rows("SELECT symbol FROM files WHERE file = ?", [file]) if parent is None else [(parent,)]
    owner = owners[0][0] if symbol.kind != "file" else None
    parts = _parts(connection, symbol, file)
    known = places(connection, [*parts, *([] if owner is None else [owner])])
    outline = tuple(known[part] for part in parts[:_OUTLINE])
    notes = [f"the outline shows {_OUTLINE} of {len(parts)} parts"] if len(parts) > _OUTLINE else []
    return Info(
        symbol=symbol,
        doc=doc,
        visibility=visibility,
        decorators=tuple((decorators or "").split()),
        owner=None if owner is None else known[owner],
        outline=outline,
        counts=_counts(connection, symbol.symbol),
        source=_text(connection, file, start, end) if symbol.kind != "file" else None,
        notes=tuple(notes),
    )


def _parts(connection: Connection, symbol: Place, file: int) -> list[int]:
    where = "parent IS NULL AND kind <> 'file'" if symbol.kind == "file" else f"parent = {symbol.symbol}"
    rows = connection.rows(f"SELECT symbol FROM symbols WHERE file = ? AND {where} ORDER BY symbol", [file])
    return [part for (part,) in rows]


def _counts(connection: Connection, symbol: int) -> dict[str, int]:
    """Return the number of edges as `calls out`, `calls in`, in the order of their names."""
    source = connection.source("edges")
    rows = connection.rows(
        f"SELECT kind || CASE WHEN src = $1 THEN ' out' ELSE ' in' END AS name, count(*) FROM {source} "
        "WHERE (src = $1 OR dst = $1) AND kind <> 'contains' GROUP BY name ORDER BY name",
        [symbol],
    )
    return dict(rows)


def _text(connection: Connection, file: int, start: int, end: int) -> str | None:
    if not connection.has("sources"):
        return None
    rows = connection.rows("SELECT text FROM sources WHERE file = ?", [file])
    if not rows:
        return None
    text: str = rows[0][0]
    return text.encode()[start:end].decode("utf-8", "replace")
