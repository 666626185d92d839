"""Edges of the graph around symbols, read from the table of edges."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..connection import Connection

__all__ = ["Edge", "degrees", "edges_from", "edges_to"]

_COLUMNS = "src, dst, kind, evidence, confidence, rule, line, sites"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One row of `edges`: ids of both ends; `line` lies in the file of `src`."""

    src: int
    dst: int
    kind: str
    evidence: str
    confidence: float
    rule: str
    line: int
    sites: int


def edges_from(connection: Connection, symbols: Collection[int], kinds: Iterable[str]) -> list[Edge]:
    """Return the edges of some kinds that start from the symbols, in the order of the table."""
    return _edges(connection, "src", symbols, kinds)


def edges_to(connection: Connection, symbols: Collection[int], kinds: Iterable[str]) -> list[Edge]:
    """Return the edges of some kinds that lead to the symbols, ordered by their source."""
    return _edges(connection, "dst", symbols, kinds)


def degrees(connection: Connection, symbols: Collection[int]) -> dict[int, int]:
    """Return how many edges lead to each of the symbols, 0 where it is missing."""
    if not symbols:
        return {}
    return dict(connection.rows(f"SELECT symbol, degree FROM edges_in WHERE symbol IN ({_list(symbols)})"))


def _edges(connection: Connection, end: str, symbols: Collection[int], kinds: Iterable[str]) -> list[Edge]:
    wanted = sorted(kinds)
    if not symbols or not wanted:
        return []
    marks = ",".join("?" * len(wanted))
    rows = connection.rows(
        f"SELECT {_COLUMNS} FROM {connection.source('edges')} WHERE {end} IN ({_list(symbols)}) AND kind IN ({marks}) "
        "ORDER BY src, kind, dst",
        wanted,
    )
    names = _COLUMNS.split(", ")
    return [Edge(**dict(zip(names, row, strict=True))) for row in rows]


def _list(symbols: Collection[int]) -> str:
    return ",".join(map(str, sorted(symbols)))
