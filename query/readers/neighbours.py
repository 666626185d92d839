"""Edges by their ends, for walks: looked up for some symbols, or all of them in memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np

from ..connection import Connection
from ..store import Snapshot
from .arrays import Codes, Ids, Places
from .decode import BadBlobError, running_ids
from .files import blaming

__all__ = [
    "Adjacency",
    "LookupNeighbours",
    "Neighbours",
    "ResidentNeighbours",
    "decode_edges",
    "edge_chunks",
    "load_adjacency",
    "taken",
]

NO_LIMIT = 2**31 - 1
_BLOBS = "others, kinds, evidence, confidences"


class Adjacency(NamedTuple):
    """The edges at some symbols, end to end: those of the i-th one are `starts[i]` to `starts[i + 1]`.

    `others` are the symbols at the other ends, ascending; `kinds` index schemas.tables.EDGE_KINDS, `evidence` EVIDENCE;
    `confidences` are hundredths.
    """

    starts: Places
    others: Ids
    kinds: Codes
    evidence: Codes
    confidences: Codes


class Neighbours(Protocol):
    """Read access to the edges of one snapshot; both methods take ascending symbol ids.

    Symbols with more than `most` edges in that direction give none: a hub relates nearly everything to everything.
    """

    def out(self, symbols: Ids, most: int = NO_LIMIT) -> Adjacency:
        """Return the edges that begin at the symbols."""

    def into(self, symbols: Ids, most: int = NO_LIMIT) -> Adjacency:
        """Return the edges that end at the symbols."""


class LookupNeighbours:
    """Asks the tables for the edges of the symbols that are wanted."""

    def __init__(self, snapshot: Snapshot, connection: Connection) -> None:
        self._snapshot = snapshot
        self._connection = connection

    def out(self, symbols: Ids, most: int = NO_LIMIT) -> Adjacency:
        """See Neighbours."""
        return self._read("edges_out", symbols, most)

    def into(self, symbols: Ids, most: int = NO_LIMIT) -> Adjacency:
        """See Neighbours."""
        return self._read("edges_in", symbols, most)

    def _read(self, table: str, symbols: Ids, most: int) -> Adjacency:
        wanted = ",".join(map(str, symbols.tolist()))
        rows = self._connection.rows(
            f"SELECT symbol, {_BLOBS} FROM {table} WHERE symbol IN ({wanted or 'NULL'}) AND degree <= {most} ORDER BY symbol"
        )
        with blaming(self._snapshot, table):
            found, edges = decode_edges(rows, self._snapshot.rows("symbols"))
        counts = np.zeros(len(symbols), np.int64)
        counts[np.searchsorted(symbols, found)] = np.diff(edges.starts)
        return edges._replace(starts=np.concatenate([[0], np.cumsum(counts)]))


class ResidentNeighbours:
    """Holds all edges: 7 bytes an edge and direction, 8 a symbol."""

    def __init__(self, snapshot: Snapshot, connection: Connection) -> None:
        self._out = load_adjacency("edges_out", snapshot, connection)
        self._in = load_adjacency("edges_in", snapshot, connection)

    def out(self, symbols: Ids, most: int = NO_LIMIT) -> Adjacency:
        """See Neighbours."""
        return _taken(self._out, symbols, most)

    def into(self, symbols: Ids, most: int = NO_LIMIT) -> Adjacency:
        """See Neighbours."""
        return _taken(self._in, symbols, most)


def load_adjacency(table: str, snapshot: Snapshot, connection: Connection) -> Adjacency:
    """Return all edges of `edges_out` or `edges_in`, for every symbol id."""
    total = snapshot.rows("symbols")
    counts = np.zeros(total, np.int64)
    parts = []
    for found, edges in edge_chunks(table, snapshot, connection, 65536):
        counts[found] = np.diff(edges.starts)
        parts.append(edges)
    empty = Adjacency(np.zeros(1, np.int64), np.zeros(0, np.int32), *(np.zeros(0, np.uint8) for _ in range(3)))
    joined = [np.concatenate(columns) for columns in zip(*(part[1:] for part in [empty, *parts]), strict=True)]
    return Adjacency(np.concatenate([[0], np.cumsum(counts)]), *joined)


def edge_chunks(table: str, snapshot: Snapshot, connection: Connection, rows: int) -> Iterator[tuple[Ids, Adjacency]]:
    """Yield all of `edges_out` or `edges_in`, some rows at a time: symbols, which rise throughout, and their edges."""
    last = -1
    with blaming(snapshot, table):
        for chunk in connection.chunks(f"SELECT symbol, {_BLOBS} FROM {table}", rows):
            found, edges = decode_edges(chunk, snapshot.rows("symbols"))
            if found[0] <= last or np.any(np.diff(found) <= 0):
                raise BadBlobError("symbols do not rise")
            last = int(found[-1])
            yield found, edges


def decode_edges(rows: list[tuple[int, bytes, bytes, bytes, bytes]], total: int) -> tuple[Ids, Adjacency]:
    """Return the symbols of rows and their edges; BadBlobError for what cannot be."""
    symbols, *blobs = zip(*rows, strict=True) if rows else [()] * 5
    found = np.array(symbols, np.int32)
    others, *codes = (b"".join(column) for column in blobs)
    counts = np.fromiter(map(len, blobs[1]), np.int64, len(rows))
    if any(4 * n != len(ids) for n, ids in zip(counts.tolist(), blobs[0], strict=True)) or any(
        len(code) != int(counts.sum()) for code in codes
    ):
        raise BadBlobError("a blob of edges has the wrong length")
    if len(found) and (found.min() < 0 or found.max() >= total):
        raise BadBlobError("a symbol lies outside the range of ids")
    starts = np.concatenate([[0], np.cumsum(counts)])
    ids = running_ids(np.frombuffer(others, "<i4"), starts, total, several=True)
    return found, Adjacency(starts, ids, *(np.frombuffer(code, np.uint8) for code in codes))


def _taken(edges: Adjacency, symbols: Ids, most: int) -> Adjacency:
    """Return the edges of some symbols only, none of those that have more than `most`."""
    starts, places = taken(edges.starts, symbols, most)
    return Adjacency(starts, edges.others[places], edges.kinds[places], edges.evidence[places], edges.confidences[places])


def taken(starts: Places, rows: Ids, most: int = NO_LIMIT) -> tuple[Places, Places]:
    """Return where the items of some rows would start end to end, and their places; rows with more than `most` give none."""
    first, counts = starts[rows], starts[rows + 1] - starts[rows]
    counts = np.where(counts > most, 0, counts)
    chosen = np.concatenate([[0], np.cumsum(counts)])
    return chosen, np.repeat(first - chosen[:-1], counts) + np.arange(chosen[-1])
