"""What the ranking reads of the code graph: edges of symbols, calls between files, terms of neighbours; by look-ups or from memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np

from ...schemas.tables import EDGE_KINDS
from ..connection import Connection
from ..store import Snapshot
from .arrays import Array, Codes, Ids, Places, distinct
from .decode import gather
from .files import blaming
from .neighbours import Adjacency, LookupNeighbours, Neighbours, ResidentNeighbours, decode_edges, edge_chunks, taken
from .values import FileColumns

__all__ = ["FileCalls", "Graph", "LookupGraph", "NeighbourTerm", "ResidentGraph"]

_CALLS = EDGE_KINDS.index("calls")
_TABLES = ("edges_out", "edges_in")
_CHUNK = 8192
"""Rows decoded at a time: as Python values some three MB."""


class FileCalls(NamedTuple):
    """Which files some files call, or are called by: those of the i-th are `starts[i]` to `starts[i + 1]`, ascending.

    `weights` are hundredths: the confidences of the calls between two files added up, at most 100.
    """

    starts: Places
    others: Ids
    weights: Codes


class NeighbourTerm(NamedTuple):
    """Symbols that have a term among those of their neighbours, ids ascending; weights from 1 to 255."""

    term: str
    symbols: Ids
    weights: Codes


class Graph(Protocol):
    """Read access to the code graph of one snapshot; every method may be called from several threads."""

    @property
    def neighbours(self) -> Neighbours:
        """Edges of symbols."""

    def file_calls(self, files: Ids) -> tuple[FileCalls, FileCalls]:
        """Return what ascending files call, and what calls them; calls within a file are left out."""

    def neighbour_terms(self, terms: Sequence[str]) -> list[NeighbourTerm]:
        """Return those of the terms that the names around some symbol hold, in the order given."""


class LookupGraph:
    """Asks the tables for what a query touches."""

    def __init__(self, snapshot: Snapshot, connection: Connection, files: FileColumns) -> None:
        self._snapshot = snapshot
        self._connection = connection
        self._files = files
        self._neighbours = LookupNeighbours(snapshot, connection)

    @property
    def neighbours(self) -> Neighbours:
        """See Graph."""
        return self._neighbours

    def file_calls(self, files: Ids) -> tuple[FileCalls, FileCalls]:
        """See Graph."""
        calls, called_by = (_pairs(*self._edges(table, files), self._files, files) for table in _TABLES)
        return calls, called_by

    def _edges(self, table: str, files: Ids) -> tuple[Ids, Adjacency]:
        first = self._files.first_symbol
        spans = " OR ".join(f"symbol BETWEEN {first[file]} AND {first[file + 1] - 1}" for file in files.tolist())
        # evidence is not wanted, and a column that is not read is one in five saved
        rows = self._connection.rows(
            f"SELECT symbol, others, kinds, kinds, confidences FROM {table} WHERE {spans or 'false'} ORDER BY symbol"
        )
        with blaming(self._snapshot, table):
            return decode_edges(rows, self._snapshot.rows("symbols"))

    def neighbour_terms(self, terms: Sequence[str]) -> list[NeighbourTerm]:
        """See Graph."""
        if not terms:
            return []
        marks = ", ".join("?" * len(terms))
        statement = f"SELECT term, symbols, frequencies FROM neighbor_terms WHERE term IN ({marks})"
        with Connection(
            self._snapshot, ("neighbor_terms",)
        ) as connection:  # few policies want it: its view costs all others
            rows = connection.rows(statement, list(terms))
        with blaming(self._snapshot, "neighbor_terms"):
            found = {term.term: term for term in _decoded_terms(rows, self._snapshot.rows("symbols"))}
        return [found[term] for term in terms if term in found]


class ResidentGraph:
    """Holds what was asked for: each part is loaded whole at its first use, over a connection that is then closed."""

    def __init__(self, snapshot: Snapshot, connect: Callable[[tuple[str, ...]], Connection], files: FileColumns) -> None:
        self._snapshot = snapshot
        self._connect = connect
        self._files = files
        self._lock = threading.RLock()

    @property
    def neighbours(self) -> Neighbours:
        """See Graph."""
        with self._lock:
            return self._all_neighbours

    def file_calls(self, files: Ids) -> tuple[FileCalls, FileCalls]:
        """See Graph."""
        with self._lock:
            calls, called_by = self._all_calls
        return _taken(calls, files), _taken(called_by, files)

    def neighbour_terms(self, terms: Sequence[str]) -> list[NeighbourTerm]:
        """See Graph."""
        with self._lock:
            known = self._all_terms
        return [known[term] for term in terms if term in known]

    @cached_property
    def _all_neighbours(self) -> ResidentNeighbours:
        with self._connect(_TABLES) as connection:
            return ResidentNeighbours(self._snapshot, connection)

    @cached_property
    def _all_calls(self) -> tuple[FileCalls, FileCalls]:
        with self._connect(_TABLES) as connection:
            calls, called_by = (self._load_calls(table, connection) for table in _TABLES)
        return calls, called_by

    def _load_calls(self, table: str, connection: Connection) -> FileCalls:
        """Return the calls of all files; rows come in the order of files, so only those of one file wait for the next chunk."""
        loader = _CallsLoader(len(self._files.language))
        for symbols, edges in edge_chunks(table, self._snapshot, connection, _CHUNK):
            loader.add(*_between(symbols, edges, self._files))
        return loader.build()

    @cached_property
    def _all_terms(self) -> dict[str, NeighbourTerm]:
        known: dict[str, NeighbourTerm] = {}
        with self._connect(("neighbor_terms",)) as connection, blaming(self._snapshot, "neighbor_terms"):
            for chunk in connection.chunks("SELECT term, symbols, frequencies FROM neighbor_terms", _CHUNK):
                known.update((term.term, term) for term in _decoded_terms(chunk, self._snapshot.rows("symbols")))
        return known


class _CallsLoader:
    """Puts the calls of all files together without holding more than their compact columns."""

    def __init__(self, files: int) -> None:
        self._files = files
        self._counts = np.zeros(files, np.int64)
        self._others: list[Ids] = [np.zeros(0, np.int32)]
        self._weights: list[Codes] = [np.zeros(0, np.uint8)]
        self._waiting = np.zeros(0, np.int64), np.zeros(0, np.int64)

    def add(self, codes: Places, weights: Places) -> None:
        """Append the calls of files (see _between), none before those that were appended."""
        codes, weights = _summed(*(np.concatenate(pair) for pair in zip(self._waiting, (codes, weights), strict=True)))
        done = int(np.searchsorted(codes, codes[-1] // self._files * self._files)) if len(codes) else 0
        self._waiting = codes[done:], weights[done:]
        self._take(codes[:done], weights[:done])

    def _take(self, codes: Places, weights: Places) -> None:
        near, far = np.divmod(codes, max(self._files, 1))
        self._counts += np.bincount(near, minlength=self._files)
        self._others.append(far.astype(np.int32))
        self._weights.append(_capped(weights))

    def build(self) -> FileCalls:
        """Return everything added."""
        self._take(*self._waiting)
        starts = np.concatenate([[0], np.cumsum(self._counts)])
        return FileCalls(starts=starts, others=np.concatenate(self._others), weights=np.concatenate(self._weights))


def _decoded_terms(rows: list[tuple[str, bytes, bytes]], total: int) -> Iterator[NeighbourTerm]:
    terms, symbols, weights = zip(*rows, strict=True) if rows else [()] * 3
    found = gather(symbols, weights, 1, total)
    for i, term in enumerate(terms):
        own = slice(*found.starts[i : i + 2])
        yield NeighbourTerm(term=term, symbols=found.ids[own], weights=found.planes[own])


def _pairs(symbols: Ids, edges: Adjacency, columns: FileColumns, files: Ids) -> FileCalls:
    return _by_file(*_summed(*_between(symbols, edges, columns)), files, len(columns.language))


def _between(symbols: Ids, edges: Adjacency, columns: FileColumns) -> tuple[Places, Places]:
    """Return a code (near file x files + far file) and the hundredths of each call from one file to another."""
    count = len(columns.language)
    near = np.repeat(columns.owners(symbols).astype(np.int64), np.diff(edges.starts))
    far = columns.owners(edges.others).astype(np.int64)
    kept = np.flatnonzero((edges.kinds == _CALLS) & (near != far))
    return near[kept] * count + far[kept], edges.confidences[kept].astype(np.int64)


def _summed(codes: Array, weights: Array) -> tuple[Places, Places]:
    """Return the distinct codes, ascending, and the sums of their weights."""
    unique = distinct(codes)
    sums = np.bincount(np.searchsorted(unique, codes), weights, len(unique))
    return unique, sums.astype(np.int64)  # whole numbers far below 2**53: exact


def _capped(weights: Places) -> Codes:
    return np.minimum(weights, 100).astype(np.uint8)


def _by_file(codes: Places, weights: Places, files: Ids, count: int) -> FileCalls:
    near, far = np.divmod(codes, max(count, 1))
    ends = np.searchsorted(near, files, side="right")
    starts = np.concatenate([[0], ends])
    return FileCalls(starts=starts.astype(np.int64), others=far.astype(np.int32), weights=_capped(weights))


def _taken(calls: FileCalls, files: Ids) -> FileCalls:
    starts, places = taken(calls.starts, files)
    return FileCalls(starts=starts, others=calls.others[places], weights=calls.weights[places])
