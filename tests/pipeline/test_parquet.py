"""Parquet files: bytes by rows alone, pages that a look-up needs, parts past a size."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from codequarry.pipeline.parquet import TableWriter, arrow_schema
from codequarry.schemas.manifest import TableInfo
from codequarry.schemas.tables import TABLES, Column, Table
from hypothesis import given, settings
from hypothesis import strategies as st

TABLE = Table(
    name="things",
    order=("thing",),
    pruned=("thing",),
    coded=("kind",),
    row_group=10,
    page_rows=4,
    columns=(
        Column(name="thing", type="int32", space="thing"),
        Column(name="kind", type="string"),
        Column(name="note", type="string", nullable=True),
        Column(name="data", type="bytes"),
    ),
)


def rows(count: int) -> pa.Table:
    """Return rows with their columns in another order than the table's, and one more."""
    numbers = range(count)
    return pa.table(
        {
            "data": pa.array([b"\0\1" * (i % 7) for i in numbers], pa.binary()),
            "more": pa.array(numbers, pa.int8()),
            "kind": pa.array([["a", "b", "c"][i % 3] for i in numbers], pa.string()),
            "thing": pa.array(numbers, pa.int64()),
            "note": pa.array([None if i % 2 else f"note {i}" for i in numbers], pa.string()),
        }
    )


def write(folder: Path, pieces: Sequence[pa.Table], **options: int) -> TableInfo:
    """Write pieces one after the other."""
    with TableWriter(folder, TABLE, **options) as writer:
        for piece in pieces:
            writer.append(piece)
    return writer.info


def test_the_part_is_what_the_info_says(tmp_path: Path) -> None:
    (part,) = write(tmp_path, [rows(23)]).parts
    data = (tmp_path / "things" / part.name).read_bytes()
    assert (part.name, part.rows, part.bytes) == ("00000.parquet", 23, len(data))
    assert part.sha256 == hashlib.sha256(data).hexdigest()


def test_rows_come_back_under_the_schema(tmp_path: Path) -> None:
    write(tmp_path, [rows(23)])
    table = pq.read_table(tmp_path / "things" / "00000.parquet")
    assert table.schema.equals(arrow_schema(TABLE))
    assert table.to_pylist() == rows(23).drop_columns(["more"]).select(table.column_names).to_pylist()
    found = f"SELECT thing, note FROM '{tmp_path}/things/*.parquet' WHERE thing IN (2, 21)"
    assert duckdb.execute(found).fetchall() == [(2, "note 2"), (21, None)]


def test_layout(tmp_path: Path) -> None:
    write(tmp_path, [rows(23)])
    metadata = pq.ParquetFile(tmp_path / "things" / "00000.parquet").metadata
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [10, 10, 3]
    group = metadata.row_group(0)
    columns = {group.column(i).path_in_schema: group.column(i) for i in range(group.num_columns)}
    assert {c.compression for c in columns.values()} == {"ZSTD"}
    assert all(c.has_offset_index for c in columns.values())
    assert {name for name, c in columns.items() if c.has_column_index} == {"thing"}
    assert {name for name, c in columns.items() if c.has_dictionary_page} == {"kind"}
    assert metadata.metadata is None


@pytest.mark.parametrize("pieces", [[], [rows(0)]])
def test_no_rows_are_one_part(tmp_path: Path, pieces: list[pa.Table]) -> None:
    (part,) = write(tmp_path, pieces).parts
    assert part.rows == 0
    assert pq.read_table(tmp_path / "things" / part.name).schema.equals(arrow_schema(TABLE))


def test_a_new_part_past_a_size(tmp_path: Path) -> None:
    info = write(tmp_path, [rows(45)], part_bytes=1)
    assert [(p.name, p.rows) for p in info.parts] == [(f"0000{i}.parquet", n) for i, n in enumerate((10, 10, 10, 10, 5))]
    assert info.rows == 45
    found = f"SELECT count(*), max(thing) FROM '{tmp_path}/things/*.parquet'"
    assert duckdb.execute(found).fetchall() == [(45, 44)]


def test_a_group_can_be_ended_early(tmp_path: Path) -> None:
    with TableWriter(tmp_path, TABLE) as writer:
        writer.append(rows(3))
        writer.end_group()
        writer.end_group()
        writer.append(rows(12))
    metadata = pq.ParquetFile(tmp_path / "things" / "00000.parquet").metadata
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [3, 10, 2]


def test_a_group_ends_before_it_has_too_many_bytes(tmp_path: Path) -> None:
    texts = ["x" * n for n in (30, 40, 31, 70, 200, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10)]
    table = rows(len(texts)).set_column(0, "data", pa.array([b""] * len(texts), pa.binary()))
    table = table.set_column(2, "kind", pa.array(texts)).set_column(4, "note", pa.nulls(len(texts), pa.string()))
    write(tmp_path, [table.slice(0, 3), table.slice(3)], group_bytes=100)
    metadata = pq.ParquetFile(tmp_path / "things" / "00000.parquet").metadata
    assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [2, 1, 1, 1, 10, 1]


def test_an_error_inside_is_the_one_that_comes_out(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), TableWriter(tmp_path, TABLE) as writer:
        writer.append(rows(1 // 0))
    assert writer.info.parts == ()


@settings(max_examples=60)
@given(st.lists(st.integers(0, 35), max_size=4), st.sampled_from([1, 20, 60, 1000]))
def test_bytes_do_not_depend_on_how_rows_are_handed_in(places: list[int], group_bytes: int) -> None:
    whole = rows(35)
    bounds = [0, *sorted(places), 35]
    pieces = [whole.slice(a, b - a) for a, b in pairwise(bounds)]
    with TemporaryDirectory() as folder:
        one = write(Path(folder) / "one", [whole], group_bytes=group_bytes)
        assert write(Path(folder) / "many", pieces, group_bytes=group_bytes) == one


def test_every_table_has_an_arrow_schema() -> None:
    for table in TABLES.values():
        assert arrow_schema(table).names == [column.name for column in table.columns]
