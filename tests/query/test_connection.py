"""The guarded connection: what it may read, and how it names what it cannot."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from codequarry.query.connection import Connection, Limits, view_definitions
from codequarry.query.store import Snapshot, open_snapshot
from codequarry.schemas.errors import DamagedError
from codequarry.schemas.tables import SYMBOL_FIELDS, TABLES

from .shop import build_shop


@pytest.fixture(scope="module")
def snapshot(shop: Path) -> Snapshot:
    return open_snapshot(shop)


@pytest.fixture
def connection(snapshot: Snapshot) -> Iterator[Connection]:
    with Connection(snapshot) as opened:
        yield opened


def test_every_table_is_a_view_with_the_columns_of_the_format(connection: Connection) -> None:
    for name, table in TABLES.items():
        if not connection.has(name):
            continue
        ends = ["src_path", "dst_path", "src_qualified_name", "dst_qualified_name"] if name == "edges" else []
        described = connection.rows(f"DESCRIBE {name}")
        assert [row[0] for row in described] == [*(column.name for column in table.columns), *ends]


def test_the_views_that_searching_needs_not_are_left_out(snapshot: Snapshot) -> None:
    with Connection(snapshot, ("files",)) as connection:
        assert connection.has("files")
        assert not connection.has("symbols")
        assert connection.rows("SELECT count(*) FROM files") == [(6,)]


def test_rows_columns_and_chunks_agree(connection: Connection) -> None:
    rows = connection.rows("SELECT symbol, name FROM symbols")
    columns = connection.columns("SELECT symbol, name FROM symbols")
    assert [(int(s), str(n)) for s, n in zip(columns["symbol"], columns["name"], strict=True)] == rows
    chunks = list(connection.chunks("SELECT symbol, name FROM symbols", 4))
    assert [row for chunk in chunks for row in chunk] == rows
    assert [len(chunk) for chunk in chunks] == [4, 4, 4, 4, 3]


def test_parameters_are_bound(connection: Connection) -> None:
    name = "'; DROP VIEW symbols; --"
    assert connection.rows("SELECT count(*) FROM symbols WHERE name = ?", [name]) == [(0,)]
    assert connection.rows("SELECT count(*) FROM symbols WHERE name = ?", ["isEmpty"]) == [(1,)]


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_parquet('/etc/passwd')",
        "SELECT * FROM glob('/etc/*')",
        "COPY (SELECT 1) TO '/tmp/codequarry-must-not-exist.csv'",
        "ATTACH '/tmp/codequarry-must-not-exist.db'",
        "EXPORT DATABASE '/tmp/codequarry-must-not-exist'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET allowed_paths = ['/etc/passwd']",
        "RESET allowed_paths",
    ],
)
def test_nothing_but_the_parts_can_be_reached(connection: Connection, statement: str) -> None:
    with pytest.raises(duckdb.Error):
        connection.raw.execute(statement).fetchall()
    assert not list(Path("/tmp").glob("codequarry-must-not-exist*"))


def test_variables_of_python_cannot_be_read(connection: Connection) -> None:
    secret = pa.table({"a": [1]})
    with pytest.raises(duckdb.CatalogException):
        connection.raw.execute("SELECT * FROM secret").fetchall()
    assert secret.num_rows == 1


def test_nothing_is_shown_among_the_answers(connection: Connection) -> None:
    assert connection.rows("SELECT current_setting('enable_progress_bar_print')") == [(False,)]


def test_a_part_that_is_no_parquet_is_named(tmp_path: Path) -> None:
    folder = build_shop(tmp_path / "store")
    path = folder / "symbols" / "00000.parquet"
    path.write_bytes(b"<!doctype html>".ljust(path.stat().st_size))
    with pytest.raises(DamagedError, match=r"symbols/00000\.parquet is not a Parquet file .* download or build"):
        Connection(open_snapshot(folder))


def test_a_part_without_a_column_is_damage(tmp_path: Path) -> None:
    folder = build_shop(tmp_path / "store")
    path = folder / "symbols" / "00000.parquet"
    size = path.stat().st_size
    pq.write_table(pq.read_table(path).drop_columns(["name"]), path)
    with open(path, "ab") as stream:
        stream.truncate(max(size, path.stat().st_size))
    with pytest.raises(DamagedError, match="download or build the artifact again"):
        Connection(open_snapshot(folder, check_parts=False))


def test_postings_unnest(connection: Connection) -> None:
    rows = connection.rows("SELECT * FROM posting('item') ORDER BY symbol")
    names = dict(connection.rows("SELECT symbol, qualified_name FROM symbols"))
    assert len(rows[0]) == 1 + len(SYMBOL_FIELDS)
    found = {names[symbol]: tuple(counts) for symbol, *counts in rows}
    # name, container, signature, doc and body: the doc's words stand in the body too
    assert found["ShoppingCart.add_item"] == (1, 0, 1, 1, 4)
    assert found["test_add_item"] == (1, 0, 0, 0, 2)
    assert connection.rows("SELECT * FROM posting('nosuchterm')") == []


def test_postings_unnest_as_the_blobs_say(connection: Connection) -> None:
    for term, df in connection.rows("SELECT term, octet_length(symbols) // 4 FROM postings"):
        rows = connection.rows("SELECT symbol FROM posting(?)", [term])
        assert len(rows) == df
        assert rows == sorted(set(rows))


def test_view_definitions_work_elsewhere(snapshot: Snapshot) -> None:
    with duckdb.connect() as plain:
        for statement in view_definitions(snapshot).values():
            plain.execute(statement)
        assert plain.execute("SELECT count(*) FROM symbols").fetchall() == [(19,)]


def test_it_is_shared_by_threads(connection: Connection) -> None:
    found: list[int] = []

    def ask() -> None:
        for _ in range(20):
            found.append(connection.rows("SELECT count(*) FROM symbols")[0][0])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [19] * 80


def test_it_needs_no_more_memory_than_allowed(snapshot: Snapshot) -> None:
    with Connection(snapshot, limits=Limits(memory="100MB", spill="0B")) as connection:
        assert connection.rows("SELECT current_setting('threads')") == [(1,)]
        assert connection.rows("SELECT current_setting('memory_limit')") == [("95.3 MiB",)]
