"""Load the columns of symbols: statistics as arrays, what is shown of a row as packed strings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...schemas.tables import SYMBOL_FIELDS
from ..connection import Connection
from ..store import Snapshot
from .arrays import Codes, Ids, Impacts
from .blocks import block_rows, join_blocks
from .decode import BadBlobError
from .files import blaming
from .strings import Strings, StringsBuilder

__all__ = ["Display", "SymbolArrays", "load_display", "load_symbols"]

_CHUNK = 8192
"""Rows fetched at a time: as Python values some five MB."""

_ODD_KEY = """
CASE WHEN key IS DISTINCT FROM repo || ':' || path || coalesce('#' || qualified_name, '') THEN key END
"""
"""Keys that do not simply follow from the rest of their row: numbered ones, odd paths."""


class SymbolArrays(NamedTuple):
    """Columns of all symbols, see `values.SymbolColumns`."""

    kind: Codes
    flags: Codes
    lines: Ids
    name_parts: Codes
    callers: Ids
    name_length: Impacts


class Display(NamedTuple):
    """What is shown of symbols and files; `keys` are those that do not follow from the rest of their row."""

    names: Strings
    qualified_names: Strings
    unqualified: frozenset[int]
    signatures: Strings
    start_line: Ids
    end_line: Ids
    keys: dict[int, str]
    paths: Strings

    def qualified(self, symbol: int) -> str | None:
        """Return the qualified name of a symbol, None for a file."""
        return None if symbol in self.unqualified else self.qualified_names[symbol]

    def key(self, symbol: int, repo: str, path: str, qualified: str | None) -> str:
        """Return a symbol's key."""
        odd = self.keys.get(symbol)
        if odd is not None:
            return odd
        return f"{repo}:{path}" if qualified is None else f"{repo}:{path}#{qualified}"


def load_symbols(snapshot: Snapshot, connection: Connection) -> tuple[SymbolArrays, Impacts]:
    """Return the columns of all symbols, and the lengths of their fields in terms, a row a field."""
    total = snapshot.rows("symbols")
    read = connection.columns(
        "SELECT block, kind, flags, lines, name_parts, callers, lengths FROM symbol_statistics ORDER BY block"
    )
    with blaming(snapshot, "symbol_statistics"):
        rows = block_rows(read["block"], total)
        if int(rows.sum()) != total:
            raise BadBlobError(f"{int(rows.sum())} symbols, not {total}")
        lengths = join_blocks(read["lengths"], rows, "<u2", len(SYMBOL_FIELDS))
        arrays = SymbolArrays(
            kind=join_blocks(read["kind"], rows, "u1"),
            flags=join_blocks(read["flags"], rows, "u1"),
            lines=join_blocks(read["lines"], rows, "<i4"),
            name_parts=join_blocks(read["name_parts"], rows, "u1"),
            callers=join_blocks(read["callers"], rows, "<i4"),
            name_length=lengths[0].copy(),
        )
    return arrays, lengths


def load_display(snapshot: Snapshot, connection: Connection) -> Display:
    """Return what is shown of all symbols and files."""
    total = snapshot.rows("symbols")
    start, end = np.empty(total, np.int32), np.empty(total, np.int32)
    names, qualified_names, signatures = StringsBuilder(), StringsBuilder(), StringsBuilder()
    unqualified: set[int] = set()
    keys: dict[int, str] = {}
    statement = f"SELECT symbol, name, qualified_name, signature, start_line, end_line, {_ODD_KEY} FROM symbols"
    with blaming(snapshot, "symbols"):
        for first, chunk in _chunks(connection, statement, total):
            _, name, qualified, signature, starts, ends, key = zip(*chunk, strict=True)
            start[first : first + len(chunk)], end[first : first + len(chunk)] = starts, ends
            names.extend(name)
            qualified_names.extend(text or "" for text in qualified)
            signatures.extend(text or "" for text in signature)
            unqualified.update(first + i for i, text in enumerate(qualified) if text is None)
            keys.update((first + i, text) for i, text in enumerate(key) if text is not None)
    return Display(
        names=names.build(),
        qualified_names=qualified_names.build(),
        unqualified=frozenset(unqualified),
        signatures=signatures.build(),
        start_line=start,
        end_line=end,
        keys=keys,
        paths=_paths(snapshot, connection),
    )


def _paths(snapshot: Snapshot, connection: Connection) -> Strings:
    paths = StringsBuilder()
    with blaming(snapshot, "files"):
        for _, chunk in _chunks(connection, "SELECT file, path FROM files", snapshot.rows("files")):
            paths.extend(path for _, path in chunk)
    return paths.build()


def _chunks(connection: Connection, statement: str, total: int) -> Iterator[tuple[int, list[tuple[Any, ...]]]]:
    """Yield rows and the id of their first, and see that ids count up from 0 to `total`."""
    first = 0
    for chunk in connection.chunks(statement, _CHUNK):
        if chunk[0][0] != first or chunk[-1][0] != first + len(chunk) - 1:
            raise BadBlobError("ids are not dense and in order")
        yield first, chunk
        first += len(chunk)
    if first != total:
        raise BadBlobError(f"{first} rows, not {total}")
