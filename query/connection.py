"""The one place that makes a DuckDB connection: in memory, over the parts of one snapshot, and able to do nothing else.

A connection may read the snapshot's parts (`allowed_paths`) and no other file, write nothing but spill files in the
system's temporary folder, load no extension, see no Python variable, and change none of these settings.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import duckdb

from ..schemas.errors import CodequarryError, DamagedError, StoreError
from ..schemas.tables import BLOCK_ROWS, SCALE_UNIT, TABLES, Table
from .store import AGAIN, Snapshot

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["EDGE_ENDS", "Connection", "Limits", "view_definitions"]

_GLOB = "*?["

_STEPS = (
    "unnest([('0x' || ids[8*j+7:8*j+8] || ids[8*j+5:8*j+6] || ids[8*j+3:8*j+4] || ids[8*j+1:8*j+2])::BIGINT "
    "for j in range(n)]) AS step"
)
"""Unnests the differences of `n` ids, written out in hexadecimal digits."""

POSTING_MACRO = """
CREATE MACRO posting(wanted) AS TABLE
WITH blob AS (
    SELECT df, hex(symbols) AS ids, hex(frequencies) AS planes, octet_length(symbols) // 4 AS n
    FROM postings WHERE term = wanted
), item AS (
    SELECT n, planes, unnest(range(n)) AS i,
           {steps}
    FROM blob
)
SELECT sum(step) OVER (ORDER BY i)::INTEGER AS symbol, {planes}
FROM item ORDER BY i
"""
"""Unnests the postings of one term: a row a symbol, a column a field with the number of occurrences there."""

NEIGHBOR_MACRO = """
CREATE MACRO neighbor_posting(wanted) AS TABLE
WITH blob AS (
    SELECT hex(symbols) AS ids, hex(frequencies) AS weights, df AS n FROM neighbor_terms WHERE term = wanted
), item AS (
    SELECT unnest(range(n)) AS i, weights,
           {steps}
    FROM blob
)
SELECT sum(step) OVER (ORDER BY i)::INTEGER AS symbol, ('0x' || weights[2*i+1:2*i+2])::INTEGER AS weight
FROM item ORDER BY i
"""
"""The same for neighbor terms."""

VECTOR_MACRO = """
CREATE MACRO vector(wanted) AS TABLE
WITH block AS (
    SELECT wanted % {rows} AS i, hex(scales) AS scales, hex(vectors) AS vectors,
           octet_length(vectors) // (octet_length(scales) // 2) AS n
    FROM vectors WHERE block = wanted // {rows} AND wanted >= 0
)
SELECT wanted::INTEGER AS symbol,
       ('0x' || scales[4*i+3:4*i+4] || scales[4*i+1:4*i+2])::INTEGER * {unit} AS scale,
       [(('0x' || vectors[2*(i*n+j)+1:2*(i*n+j)+2])::INTEGER + 128) % 256 - 128 for j in range(n)] AS vector
FROM block WHERE i < octet_length(unhex(scales)) // 2
"""
"""The vector of one symbol: whole numbers, and the scale that they are multiplied by."""

EDGE_ENDS = "JOIN symbols s ON s.symbol = e.src JOIN symbols d ON d.symbol = e.dst"
"""Joins both ends to edges `e`."""


class Limits:
    """What one connection may use; defaults suit the few point lookups of a search."""

    __slots__ = ("memory", "spill", "threads")

    def __init__(self, *, threads: int = 1, memory: str = "1GB", spill: str = "0B") -> None:
        self.threads = threads
        self.memory = memory
        self.spill = spill


class Connection:
    """A guarded connection with a view for each of `tables` (default: all that the snapshot holds).

    Safe to share between threads: one statement runs at a time. Use as a context manager or close it.
    """

    def __init__(self, snapshot: Snapshot, tables: Collection[str] | None = None, limits: Limits | None = None) -> None:
        self._snapshot = snapshot
        self._lock = threading.Lock()
        names = [name for name in TABLES if snapshot.has(name) and (tables is None or name in tables)]
        self._tables = frozenset(names)
        self._raw = _connect(limits or Limits())
        try:
            with self._explaining():
                self._prepare(names, with_macros=tables is None)
        except BaseException:
            self._raw.close()
            raise

    def _prepare(self, names: Sequence[str], *, with_macros: bool) -> None:
        """Make the views, then take away every right but to read their parts."""
        self._raw.execute("SET parquet_metadata_cache = true")
        for name in names:
            self._raw.execute(view_definition(self._snapshot, TABLES[name]))
        if with_macros:
            for macro in _macros(names):
                self._raw.execute(macro)
        for setting in _guards([path for name in names for path in self._snapshot.paths(name)]):
            self._raw.execute(setting)

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; closing twice is harmless."""
        with self._lock:
            self._raw.close()

    @property
    def raw(self) -> duckdb.DuckDBPyConnection:
        """The DuckDB connection itself, for the `sql` command."""
        return self._raw

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot whose tables these are."""
        return self._snapshot

    def has(self, table: str) -> bool:
        """Say whether there is a view of this table."""
        return table in self._tables

    def source(self, table: str) -> str:
        """Return the SQL that reads a table alone, where its view joins others."""
        return _source(self._snapshot, table)

    def rows(self, statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        with self._lock, self._explaining():
            rows: list[tuple[Any, ...]] = self._raw.execute(statement, list(parameters) or None).fetchall()
            return rows

    def columns(self, statement: str, parameters: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """Run one statement and return its columns as numpy arrays; strings and blobs come as object arrays."""
        with self._lock, self._explaining():
            columns: dict[str, NDArray[Any]] = self._raw.execute(statement, list(parameters) or None).fetchnumpy()
            return columns

    def chunks(self, statement: str, size: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of one statement in their order, `size` at a time; the whole result is never in memory."""
        with self._lock, self._explaining():
            result = self._raw.execute(statement)
            while chunk := result.fetchmany(size):
                yield chunk

    def damage(self) -> DamagedError | None:
        """Return an error that names a part that DuckDB cannot read, None if all can be read."""
        for table in sorted(self._tables):
            for path in self._snapshot.paths(table):
                if not _readable(path):
                    return DamagedError(f"{path} is not a Parquet file that can be read: {AGAIN}")
        return None

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        try:
            yield
        except duckdb.Error as error:
            raise self._explained(error) from None

    def _explained(self, error: duckdb.Error) -> CodequarryError:
        """Say which part cannot be read, if one can't; DuckDB's own message names none or a cryptic place in it."""
        if isinstance(error, duckdb.OutOfMemoryException):
            return StoreError(f"{self._snapshot.folder} needs more memory to read than is allowed: {_first_line(error)}")
        damage = self.damage()
        if damage is not None:
            return damage
        return DamagedError(f"{self._snapshot.folder} cannot be read ({_first_line(error)}): {AGAIN}")


def view_definitions(snapshot: Snapshot) -> dict[str, str]:
    """Return the `CREATE VIEW` statement of every table that the snapshot holds, by name."""
    return {name: view_definition(snapshot, table) for name, table in TABLES.items() if snapshot.has(name)}


def view_definition(snapshot: Snapshot, table: Table) -> str:
    """Return the `CREATE VIEW` of one table: its known columns, by name, whatever else or in whatever order a part holds.

    The view of edges has the paths and names of both ends besides, from `symbols`.
    """
    columns = ", ".join(column.name for column in table.columns)
    source = _source(snapshot, table.name)
    if table.name == "edges":
        columns = ", ".join(f"e.{column.name}" for column in table.columns)
        source = f"{source} e {EDGE_ENDS}"
        columns += ", s.path AS src_path, d.path AS dst_path"
        columns += ", s.qualified_name AS src_qualified_name, d.qualified_name AS dst_qualified_name"
    return f"CREATE VIEW {table.name} AS SELECT {columns} FROM {source}"


def _source(snapshot: Snapshot, table: str) -> str:
    paths = snapshot.paths(table)
    parts = ", ".join(_quote(_pattern(path)) for path in paths)
    by_name = ", union_by_name = true" if len(paths) > 1 else ""  # otherwise the first part's order holds for all
    return f"read_parquet([{parts}], hive_partitioning = false{by_name})"


def _connect(limits: Limits) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        ":memory:",
        config={
            "threads": limits.threads,
            "memory_limit": limits.memory,
            "max_temp_directory_size": limits.spill,
            "temp_directory": os.path.join(tempfile.gettempdir(), f"codequarry-{os.getpid()}"),
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "enable_external_file_cache": False,  # a snapshot is read once; a cache would only hold memory
        },
    )


def _guards(paths: Sequence[Path]) -> tuple[str, ...]:
    allowed = ", ".join(_quote(name) for path in paths for name in dict.fromkeys((str(path), _pattern(path))))
    return (
        "SET python_enable_replacements = false",
        "SET enable_progress_bar_print = false",  # DuckDB shows one on stdout, among the answers, after two seconds
        f"SET allowed_paths = [{allowed}]",
        "SET enable_external_access = false",
        "SET lock_configuration = true",
    )


def _macros(tables: Collection[str]) -> Iterator[str]:
    yield _posting_macro()
    if "neighbor_terms" in tables:
        yield NEIGHBOR_MACRO.format(steps=_STEPS)
    if "vectors" in tables:
        yield VECTOR_MACRO.format(rows=BLOCK_ROWS, unit=SCALE_UNIT)


def _posting_macro() -> str:
    from ..schemas.tables import SYMBOL_FIELDS

    planes = ", ".join(
        f"('0x' || planes[2*({p}*n+i)+1:2*({p}*n+i)+2])::INTEGER AS {field}" for p, field in enumerate(SYMBOL_FIELDS)
    )
    return POSTING_MACRO.format(planes=planes, steps=_STEPS)


def _readable(path: Path) -> bool:
    """Say whether DuckDB can read every page of a part."""
    query = "SELECT count(COLUMNS(*)) FROM read_parquet($1, hive_partitioning = false)"
    with duckdb.connect(":memory:", config={"threads": 1}) as probe:
        try:
            probe.execute(query, [_pattern(path)]).fetchall()
        except duckdb.Error:
            return False
    return True


def _pattern(path: Path) -> str:
    """Return `path` as the glob pattern that matches it alone: `read_parquet` takes every name for a pattern."""
    return "".join(f"[{c}]" if c in _GLOB else c for c in str(path))


def _quote(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]
