"""Columns of all files: a few bytes each, read whole by both readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from ...schemas.errors import DamagedError
from ...schemas.tables import FILE_FIELDS
from ..connection import Connection
from ..store import AGAIN, Snapshot
from .arrays import Array, Ids
from .blocks import block_rows, by_block, join_blocks
from .decode import BadBlobError
from .values import FileColumns

__all__ = ["blaming", "read_files"]


@contextmanager
def blaming(snapshot: Snapshot, table: str) -> Iterator[None]:
    """Turn what cannot be decoded into a DamagedError that names the table's parts."""
    try:
        yield
    except (BadBlobError, ValueError, TypeError, IndexError) as error:
        places = ", ".join(str(path) for path in snapshot.paths(table))
        raise DamagedError(f"{places} holds what it should not ({error}): {AGAIN}") from None


def read_files(snapshot: Snapshot, connection: Connection) -> tuple[FileColumns, Array]:
    """Return the columns of all files, and the lengths of their fields in terms, a row a field."""
    total, symbols = snapshot.rows("files"), snapshot.rows("symbols")
    read = by_block(
        connection.columns("SELECT block, symbol, language, repo, directory, roles, lengths FROM file_statistics")
    )
    with blaming(snapshot, "file_statistics"):
        rows = block_rows(read["block"], total)
        if int(rows.sum()) != total:
            raise BadBlobError(f"{int(rows.sum())} files, not {total}")
        first = join_blocks(read["symbol"], rows, "<i4")
        _check_first(first, symbols)
        lengths = join_blocks(read["lengths"], rows, "<i4", len(FILE_FIELDS))
        columns = FileColumns(
            first_symbol=np.append(first, np.int32(symbols)),
            language=join_blocks(read["language"], rows, "u1"),
            repo=join_blocks(read["repo"], rows, "<u2"),
            directory=join_blocks(read["directory"], rows, "<i4"),
            roles=join_blocks(read["roles"], rows, "u1"),
            base_length=lengths[0].copy(),
            directory_length=lengths[1].copy(),
        )
    return columns, lengths


def _check_first(first: Ids, symbols: int) -> None:
    bounded = not len(first) or (first[0] >= 0 and first[-1] < symbols)
    if not bounded or np.any(np.diff(first) <= 0):
        raise BadBlobError("the first symbols of files do not rise within their range")
