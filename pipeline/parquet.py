"""Write tables of schemas.tables as Parquet files whose bytes depend on the rows alone."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..schemas.manifest import Part, TableInfo
from ..schemas.tables import Table
from ._arrow import compute

__all__ = ["TableWriter", "arrow_schema"]

PART_BYTES = 1 << 30
"""A table goes on in a new part once a file is as large as this."""

GROUP_BYTES = 64 << 20
"""Of strings and blobs in one row group, unless one row has more: bounds what is held while large texts are written."""

_LEVEL = 1
"""Of zstd. Level 3 takes 1.5 times the CPU on sources and gains 6 % of bytes there, 2 % on symbols."""

_NO_LIMIT = (1 << 31) - 1
"""Pages end with their rows, not with their bytes."""

_TYPES = {
    "int32": pa.int32(),
    "int64": pa.int64(),
    "float32": pa.float32(),
    "bool": pa.bool_(),
    "string": pa.string(),
    "bytes": pa.binary(),
}


def arrow_schema(table: Table) -> pa.Schema:
    """Return the Arrow schema of a table."""
    return pa.schema([pa.field(c.name, _TYPES[c.type], nullable=c.nullable) for c in table.columns])


class TableWriter:
    """Writes one table below a snapshot's folder, row group by row group; `info` is complete after the `with` block.

    How rows are handed in does not change the bytes: a row group is written once it is known where it ends.
    """

    def __init__(
        self, snapshot: Path, table: Table, *, part_bytes: int = PART_BYTES, group_bytes: int = GROUP_BYTES
    ) -> None:
        self._folder = snapshot / table.name
        self._folder.mkdir(parents=True)
        self._table = table
        self._schema = arrow_schema(table)
        self._part_bytes = part_bytes
        self._group_bytes = group_bytes
        self._pending: list[pa.Table] = []
        self._parts: list[Part] = []
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        if kind is None:
            self.end_group()
            self._close()
        else:
            with suppress(OSError):  # the error under way says more
                self._writer.close()

    @property
    def info(self) -> TableInfo:
        """The parts written so far, without the one under way."""
        return TableInfo(parts=tuple(self._parts))

    def append(self, rows: pa.Table) -> None:
        """Add rows in their final order; writes all row groups that are full."""
        if not rows.num_rows:
            return
        self._pending.append(rows.select(self._schema.names).cast(self._schema))
        rows_held = sum(piece.num_rows for piece in self._pending)
        if rows_held >= self._table.row_group or sum(piece.nbytes for piece in self._pending) > self._group_bytes:
            self._write_full(pa.concat_tables(self._pending))

    def end_group(self) -> None:
        """Write pending rows as a row group of their own."""
        if self._pending:
            self._write(pa.concat_tables(self._pending))
            self._pending = []

    def _write_full(self, rows: pa.Table) -> None:
        """Write the row groups that more rows cannot make larger, and keep the others."""
        ends = np.cumsum(_sizes(rows))
        start = 0
        while start < len(ends):
            before = int(ends[start - 1]) if start else 0
            fitting = int(np.searchsorted(ends, before + self._group_bytes, side="right")) - start
            count = min(max(fitting, 1), self._table.row_group)
            if start + count == len(ends) and count < self._table.row_group:
                break
            self._write(rows.slice(start, count))
            start += count
        self._pending = [rows.slice(start)] if start < len(ends) else []

    def _write(self, rows: pa.Table) -> None:
        if self._rows and self._path.stat().st_size >= self._part_bytes:
            self._close()
            self._open()
        # One chunk a column: pages end with chunks, which must not show in the bytes.
        self._writer.write_table(rows.combine_chunks(), row_group_size=rows.num_rows)
        self._rows += rows.num_rows

    def _open(self) -> None:
        self._rows = 0
        self._path = self._folder / f"{len(self._parts):05d}.parquet"
        self._writer = pq.ParquetWriter(
            str(self._path),
            self._schema,
            store_schema=False,
            compression="zstd",
            compression_level=_LEVEL,
            use_dictionary=list(self._table.coded),  # type: ignore[arg-type]  # the stubs know only bool
            write_statistics=list(self._table.pruned),
            write_page_index=True,
            write_batch_size=self._table.page_rows,
            max_rows_per_page=self._table.page_rows,
            data_page_size=_NO_LIMIT,
            dictionary_pagesize_limit=_NO_LIMIT,
        )

    def _close(self) -> None:
        self._writer.close()
        with self._path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = self._path.stat().st_size
        self._parts.append(Part(name=self._path.name, rows=self._rows, bytes=size, sha256=digest))


def _sizes(rows: pa.Table) -> NDArray[np.int64]:
    """Return the bytes of strings and blobs in each row."""
    sizes = np.zeros(rows.num_rows, np.int64)
    for name, type_ in zip(rows.schema.names, rows.schema.types, strict=True):
        if type_ in (pa.string(), pa.binary()):
            sizes += compute.fill_null(compute.binary_length(rows[name]), 0).to_numpy()
    return sizes
