"""The cold reader: point lookups for one query, pruned by page; nothing is loaded that the query does not touch."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...schemas.tables import BLOCK_ROWS, FILE_FIELDS, SYMBOL_FIELDS
from ..connection import Connection
from ..ranking.policy import Fields
from ..store import Snapshot
from .arrays import Array, Ids, distinct
from .averages import file_averages, symbol_averages
from .blocks import block_rows, join_blocks
from .decode import BadBlobError, Gathered, gather, planes_of
from .files import blaming, read_files
from .impacts import impacts
from .strings import LAST
from .values import FileColumns, Row, SymbolColumns, TermPostings

__all__ = ["Lookup"]

_ROW = "symbol, file, key, repo, path, language, kind, name, qualified_name, signature, start_line, end_line"

_SYMBOL_BLOBS = (("kind", "u1", 1), ("flags", "u1", 1), ("lines", "<i4", 1), ("name_parts", "u1", 1), ("callers", "<i4", 1))


class Lookup:
    """A reader (see `values.Reader`) that asks the tables for each value when it is wanted."""

    def __init__(self, snapshot: Snapshot, connection: Connection, fields: Fields) -> None:
        self._snapshot = snapshot
        self._connection = connection
        self._fields = fields
        self.symbols = snapshot.rows("symbols")
        self._averages = symbol_averages(snapshot)
        self._file_averages = file_averages(snapshot)
        self._held: dict[str, dict[int, bytes]] = {}

    @cached_property
    def _file_values(self) -> tuple[FileColumns, Array]:
        return read_files(self._snapshot, self._connection)

    @property
    def files(self) -> FileColumns:
        """Columns of all files."""
        return self._file_values[0]

    def postings(self, terms: Sequence[str]) -> list[TermPostings]:
        """Return the postings of those terms that the snapshot holds, in the order given."""
        if not terms:
            return []
        read = self._connection.columns(
            "SELECT term, df, symbols, frequencies, file_df, files, file_frequencies FROM postings "
            f"WHERE term IN ({_marks(terms)})",
            terms,
        )
        with blaming(self._snapshot, "postings"):
            place = {term: i for i, term in enumerate(read["term"])}
            order = [place[term] for term in terms if term in place]
            read = {name: column[order] for name, column in read.items()}
            symbols = gather(read["symbols"], read["frequencies"], len(SYMBOL_FIELDS), self.symbols)
            files = gather(read["files"], read["file_frequencies"], len(FILE_FIELDS), len(self.files.language))
        return self._decoded(read, symbols, files)

    def longer_terms(self, prefix: str, most: int) -> list[str]:
        """Return the terms that begin with a prefix and are longer, those of most symbols first, then by their bytes."""
        rows = self._connection.rows("SELECT term, df FROM postings WHERE term > ? AND term < ?", (prefix, prefix + LAST))
        return [term for term, _ in sorted(rows, key=lambda row: (-row[1], row[0].encode()))[:most]]

    def _decoded(self, read: dict[str, Array], symbols: Gathered, files: Gathered) -> list[TermPostings]:
        fields, planes = self._fields, planes_of(symbols, len(SYMBOL_FIELDS))
        lengths = self._block_values(symbols.ids, (("lengths", "<u2", len(SYMBOL_FIELDS)),))["lengths"]
        worth = impacts(planes, list(lengths), self._averages, fields.symbol_weights, fields.symbol_b, fields.k1)
        file_planes = planes_of(files, len(FILE_FIELDS))
        file_lengths = list(self._file_values[1][:, files.ids])
        file_worth = impacts(file_planes, file_lengths, self._file_averages, fields.file_weights, fields.file_b, fields.k1)
        out = []
        for i, term in enumerate(read["term"]):
            own, at = slice(*symbols.starts[i : i + 2]), slice(*files.starts[i : i + 2])
            named = np.flatnonzero(planes[0][own])
            on_path = np.flatnonzero(file_planes[0][at] | file_planes[1][at])
            out.append(
                TermPostings(
                    term=term,
                    df=int(read["df"][i]),
                    file_df=int(read["file_df"][i]),
                    symbols=symbols.ids[own],
                    impacts=worth[own],
                    named=symbols.ids[own][named],
                    name_counts=planes[0][own][named],
                    files=files.ids[at],
                    file_impacts=file_worth[at],
                    on_path=files.ids[at][on_path],
                    base_counts=file_planes[0][at][on_path],
                    directory_counts=file_planes[1][at][on_path],
                )
            )
        return out

    def columns(self, symbols: Ids) -> SymbolColumns:
        """Return the columns of ascending symbol ids."""
        values = self._block_values(symbols, (*_SYMBOL_BLOBS, ("lengths", "<u2", len(SYMBOL_FIELDS))))
        return SymbolColumns(
            file=self.files.owners(symbols),
            kind=values["kind"],
            flags=values["flags"],
            lines=values["lines"],
            name_parts=values["name_parts"],
            callers=values["callers"],
            name_length=values["lengths"][0],
        )

    def names(self, symbols: Ids) -> list[str]:
        """Return the names of ascending symbol ids."""
        read = self._rows("symbol, name", symbols)
        return [read[symbol][1] for symbol in symbols.tolist()]

    def owners(self, symbols: Ids) -> list[tuple[str, str | None, str]]:
        """Return name, qualified name and path of ascending symbol ids."""
        read = self._rows("symbol, name, qualified_name, path", symbols)
        return [read[symbol][1:] for symbol in symbols.tolist()]

    def rows(self, symbols: Ids) -> list[Row]:
        """Return the rows of symbol ids, in the order given."""
        names = _ROW.split(", ")
        read = self._rows(_ROW, symbols)
        return [Row(**dict(zip(names, read[symbol], strict=True))) for symbol in symbols.tolist()]

    def paths(self, files: Ids) -> list[str]:
        """Return the paths of ascending file ids."""
        if not len(files):
            return []
        ids = files.tolist()
        read = self._connection.rows("SELECT file, path FROM files WHERE file BETWEEN ? AND ?", (ids[0], ids[-1]))
        paths = dict(read)
        with blaming(self._snapshot, "files"):
            return [paths[i] for i in ids]

    def _rows(self, columns: str, symbols: Ids) -> dict[int, tuple[Any, ...]]:
        """Return the rows of symbols by id; each id must be there."""
        ids = symbols.tolist()
        if not ids:
            return {}
        read = self._connection.rows(f"SELECT {columns} FROM symbols WHERE symbol IN ({_marks(ids)})", ids)
        rows = {row[0]: row for row in read}
        with blaming(self._snapshot, "symbols"):
            if len(rows) != len(set(ids)):
                raise BadBlobError(f"{len(set(ids)) - len(rows)} rows are missing")
        return rows

    def _block_values(self, ids: Ids, wanted: Sequence[tuple[str, str, int]]) -> dict[str, Array]:
        """Return columns of `symbol_statistics` (name, element type, planes) for ids in any order."""
        number, offset = np.divmod(ids, BLOCK_ROWS)
        blocks = distinct(number)
        listed = blocks.tolist()
        self._fetch([name for name, _, _ in wanted], listed)
        with blaming(self._snapshot, "symbol_statistics"):
            rows = block_rows(blocks, self.symbols)
            starts = np.cumsum(rows) - rows
            place = starts[np.searchsorted(blocks, number)] + offset
            return {
                name: join_blocks([self._held[name][block] for block in listed], rows, dtype, planes)[..., place]
                for name, dtype, planes in wanted
            }

    def _fetch(self, names: Sequence[str], blocks: Sequence[int]) -> None:
        """Read those blobs that no earlier call has: a query wants lengths twice, and they are half of a block."""
        lacking: dict[tuple[int, ...], list[str]] = {}
        for name in names:
            held = self._held.setdefault(name, {})
            lacking.setdefault(tuple(block for block in blocks if block not in held), []).append(name)
        for wanted, columns in lacking.items():
            if wanted:
                statement = f"SELECT block, {', '.join(columns)} FROM symbol_statistics WHERE block IN ({_marks(wanted)})"
                read = self._connection.columns(statement, wanted)
                with blaming(self._snapshot, "symbol_statistics"):
                    if sorted(read["block"].tolist()) != list(wanted):
                        raise BadBlobError("blocks are missing")
                for name in columns:
                    self._held[name].update(zip(read["block"].tolist(), read[name], strict=True))


def _marks(values: Sequence[Any] | Array) -> str:
    return ", ".join("?" * len(values))
