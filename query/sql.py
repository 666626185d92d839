"""Run one SELECT of a user over the snapshot's views, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import duckdb

from ..schemas.errors import CodequarryError, UsageError
from .connection import Connection, Limits, view_definitions
from .store import Snapshot

__all__ = ["Table", "print_views", "select"]

MEMORY = "2GB"
SPILL = "16GB"
"""Memory and, beyond it, temporary files that one statement may use."""

SECONDS = 300.0
"""Longest time that a statement may take: a cross join of large tables would never end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A result: the names of its columns, which may repeat, and its rows."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def to_json(self) -> list[dict[str, Any]]:
        """Return a row as an object each; of columns of one name the later gets a number."""
        names: list[str] = []
        for name in self.columns:
            names.append(
                name
                if name not in names
                else next(n for i in range(2, len(self.columns) + 2) if (n := f"{name}_{i}") not in names)
            )
        return [dict(zip(names, row, strict=True)) for row in self.rows]


def select(snapshot: Snapshot, query: str, *, threads: int = 2, seconds: float = SECONDS) -> Table:
    """Run one SELECT over the views of a snapshot and return its rows.

    Raises UsageError for anything but a single SELECT, for a statement that DuckDB refuses, and for one that takes
    longer than `seconds`; DamagedError where a part cannot be read.
    """
    with Connection(snapshot, limits=Limits(threads=threads, memory=MEMORY, spill=SPILL)) as connection:
        statement = _only_select(connection.raw, query)
        with _deadline(connection.raw, seconds):
            try:
                result = connection.raw.execute(statement)
                columns = tuple(column[0] for column in result.description or ())
                return Table(columns=columns, rows=result.fetchall())
            except duckdb.Error as error:
                raise _explained(connection, error, seconds) from None


def print_views(snapshot: Snapshot) -> str:
    """Return the SQL that makes the same views anywhere else, such as in the DuckDB shell."""
    return "".join(f"{statement};\n" for statement in view_definitions(snapshot).values())


def _only_select(raw: duckdb.DuckDBPyConnection, query: str) -> duckdb.Statement:
    try:
        statements = raw.extract_statements(query)
    except duckdb.Error as error:
        raise UsageError(f"the SQL cannot be read: {_sentence(error)}") from None
    if len(statements) != 1:
        found = "no statement" if not statements else f"{len(statements)} statements"
        raise UsageError(f"`sql` runs exactly one SELECT, and this is {found}: give one SELECT")
    if statements[0].type != duckdb.StatementType.SELECT:
        raise UsageError(f"`sql` only reads, and this is {statements[0].type.name}: give one SELECT")
    return statements[0]


@contextmanager
def _deadline(raw: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    timer = threading.Timer(seconds, raw.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _explained(connection: Connection, error: duckdb.Error, seconds: float) -> CodequarryError:
    if isinstance(error, duckdb.InterruptException):
        return UsageError(f"the SQL took longer than {seconds:g} seconds and was stopped: ask for less at a time")
    if isinstance(error, duckdb.OutOfMemoryException):
        return UsageError(f"the SQL needs more than {MEMORY} of memory and was stopped: ask for less at a time")
    if isinstance(
        error, duckdb.IOException | duckdb.InvalidInputException | duckdb.InternalException | duckdb.SerializationException
    ):
        damage = connection.damage()
        if damage is not None:
            return damage
    return UsageError(f"the SQL cannot be run: {_sentence(error)}")


def _sentence(error: duckdb.Error) -> str:
    """Return the first line of DuckDB's message: the rest repeats the statement."""
    return str(error).strip().partition("\n")[0]
