"""A snapshot as plain arrays, for the baselines: rows, counted terms, edges and texts."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...query.connection import Connection
from ...query.readers.arrays import Array, Bools, Floats, Ids, Places
from ...query.readers.blocks import block_rows, by_block, join_blocks
from ...query.readers.decode import gather, planes_of
from ...query.readers.neighbours import ResidentNeighbours
from ...query.results import FILE_KIND
from ...query.store import Snapshot
from ...schemas.tables import FILE_FIELDS, SYMBOL_FIELDS
from .rows import Found

__all__ = ["Corpus", "Terms"]

_FILE_PLANES = tuple(FILE_FIELDS.index(name) for name in ("basename", "directory", "text"))
"""The names of a file's symbols stand in its text already."""


class Terms(NamedTuple):
    """How often terms occur in documents: those of term `vocabulary[t]` are `starts[t]` to `starts[t + 1]`.

    A document is a symbol, with all of its fields, or a file, under the id of its own row, with its path and text;
    `lengths` are in terms, one a document.
    """

    vocabulary: dict[str, int]
    starts: Places
    documents: Ids
    counts: Floats
    lengths: Floats


class Corpus:
    """One snapshot; what is not needed is not loaded."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.size = snapshot.rows("symbols")

    @cached_property
    def rows(self) -> list[Found]:
        """What is answered for each symbol id."""
        with self._connected("symbols") as connection:
            read = connection.rows("SELECT repo, path, key, qualified_name, name, kind FROM symbols ORDER BY symbol")
        return [
            Found(repo, path) if kind == FILE_KIND else Found(repo, path, key, qualified_name, name)
            for repo, path, key, qualified_name, name, kind in read
        ]

    @cached_property
    def is_file(self) -> Bools:
        """Say for each symbol id whether it is the row of a file."""
        return np.array([row.key is None for row in self.rows], np.bool_)

    @cached_property
    def owners(self) -> Ids:
        """The file of each symbol id."""
        return (np.cumsum(self.is_file) - 1).astype(np.int32)

    @cached_property
    def neighbours(self) -> ResidentNeighbours:
        """The edges at both ends."""
        with self._connected("edges_out", "edges_in") as connection:
            return ResidentNeighbours(self.snapshot, connection)

    @cached_property
    def texts(self) -> list[str]:
        """The source text of each symbol id, lower case; that of a file's row is the whole file."""
        with self._connected("symbols", "sources") as connection:
            files = dict(connection.rows("SELECT file, text FROM sources"))
            spans = connection.rows("SELECT file, start_byte, end_byte FROM symbols ORDER BY symbol")
        raw = {file: text.encode() for file, text in files.items()}
        return [
            (files.get(file, "") if whole else raw.get(file, b"")[start:end].decode("utf-8", "replace")).lower()
            for (file, start, end), whole in zip(spans, self.is_file.tolist(), strict=True)
        ]

    @cached_property
    def terms(self) -> Terms:
        """Counted terms of all documents."""
        with self._connected("postings", "symbol_statistics", "file_statistics") as connection:
            read = connection.columns(
                "SELECT term, symbols, frequencies, files, file_frequencies FROM postings ORDER BY term"
            )
            lengths = self._lengths(connection)
        symbols = gather(read["symbols"], read["frequencies"], len(SYMBOL_FIELDS), self.size)
        files = gather(read["files"], read["file_frequencies"], len(FILE_FIELDS), int(self.is_file.sum()))
        counts = (
            np.sum(planes_of(symbols, len(SYMBOL_FIELDS)), axis=0, dtype=np.float64) if len(symbols.ids) else np.zeros(0)
        )
        planes = planes_of(files, len(FILE_FIELDS))
        file_counts = np.sum([planes[p] for p in _FILE_PLANES], axis=0, dtype=np.float64)
        file_rows = np.flatnonzero(self.is_file).astype(np.int32)
        owner = np.concatenate([_owner(symbols.starts), _owner(files.starts)])
        documents = np.concatenate([symbols.ids, file_rows[files.ids]])
        merged = np.concatenate([counts, file_counts])
        order = np.lexsort((documents, owner))[: len(owner)]
        order = order[merged[order] > 0]
        starts = np.searchsorted(owner[order], np.arange(len(read["term"]) + 1))
        vocabulary = {term: i for i, term in enumerate(read["term"].tolist())}
        return Terms(vocabulary, starts, documents[order], merged[order], lengths)

    def _lengths(self, connection: Connection) -> Floats:
        symbols = by_block(connection.columns("SELECT block, lengths FROM symbol_statistics"))
        files = by_block(connection.columns("SELECT block, lengths FROM file_statistics"))
        file_rows = np.flatnonzero(self.is_file)
        lengths: Floats = np.zeros(self.size)
        if self.size:
            rows = block_rows(symbols["block"], self.size)
            lengths += join_blocks(symbols["lengths"], rows, "<u2", len(SYMBOL_FIELDS)).sum(axis=0)
            rows = block_rows(files["block"], len(file_rows))
            planes = join_blocks(files["lengths"], rows, "<i4", len(FILE_FIELDS))
            lengths[file_rows] = planes[list(_FILE_PLANES)].sum(axis=0)
        return lengths

    def _connected(self, *tables: str) -> Connection:
        return Connection(self.snapshot, tables)


def _owner(starts: Places) -> Array:
    return np.repeat(np.arange(len(starts) - 1), np.diff(starts))
