"""Load all postings: ids and impacts end to end, and sparse columns for names and paths."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...schemas.tables import FILE_FIELDS, SYMBOL_FIELDS
from ..connection import Connection
from ..ranking.policy import Fields
from ..store import Snapshot
from .arrays import Array, Ids, Places
from .decode import BadBlobError, Gathered, gather, planes_of
from .files import blaming
from .impacts import impacts
from .strings import LAST, Strings, StringsBuilder
from .values import TermPostings

__all__ = ["Postings", "load_postings"]

_CHUNK = 2048
"""Terms decoded at a time: at a hundred bytes of working space a posting, some ten MB."""

Lengths = tuple[Array, list[float]]
"""Lengths of fields in terms, a row a field, and their averages."""


class _Runs(NamedTuple):
    """Runs of values end to end; run i is `ids[ends[i-1]:ends[i]]`, and the same of each value."""

    ends: Places
    ids: Ids
    values: tuple[Array, ...]

    def of(self, i: int) -> tuple[Array, ...]:
        run = slice(int(self.ends[i - 1]) if i else 0, int(self.ends[i]))
        return (self.ids[run], *(value[run] for value in self.values))


class Postings(NamedTuple):
    """The postings of every term."""

    terms: Strings
    df: Ids
    file_df: Ids
    symbols: _Runs
    named: _Runs
    files: _Runs
    on_path: _Runs

    def of(self, term: str) -> TermPostings | None:
        """Return the postings of a term, None if no document holds it."""
        i = self.terms.find(term)
        if i is None:
            return None
        symbols, worth = self.symbols.of(i)
        named, name_counts = self.named.of(i)
        files, file_worth = self.files.of(i)
        on_path, base, directory = self.on_path.of(i)
        return TermPostings(
            term=term,
            df=int(self.df[i]),
            file_df=int(self.file_df[i]),
            symbols=symbols,
            impacts=worth,
            named=named,
            name_counts=name_counts,
            files=files,
            file_impacts=file_worth,
            on_path=on_path,
            base_counts=base,
            directory_counts=directory,
        )

    def longer(self, prefix: str, most: int) -> list[str]:
        """Return the terms that begin with a prefix and are longer, those of most symbols first, then by their bytes."""
        start, end = self.terms.place(prefix), self.terms.place(prefix + LAST)
        found = [(-int(self.df[i]), self.terms.encoded(i)) for i in range(start, end) if self.terms[i] != prefix]
        return [term.decode() for _, term in sorted(found)[:most]]


class _RunsBuilder:
    """Writes runs in place, into columns of a length that they can't exceed: nothing is ever copied.

    Memory that is reserved and not written to costs nothing, so a generous bound is fine.
    """

    def __init__(self, types: tuple[str, ...], bound: int) -> None:
        self._counts: list[Ids] = []
        self._columns = [np.empty(bound, dtype) for dtype in types]
        self._used = 0

    def add(self, counts: Places, *columns: Array) -> None:
        """Append runs of these lengths."""
        self._counts.append(counts.astype(np.int32))
        end = self._used + len(columns[0])
        for whole, column in zip(self._columns, columns, strict=True):
            if end > len(whole):
                raise BadBlobError("there are more postings than document frequencies say")
            whole[self._used : end] = column
        self._used = end

    def build(self) -> _Runs:
        """Return all runs."""
        ends = np.cumsum(np.concatenate([np.zeros(0, np.int32), *self._counts]), dtype=np.int64)
        ids, *values = (column[: self._used] for column in self._columns)
        return _Runs(ends=ends.astype(np.uint32) if self._used < 1 << 32 else ends, ids=ids, values=tuple(values))


def load_postings(
    snapshot: Snapshot, connection: Connection, fields: Fields, symbol_lengths: Lengths, file_lengths: Lengths
) -> Postings:
    """Return the postings of every term."""
    loader = _Loader(snapshot, connection, fields, symbol_lengths, file_lengths)
    statement = "SELECT term, df, file_df, symbols, frequencies, files, file_frequencies FROM postings"
    with blaming(snapshot, "postings"):
        for chunk in connection.chunks(statement, _CHUNK):
            loader.add(chunk)
        return loader.build()


class _Loader:
    def __init__(self, snapshot: Snapshot, connection: Connection, fields: Fields, symbols: Lengths, files: Lengths) -> None:
        bounds = connection.rows("SELECT coalesce(sum(df), 0)::BIGINT, coalesce(sum(file_df), 0)::BIGINT FROM postings")
        with blaming(snapshot, "postings"):
            in_symbols, in_files = map(_bound, bounds[0])
        self._symbols = _RunsBuilder(("i4", "u2"), in_symbols)
        self._named = _RunsBuilder(("i4", "u1"), in_symbols)
        self._files = _RunsBuilder(("i4", "u2"), in_files)
        self._on_path = _RunsBuilder(("i4", "u1", "u1"), in_files)
        self._terms = StringsBuilder()
        self._df: list[Ids] = []
        self._file_df: list[Ids] = []
        self._fields, self._symbol_lengths, self._file_lengths = fields, symbols, files
        self._limits = snapshot.rows("symbols"), snapshot.rows("files")

    def add(self, chunk: list[tuple[Any, ...]]) -> None:
        """Decode some rows of the table."""
        terms, df, file_df, symbols, planes, files, file_planes = zip(*chunk, strict=True)
        self._terms.extend(terms)
        self._df.append(np.array(df, np.int32))
        self._file_df.append(np.array(file_df, np.int32))
        self._add_symbols(gather(symbols, planes, len(SYMBOL_FIELDS), self._limits[0]))
        self._add_files(gather(files, file_planes, len(FILE_FIELDS), self._limits[1]))

    def _add_symbols(self, found: Gathered) -> None:
        planes, (lengths, averages), fields = planes_of(found, len(SYMBOL_FIELDS)), self._symbol_lengths, self._fields
        at = [length[found.ids] for length in lengths]
        worth = impacts(planes, at, averages, fields.symbol_weights, fields.symbol_b, fields.k1)
        self._symbols.add(np.diff(found.starts), found.ids, worth)
        named = np.flatnonzero(planes[0])
        self._named.add(_counts(named, found.starts), found.ids[named], planes[0][named])

    def _add_files(self, found: Gathered) -> None:
        planes, (lengths, averages), fields = planes_of(found, len(FILE_FIELDS)), self._file_lengths, self._fields
        at = [length[found.ids] for length in lengths]
        worth = impacts(planes, at, averages, fields.file_weights, fields.file_b, fields.k1)
        self._files.add(np.diff(found.starts), found.ids, worth)
        held = np.flatnonzero(planes[0] | planes[1])
        self._on_path.add(_counts(held, found.starts), found.ids[held], planes[0][held], planes[1][held])

    def build(self) -> Postings:
        """Return everything added."""
        empty = np.zeros(0, np.int32)
        return Postings(
            terms=self._terms.build(),
            df=np.concatenate([empty, *self._df]),
            file_df=np.concatenate([empty, *self._file_df]),
            symbols=self._symbols.build(),
            named=self._named.build(),
            files=self._files.build(),
            on_path=self._on_path.build(),
        )


def _counts(places: Places, starts: Places) -> Places:
    """Return how many of the ascending places fall into each run."""
    return np.diff(np.searchsorted(places, starts))


def _bound(total: int) -> int:
    if not 0 <= total < 1 << 40:
        raise BadBlobError("document frequencies are out of range")
    return int(total)
