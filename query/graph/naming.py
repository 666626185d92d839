"""From what a person writes to a symbol: a key, a qualified name, a path with a line, or a path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...schemas.errors import CodequarryError, UsageError
from ..connection import Connection

__all__ = ["AmbiguousError", "Place", "places", "resolve"]

_COLUMNS = "symbol, key, repo, path, kind, name, qualified_name, signature, language, start_line, end_line, is_test"
_AT_LINE = re.compile(r"(?s)(.+):(\d{1,9})")
_CANDIDATES = 50
"""Shown of an ambiguous name; more would not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A symbol and where it stands; `symbol` is its id, kind `file` and no qualified name for a whole file."""

    symbol: int
    key: str
    repo: str
    path: str
    kind: str
    name: str
    qualified_name: str | None
    signature: str | None
    language: str | None
    start_line: int
    end_line: int
    is_test: bool

    def to_json(self) -> dict[str, Any]:
        """Return the row without its id, which means nothing elsewhere."""
        row = asdict(self)
        del row["symbol"]
        return row


class AmbiguousError(UsageError):
    """A name stands for several symbols: `candidates` are the first of `total`, in the order of their ids."""

    def __init__(self, name: str, candidates: Sequence[Place], total: int) -> None:
        super().__init__(f"{name!r} stands for {total} symbols: give the key of one, or its path and line")
        self.name = name
        self.candidates = tuple(candidates)
        self.total = total


def places(connection: Connection, symbols: Sequence[int]) -> dict[int, Place]:
    """Return the places of symbols by their ids."""
    if not symbols:
        return {}
    low, high = min(symbols), max(symbols)
    wanted = ",".join(map(str, sorted(set(symbols))))
    statement = f"SELECT {_COLUMNS} FROM symbols WHERE symbol BETWEEN {low} AND {high} AND symbol IN ({wanted})"
    found = map(_place, connection.rows(statement))
    return {place.symbol: place for place in found}


def resolve(connection: Connection, name: str) -> Place:
    """Return the one symbol that `name` stands for.

    Tried in this order, and the first that fits decides: a key, `path:line` (the innermost symbol there), a path, a qualified
    name, a name or the last parts of a qualified name (`.` or `::` between parts). Raises AmbiguousError when several symbols fit,
    CodequarryError when none does.
    """
    wanted = name.strip()
    for found in (_by_key, _by_line, _by_path, _by_qualified_name, _by_name):
        candidates = found(connection, wanted)
        if len(candidates) == 1:
            return candidates[0]
        if candidates:
            raise AmbiguousError(name, candidates[:_CANDIDATES], len(candidates))
    raise CodequarryError(
        f"the index holds no symbol, file or line {name!r}: `codequarry search` finds what is named alike, and SYMBOL is a "
        "key, a qualified name, PATH:LINE or a path"
    )


def _by_key(connection: Connection, name: str) -> list[Place]:
    return _select(connection, "key = ?", [name])


def _by_line(connection: Connection, name: str) -> list[Place]:
    match = _AT_LINE.fullmatch(name)
    if match is None:
        return []
    line = int(match[2])
    around = [
        place
        for file in _by_path(connection, match[1])
        for place in _select(
            connection,
            "file = (SELECT file FROM symbols WHERE symbol = ?) AND start_line <= ? AND end_line >= ?",
            [file.symbol, line, line],
        )
    ]
    innermost: dict[tuple[str, str], Place] = {}
    for place in around:
        old = innermost.get((place.repo, place.path))
        if old is None or (place.start_line, -place.end_line) >= (old.start_line, -old.end_line):
            innermost[place.repo, place.path] = place
    return list(innermost.values())


def _by_path(connection: Connection, name: str) -> list[Place]:
    path = name.removeprefix("./")
    repo, colon, rest = path.partition(":")
    found = _select(connection, "kind = 'file' AND path = ?", [path])
    if not found and colon:
        found = _select(connection, "kind = 'file' AND repo = ? AND path = ?", [repo, rest])
    return found


def _by_qualified_name(connection: Connection, name: str) -> list[Place]:
    return _select(connection, "qualified_name = ?", [_dotted(name)])


def _by_name(connection: Connection, name: str) -> list[Place]:
    dotted = _dotted(name)
    last = dotted.rpartition(".")[2]
    if not last:
        return []
    found = _select(connection, "kind <> 'file' AND name = ?", [last])
    return [p for p in found if f".{p.qualified_name}".endswith(f".{dotted}")]


def _dotted(name: str) -> str:
    return name.replace("::", ".").replace("#", ".").removesuffix("()")


def _select(connection: Connection, where: str, parameters: Sequence[Any]) -> list[Place]:
    return list(map(_place, connection.rows(f"SELECT {_COLUMNS} FROM symbols WHERE {where} ORDER BY symbol", parameters)))


def _place(row: Sequence[Any]) -> Place:
    return Place(**dict(zip(_COLUMNS.split(", "), row, strict=True)))
