"""One SELECT over the views, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from codequarry.query.sql import Table, print_views, select
from codequarry.query.store import Snapshot, open_snapshot
from codequarry.schemas.errors import DamagedError, UsageError
from codequarry.schemas.tables import TABLES

from .shop import build_shop


@pytest.fixture(scope="module")
def snapshot(shop: Path) -> Snapshot:
    return open_snapshot(shop)


def test_a_select_gives_columns_and_rows(snapshot: Snapshot) -> None:
    table = select(snapshot, "SELECT kind, count(*) AS n FROM symbols WHERE kind <> 'file' GROUP BY ALL ORDER BY ALL")
    assert table == Table(columns=("kind", "n"), rows=[("class", 5), ("function", 3), ("method", 5)])


@pytest.mark.parametrize(
    "query",
    [
        "FROM files",
        "WITH x AS (SELECT 1) SELECT * FROM x",
        "VALUES (1)",
        "SELECT 1;",
        "SELECT 1 -- a comment; with a semicolon",
        "DESCRIBE symbols",
        "SELECT ';' AS text",
        "SELECT text FROM sources WHERE path = 'src/cart.py'",
        "SELECT count(*) FROM posting('cart')",
    ],
)
def test_every_form_of_a_select_works(snapshot: Snapshot, query: str) -> None:
    assert select(snapshot, query).columns


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT 1; SELECT 2", "2 statements"),
        ("", "no statement"),
        ("  -- nothing", "no statement"),
        ("SELEC 1", "cannot be read"),
        ("SELECT", "cannot be read"),
        ("COPY symbols TO '/tmp/codequarry-must-not-exist.csv'", "COPY"),
        ("COPY (SELECT 1) TO '/tmp/codequarry-must-not-exist.csv'", "COPY"),
        ("ATTACH '/tmp/codequarry-must-not-exist.db'", "ATTACH"),
        ("DETACH memory", "DETACH"),
        ("INSTALL httpfs", "LOAD"),
        ("LOAD httpfs", "LOAD"),
        ("SET threads = 4", "SET"),
        ("RESET threads", "SET"),
        ("USE memory", "SET"),
        ("PRAGMA database_list", "PRAGMA"),
        ("CALL pragma_version()", "CALL"),
        ("EXPORT DATABASE '/tmp/codequarry-must-not-exist'", "EXPORT"),
        ("IMPORT DATABASE '/tmp/codequarry-must-not-exist'", "only reads"),
        ("CREATE TABLE t (a INT)", "CREATE"),
        ("CREATE TEMP MACRO m() AS 1", "CREATE"),
        ("DROP VIEW symbols", "DROP"),
        ("INSERT INTO symbols VALUES (1)", "INSERT"),
        ("UPDATE symbols SET name = ''", "UPDATE"),
        ("DELETE FROM symbols", "DELETE"),
        ("BEGIN", "TRANSACTION"),
        ("PREPARE p AS SELECT 1", "PREPARE"),
        ("EXECUTE p", "EXECUTE"),
        ("EXPLAIN ANALYZE SELECT 1", "EXPLAIN"),
        ("VACUUM", "VACUUM"),
        ("CHECKPOINT", "only reads"),
    ],
)
def test_anything_else_is_refused(snapshot: Snapshot, query: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        select(snapshot, query)
    assert "\n" not in str(caught.value)
    assert not list(Path("/tmp").glob("codequarry-must-not-exist*"))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_blob('/etc/passwd')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_csv_auto('/etc/passwd')",
        "SELECT * FROM read_json('/etc/passwd')",
        "SELECT * FROM read_parquet('/etc/passwd')",
        "SELECT * FROM parquet_metadata('/etc/passwd')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM glob('*')",
        "SELECT * FROM read_parquet('https://example.com/x.parquet')",
        "SELECT * FROM read_text((SELECT '/etc/passwd'))",
        "SELECT * FROM query('COPY symbols TO ''/tmp/codequarry-must-not-exist.csv''')",
        "SELECT * FROM duckdb_secrets()",
        "SELECT * FROM enable_logging()",
        "SELECT getenv('HOME')",
        "SELECT * FROM snapshot",
        "SELECT * FROM nosuch",
        "SELECT nosuch FROM symbols",
        "SELECT ?",
        "SELECT 1 / 'a'",
    ],
)
def test_a_select_reaches_nothing_outside_the_snapshot(snapshot: Snapshot, query: str) -> None:
    with pytest.raises(UsageError, match="the SQL cannot be run: ") as caught:
        select(snapshot, query)
    assert "\n" not in str(caught.value)
    assert "root:" not in str(caught.value)
    assert not list(Path("/tmp").glob("codequarry-must-not-exist*"))


def test_no_file_beside_the_parts_can_be_read(snapshot: Snapshot) -> None:
    manifest = snapshot.folder / "manifest.json"
    with pytest.raises(UsageError):
        select(snapshot, f"SELECT * FROM read_text('{manifest}')")


def test_a_statement_that_takes_too_long_is_stopped(snapshot: Snapshot) -> None:
    with pytest.raises(UsageError, match=r"longer than 0\.2 seconds"):
        select(snapshot, "SELECT count(*) FROM range(100000) a, range(100000) b WHERE a.range * b.range = 7", seconds=0.2)


def test_nothing_is_left_in_the_temporary_folder(
    snapshot: Snapshot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    select(snapshot, "SELECT * FROM symbols ORDER BY name")
    assert os.listdir(tmp_path) == []


def test_columns_of_one_name_stay_apart_in_json() -> None:
    table = Table(columns=("a", "a", "a_2", "b"), rows=[(1, 2, 3, 4)])
    assert table.to_json() == [{"a": 1, "a_2": 2, "a_2_2": 3, "b": 4}]


def test_a_damaged_part_is_named(tmp_path: Path) -> None:
    folder = build_shop(tmp_path / "store")
    path = folder / "postings" / "00000.parquet"
    path.write_bytes(b"PAR1".ljust(path.stat().st_size - 4) + b"PAR1")
    with pytest.raises(DamagedError, match=r"postings/00000\.parquet"):
        select(open_snapshot(folder), "SELECT count(*) FROM symbols")


def test_views_can_be_printed(snapshot: Snapshot) -> None:
    text = print_views(snapshot)
    assert text.startswith("CREATE VIEW files AS SELECT file, repo, path, ")
    assert text.count(";\n") == len(TABLES) - 1  # there are no vectors
