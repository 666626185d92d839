"""Verifying names every file that is wrong."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from codequarry.query.verify import Fault, verify
from codequarry.schemas import layout
from codequarry.schemas.errors import DamagedError, StoreError
from codequarry.schemas.manifest import digest, dump, parse
from codequarry.schemas.tables import TABLES


@pytest.fixture
def store(shop: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(shop, tmp_path / "store"))


def folder_of(store: Path) -> Path:
    (folder,) = (store / "snapshots").iterdir()
    return folder


def faults(store: Path) -> list[tuple[str, str]]:
    return [(fault.file, fault.problem) for fault in verify(store).faults]


def test_a_whole_snapshot(store: Path) -> None:
    report = verify(store)
    assert report.faults == ()
    assert report.snapshot == folder_of(store).name
    assert report.files == len(TABLES)  # the manifest, and no vectors
    assert report.bytes == sum(p.stat().st_size for p in folder_of(store).rglob("*.parquet"))
    report.raise_if_damaged()
    assert verify(folder_of(store)) == report


def test_a_snapshot_folder_may_have_any_name(store: Path, tmp_path: Path) -> None:
    folder_of(store).rename(tmp_path / "mine")
    assert verify(tmp_path / "mine").faults == ()


def test_every_flipped_byte_is_found(store: Path) -> None:
    for path in sorted(folder_of(store).rglob("*.parquet")):
        good = path.read_bytes()
        for place in (0, len(good) // 3, len(good) // 2, len(good) - 1):
            path.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
            assert faults(store) == [(f"{path.parent.name}/{path.name}", "has another sha256 than the manifest says")]
        path.write_bytes(good)


def test_all_faults_are_reported_at_once(store: Path) -> None:
    folder = folder_of(store)
    (folder / "postings" / "00000.parquet").unlink()
    os.truncate(folder / "symbols" / "00000.parquet", 100)
    with open(folder / "files" / "00000.parquet", "r+b") as stream:
        stream.seek(50)
        stream.write(b"xyz")
    (folder / "extra.txt").write_text("x")
    (folder / "linked").symlink_to(folder / "symbols")
    size = json.loads((folder / "manifest.json").read_text())["tables"]["symbols"]["parts"][0]["bytes"]
    assert faults(store) == [
        ("extra.txt", "is not in the manifest"),
        ("linked", "is not in the manifest"),
        ("files/00000.parquet", "has another sha256 than the manifest says"),
        ("postings/00000.parquet", "is missing"),
        ("symbols/00000.parquet", f"has 100 bytes, not {size}"),
    ]
    with pytest.raises(DamagedError, match=r"postings/00000\.parquet: is missing: download or build the artifact again"):
        verify(store).raise_if_damaged()
    assert str(verify(store).faults[0]) == "extra.txt: is not in the manifest: remove it: nothing reads it"


def test_a_linked_part_cannot_be_read(store: Path, tmp_path: Path) -> None:
    path = folder_of(store) / "symbols" / "00000.parquet"
    path.rename(tmp_path / "moved.parquet")
    path.symlink_to(tmp_path / "moved.parquet")
    assert faults(store) == [("symbols/00000.parquet", "cannot be read (it is a link)")]


def test_a_changed_manifest_is_found_by_the_name_of_its_folder(store: Path) -> None:
    path = folder_of(store) / "manifest.json"
    value = json.loads(path.read_text())
    path.write_text(json.dumps(value))
    ((file, problem),) = faults(store)
    assert file == "manifest.json"
    assert folder_of(store).name in problem


def test_nothing_to_verify(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="is empty"):
        verify(tmp_path)


def forge(store: Path, table: str, change: Callable[[pa.Table], pa.Table]) -> None:
    """Change a table and make size, hash and name of the snapshot fit, as a faulty writer would."""
    folder = folder_of(store)
    path = folder / table / "00000.parquet"
    pq.write_table(change(pq.read_table(path)), path)
    value = json.loads((folder / "manifest.json").read_text())
    part = value["tables"][table]["parts"][0]
    part.update(bytes=path.stat().st_size, sha256=digest(path.read_bytes()))
    data = dump(parse(json.dumps(value).encode(), path))
    (folder / "manifest.json").write_bytes(data)
    name = layout.snapshot_id(digest(data))
    folder.rename(folder.with_name(name))
    (store / "latest.json").write_bytes(layout.dump_latest(name))


def replaced(column: str, values: Callable[[list[Any]], list[Any]]) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        kind = table.schema.field(column).type
        return table.set_column(table.column_names.index(column), column, pa.array(values(table[column].to_pylist()), kind))

    return change


@pytest.mark.parametrize(
    ("table", "change", "problem"),
    [
        ("symbols", lambda table: table.slice(0, 18), "holds 18 rows, not 19"),
        ("symbols", replaced("name", lambda v: [None, *v[1:]]), "holds 1 nulls in name"),
        ("symbols", replaced("file", lambda v: [*v[:-1], 6]), "holds values of file out of the range of file ids"),
        ("symbols", replaced("symbol", lambda v: [0, 0, *v[2:]]), "holds 18 distinct values of symbol, not 19"),
        ("files", replaced("symbol", lambda v: [0, 2, *v[2:]]), "names 1 symbols that are not the file's own row"),
        ("symbol_statistics", replaced("lines", lambda v: [v[0][4:]]), "does not hold the columns of all symbols"),
        ("file_statistics", replaced("roles", lambda v: [b""]), "does not hold the columns of all files"),
        ("postings", replaced("frequencies", lambda v: [b"\1", *v[1:]]), "is wrong near"),
        ("postings", replaced("file_df", lambda v: [9, *v[1:]]), "has document frequencies that do not fit"),
        ("postings", replaced("df", lambda v: [0 for _ in v]), "has document frequencies that do not fit"),
        ("postings", replaced("term", lambda v: [v[1], v[0], *v[2:]]), "has terms out of order"),
        ("edges", replaced("dst", lambda v: [19, *v[1:]]), "holds values of dst out of the range of symbol ids"),
        ("edges", lambda table: pa.concat_tables([table.slice(0, 1)] * 2), "holds 1 rows that say the same again"),
        ("edges_out", replaced("kinds", lambda v: [b"", *v[1:]]), "does not hold neighbours of symbols"),
        (
            "edges_in",
            replaced("kinds", lambda v: [b"\xff", *v[1:]]),
            "holds numbers of kinds or evidence that there are not",
        ),
        ("edges_in", lambda table: table.slice(0, 1), "holds 1 edges, not 2"),
    ],
)
def test_content_that_lies(store: Path, table: str, change: Callable[[pa.Table], pa.Table], problem: str) -> None:
    forge(store, table, change)
    found = verify(store).faults
    assert any(fault.file == f"{table}/00000.parquet" and problem in fault.problem for fault in found), found


def test_a_fault_is_a_sentence_with_a_remedy() -> None:
    fault = Fault(file="symbols/00000.parquet", problem="is missing")
    assert str(fault) == "symbols/00000.parquet: is missing: download or build the artifact again"
