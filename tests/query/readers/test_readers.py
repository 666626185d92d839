"""Both readers give the same values, and the values of the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from codequarry.query.connection import Connection
from codequarry.query.ranking.policy import FIELDS
from codequarry.query.readers.lookup import Lookup
from codequarry.query.readers.resident import Resident
from codequarry.query.readers.values import NO_LANGUAGE, Reader
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import DamagedError

from ..shop import build_shop


@pytest.fixture(scope="module")
def connection(shop: Path) -> Iterator[Connection]:
    with Connection(open_snapshot(shop)) as opened:
        yield opened


@pytest.fixture(scope="module")
def readers(shop: Path, connection: Connection) -> tuple[Reader, Reader]:
    snapshot = open_snapshot(shop)
    return Lookup(snapshot, connection, FIELDS), Resident(snapshot, connection, FIELDS)


def different(one: Any, other: Any) -> list[str]:
    """Return the fields of two named tuples that differ."""
    return [name for name in one._fields if not np.array_equal(getattr(one, name), getattr(other, name))]


def test_postings_agree_for_every_term(readers: tuple[Reader, Reader], connection: Connection) -> None:
    terms = [row[0] for row in connection.rows("SELECT term FROM postings")]
    lookup, resident = (reader.postings([*terms, "nosuchterm"]) for reader in readers)
    assert [p.term for p in lookup] == terms
    for one, other in zip(lookup, resident, strict=True):
        assert different(one, other) == [], one.term


def test_postings_come_in_the_order_asked_for(readers: tuple[Reader, Reader]) -> None:
    for reader in readers:
        assert [p.term for p in reader.postings(["item", "nosuch", "cart", "add"])] == ["item", "cart", "add"]
        assert reader.postings([]) == []
        assert reader.postings(["nosuch"]) == []


def test_postings_have_the_values_of_the_sources(readers: tuple[Reader, Reader], connection: Connection) -> None:
    names = dict(connection.rows("SELECT symbol, qualified_name FROM symbols"))
    paths = dict(connection.rows("SELECT file, path FROM files"))
    for reader in readers:
        (cart,) = reader.postings(["cart"])
        assert [names[i] for i in cart.named.tolist()] == ["ShoppingCart"]
        assert cart.name_counts.tolist() == [1]
        assert [paths[i] for i in cart.files.tolist()] == ["docs/don't.md", "src/cart.py", "tests/test_cart.py"]
        assert [paths[i] for i in cart.on_path.tolist()] == ["src/cart.py", "tests/test_cart.py"]
        assert cart.base_counts.tolist() == [1, 1]
        assert cart.directory_counts.tolist() == [0, 0]
        assert cart.file_df == 3


def test_columns_agree(readers: tuple[Reader, Reader]) -> None:
    ids = np.array([1, 5, 6, 7, 18], np.int32)
    lookup, resident = (reader.columns(ids) for reader in readers)
    assert different(lookup, resident) == []
    none = readers[0].columns(np.zeros(0, np.int32))
    assert all(len(value) == 0 for value in none)


def test_columns_of_files(readers: tuple[Reader, Reader], connection: Connection) -> None:
    rows = connection.rows("SELECT symbol, language IS NULL FROM files ORDER BY file")
    for reader in readers:
        files = reader.files
        assert files.first_symbol.tolist() == [*(row[0] for row in rows), reader.symbols]
        assert (files.language == NO_LANGUAGE).tolist() == [row[1] for row in rows]
        assert files.repo.tolist() == [0, 0, 0, 0, 0, 1]
        assert files.owners(np.array([0, 1, 2, 18], np.int32)).tolist() == [0, 1, 2, 5]
        assert files.has_symbols(np.array([0, 2], np.int32)).tolist() == [False, True]


def test_rows_are_those_of_the_table(readers: tuple[Reader, Reader], connection: Connection) -> None:
    names = "symbol, file, key, repo, path, language, kind, name, qualified_name, signature, start_line, end_line"
    table = connection.rows(f"SELECT {names} FROM symbols")
    ids = np.array([row[0] for row in reversed(table)], np.int32)
    for reader in readers:
        assert [tuple(row) for row in reader.rows(ids)] == list(reversed(table))
        assert reader.rows(np.zeros(0, np.int32)) == []


def test_names_and_paths(readers: tuple[Reader, Reader]) -> None:
    for reader in readers:
        assert reader.owners(np.array([15], np.int32)) == [("acquire", "RateLimiter.acquire", "limits/limiter.py")]
        assert reader.owners(np.zeros(0, np.int32)) == []
        assert reader.paths(np.array([1, 5], np.int32)) == ["docs/don't.md", "limits/limiter.py"]
        assert reader.paths(np.zeros(0, np.int32)) == []


def test_odd_keys_are_kept(tmp_path: Path) -> None:
    from ..stores import FileSpec, SymbolSpec, build_store

    twice = (SymbolSpec(name="run", lines=(1, 1)), SymbolSpec(name="run", lines=(2, 2)))
    build_store(tmp_path, {"r": [FileSpec(path="a#b%.py", text="def run(): 1\ndef run(): 2\n", symbols=twice)]})
    snapshot = open_snapshot(tmp_path)
    with Connection(snapshot) as connection:
        keys = [row[0] for row in connection.rows("SELECT key FROM symbols")]
        ids = np.arange(3, dtype=np.int32)
        for reader in (Lookup(snapshot, connection, FIELDS), Resident(snapshot, connection, FIELDS)):
            assert [row.key for row in reader.rows(ids)] == keys
    assert keys == ["r:a%23b%25.py", "r:a%23b%25.py#run", "r:a%23b%25.py#run~2"]


BAD: dict[tuple[str, str], Callable[[list[Any]], list[Any]]] = {
    ("postings", "symbols"): lambda column: [b"\xff\xff\xff\x7f" if blob else blob for blob in column],
    ("postings", "frequencies"): lambda column: [blob + b"\0" for blob in column],
    ("postings", "file_frequencies"): lambda column: [b"" for _ in column],
    ("symbol_statistics", "lengths"): lambda column: [blob[:-1] for blob in column],
    ("symbol_statistics", "block"): lambda column: [7 for _ in column],
    ("file_statistics", "symbol"): lambda column: [bytes(len(blob)) for blob in column],
    ("file_statistics", "lengths"): lambda column: [blob[4:] for blob in column],
}


@pytest.mark.parametrize("place", BAD, ids=lambda place: ".".join(place))
def test_a_table_that_lies_is_named(tmp_path: Path, place: tuple[str, str]) -> None:
    table, column = place
    path = build_shop(tmp_path) / table / "00000.parquet"
    data = pq.read_table(path)
    values = pa.array(BAD[place](data[column].to_pylist()), data.schema.field(column).type)
    pq.write_table(data.set_column(data.column_names.index(column), data.schema.field(column), values), path)
    snapshot = open_snapshot(tmp_path, check_parts=False)
    with Connection(snapshot) as connection:
        with pytest.raises(DamagedError, match=rf"{table}/00000\.parquet .*download or build the artifact again"):
            Resident(snapshot, connection, FIELDS)
        with pytest.raises(DamagedError, match=rf"{table}/00000\.parquet .*download or build the artifact again"):
            look_up(Lookup(snapshot, connection, FIELDS))


def look_up(reader: Lookup) -> None:
    reader.postings(["cart"])
    reader.columns(np.array([1], np.int32))
