"""Opening an artifact: what is accepted from wherever it lies, and what is refused with which sentence."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from codequarry.query import open_index
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import CodequarryError, DamagedError, FormatVersionError, StoreError
from codequarry.schemas.manifest import digest

from .shop import build_shop

ODD_NAMES = [
    "x y'ü",
    "idx #1%20",
    'q"uote',
    "g[1]",
    "star*",
    "what?",
    "a=b",
    "back\\slash",
    "{x,y}",
    "[!a]",
    "-",
    "~",
    "new\nline",
]


@pytest.fixture
def store(shop: Path, tmp_path: Path) -> Path:
    """A copy of the shop's store, to be damaged."""
    return Path(shutil.copytree(shop, tmp_path / "store"))


def snapshot_of(store: Path) -> Path:
    (folder,) = (store / "snapshots").iterdir()
    return folder


def part_of(store: Path, table: str = "symbols") -> Path:
    return snapshot_of(store) / table / "00000.parquet"


def change_manifest(store: Path, change: Callable[[dict[str, object]], object]) -> None:
    path = snapshot_of(store) / "manifest.json"
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def refusal(path: Path, kind: type[CodequarryError], *words: str) -> str:
    """Check that opening fails with one sentence that has all the words; every failure has a remedy after a colon."""
    with pytest.raises(kind) as caught:
        open_snapshot(path)
    message = str(caught.value)
    assert type(caught.value) is kind
    assert "\n" not in message
    assert ": " in message
    for word in words:
        assert word in message
    return message


def test_a_store_and_its_snapshot_folder_open_as_the_same(store: Path) -> None:
    whole, alone = open_snapshot(store), open_snapshot(snapshot_of(store))
    assert whole == alone
    assert whole.folder == snapshot_of(store)
    assert whole.id == digest((whole.folder / "manifest.json").read_bytes())[:16] == whole.folder.name


def test_the_snapshot_knows_its_tables(store: Path) -> None:
    snapshot = open_snapshot(store)
    assert snapshot.rows("files") == 6
    assert snapshot.rows("symbols") == 6 + 13
    assert snapshot.paths("symbols") == (part_of(store),)
    assert snapshot.has("sources")
    assert not snapshot.has("vectors")


@pytest.mark.parametrize("name", ODD_NAMES)
def test_it_may_lie_anywhere_and_be_read_only(store: Path, tmp_path: Path, name: str) -> None:
    place = tmp_path / "elsewhere" / name / name
    place.parent.mkdir(parents=True)
    store.rename(place)
    before = sorted(p.relative_to(place) for p in place.rglob("*"))
    for folder, _, names in os.walk(place):
        for file in names:
            os.chmod(Path(folder, file), 0o444)
        os.chmod(folder, 0o555)
    try:
        for path in (place, snapshot_of(place)):
            for resident in (True, False):
                with open_index(path, resident=resident) as index:
                    assert index.search("add_item", snippet_lines=1).results[0].qualified_name == "ShoppingCart.add_item"
        assert sorted(p.relative_to(place) for p in place.rglob("*")) == before
    finally:
        for folder, _, _ in os.walk(place):
            os.chmod(folder, 0o755)


def test_a_name_that_reads_as_a_pattern_never_opens_its_neighbour(store: Path, tmp_path: Path) -> None:
    shutil.copytree(store, tmp_path / "g1")
    part_of(tmp_path / "g1").write_bytes(b"another")
    store.rename(tmp_path / "g[1]")
    with open_index(tmp_path / "g[1]") as index:
        assert index.search("add_item").results


def test_a_path_that_is_not_utf8_is_refused(store: Path, tmp_path: Path) -> None:
    place = tmp_path / os.fsdecode(b"\xff")
    store.rename(place)
    refusal(place, StoreError, "UTF-8", "move")


def test_unknown_columns_and_another_order_are_read_by_name(store: Path) -> None:
    with open_index(store) as index:
        expected = index.search("add item", explain=True).results
    for path in snapshot_of(store).rglob("*.parquet"):
        table = pq.read_table(path)
        table = table.select(list(reversed(table.column_names)))
        pq.write_table(table.append_column("zz_future", pa.array([None] * table.num_rows, pa.string())), path)
    refresh(store)
    for resident in (True, False):
        with open_index(store, resident=resident) as index:
            found = index.search("add item", explain=True).results
        assert [(h.key, h.score, h.terms) for h in found] == [(h.key, h.score, h.terms) for h in expected]


def refresh(store: Path) -> None:
    """Write the sizes that the parts have into the manifest."""

    def change(value: dict[str, dict[str, dict[str, list[dict[str, object]]]]]) -> None:
        for table, info in value["tables"].items():
            for part in info["parts"]:
                part["bytes"] = (snapshot_of(store) / table / str(part["name"])).stat().st_size

    change_manifest(store, change)  # type: ignore[arg-type]  # a plainer type than the shape of a manifest


def test_several_parts_answer_like_one(store: Path, tmp_path: Path) -> None:
    build_shop(tmp_path / "parts", part_rows=3)
    assert len(open_snapshot(tmp_path / "parts").paths("symbols")) == 7
    for resident in (True, False):
        with open_index(store) as one, open_index(tmp_path / "parts", resident=resident) as many:
            for query in ("add item", "limiter.py", "RateLimiter.acquire", "购物车"):
                whole, cut = one.search(query, explain=True).results, many.search(query, explain=True).results
                assert [(h.key, h.score, h.terms) for h in whole] == [(h.key, h.score, h.terms) for h in cut]


def test_nothing_there(tmp_path: Path) -> None:
    assert "codequarry index SOURCE --out" in refusal(tmp_path / "no", StoreError, str(tmp_path / "no"))
    (tmp_path / "file").write_text("x")
    refusal(tmp_path / "file", StoreError, "not a folder")
    refusal(tmp_path / "file" / "below", StoreError, "no artifact")
    refusal(tmp_path / ("n" * 300), StoreError)


def test_a_path_with_a_nul_is_refused() -> None:
    with pytest.raises(StoreError, match="is not a path"):
        open_snapshot("a\0b")


def test_not_a_store(tmp_path: Path) -> None:
    refusal(tmp_path, StoreError, "is empty", "codequarry index")
    (tmp_path / "notes.txt").write_text("x")
    refusal(tmp_path, StoreError, "not a codequarry artifact", "codequarry index")
    (tmp_path / ".staging").mkdir()
    refusal(tmp_path, StoreError, "no snapshot was published", "codequarry index")


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_folder_says_so(store: Path) -> None:
    os.chmod(store, 0)
    try:
        refusal(store, StoreError, "Permission denied")
    finally:
        os.chmod(store, 0o755)


@pytest.mark.parametrize(
    "content", [b"", b"null", b"{}", b'{"snapshot": 3}', b'{"snapshot": "../../etc"}', b"[" * 100_000, b"\xff"]
)
def test_a_bad_latest(store: Path, content: bytes) -> None:
    (store / "latest.json").write_bytes(content)
    refusal(store, DamagedError, "latest.json", "download or build the artifact again")


def test_latest_names_what_is_not_there(store: Path) -> None:
    snapshot_of(store).rename(store / "snapshots" / ("0" * 16))
    refusal(store, DamagedError, "manifest.json is missing", "latest.json")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format_version": 1}',
        b'{"format_version": 1, "tables": {"files": 3}}',
    ],
)
def test_a_bad_manifest(store: Path, content: bytes) -> None:
    (snapshot_of(store) / "manifest.json").write_bytes(content)
    refusal(store, DamagedError, "manifest.json", "download or build the artifact again")


def test_a_manifest_of_absurd_size_is_not_read(store: Path) -> None:
    os.truncate(snapshot_of(store) / "manifest.json", 100 << 20)
    refusal(store, DamagedError, "104857600 bytes")


@pytest.mark.parametrize(("version", "remedy"), [(2, "upgrade codequarry"), (0, "build it again"), ("1", "build it again")])
def test_another_format(store: Path, version: object, remedy: str) -> None:
    change_manifest(store, lambda value: value.update(format_version=version))
    refusal(store, FormatVersionError, f"version {version}", "version 1", remedy)


@pytest.mark.parametrize("rows", [-1, 1 << 40])
def test_impossible_row_counts(store: Path, rows: int) -> None:
    def change(value: dict[str, object]) -> None:
        value["tables"]["symbols"]["parts"][0]["rows"] = rows  # type: ignore[index]  # JSON

    change_manifest(store, change)
    refusal(store, DamagedError, "rows of symbols")


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "/etc/passwd", "a/b.parquet", "x.txt", "", "A.parquet", "..", "a\n.parquet"]
)
def test_crafted_part_names(store: Path, name: str) -> None:
    def change(value: dict[str, object]) -> None:
        value["tables"]["symbols"]["parts"][0]["name"] = name  # type: ignore[index]  # JSON

    change_manifest(store, change)
    refusal(store, DamagedError, "malformed part name")


@pytest.mark.parametrize("name", ["../symbols", "Symbols", "", "sym bols", "symbols\n"])
def test_crafted_table_names(store: Path, name: str) -> None:
    def change(value: dict[str, object]) -> None:
        tables = value["tables"]
        tables[name] = tables["symbols"]  # type: ignore[index]  # JSON

    change_manifest(store, change)
    refusal(store, DamagedError, "malformed table name")


@pytest.mark.parametrize("table", ["files", "symbols", "postings", "symbol_statistics", "file_statistics"])
def test_a_table_that_is_not_listed(store: Path, table: str) -> None:
    change_manifest(store, lambda value: value["tables"].pop(table))  # type: ignore[attr-defined]  # JSON
    refusal(store, DamagedError, f"no table {table}")


def test_a_part_is_missing(store: Path) -> None:
    part_of(store, "postings").unlink()
    refusal(store, DamagedError, "postings/00000.parquet", "missing", "download or build the artifact again")


def test_a_part_has_another_size(store: Path) -> None:
    path = part_of(store, "postings")
    path.write_bytes(path.read_bytes()[:-200])
    refusal(store, DamagedError, "postings/00000.parquet", "bytes", "download or build the artifact again")


def test_a_part_is_a_folder(store: Path) -> None:
    part_of(store).unlink()
    part_of(store).mkdir()
    refusal(store, DamagedError, "not a regular file")


@pytest.mark.parametrize("place", ["part", "table", "manifest", "snapshot", "snapshots", "latest"])
def test_links_are_refused(store: Path, place: str) -> None:
    folder = snapshot_of(store)
    path = {
        "part": part_of(store),
        "table": part_of(store).parent,
        "manifest": folder / "manifest.json",
        "snapshot": folder,
        "snapshots": folder.parent,
        "latest": store / "latest.json",
    }[place]
    path.rename(store.parent / "moved")
    path.symlink_to(store.parent / "moved")
    refusal(store, DamagedError, str(path), "download or build the artifact again")


def test_a_store_behind_a_link_opens(store: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(store)
    with open_index(tmp_path / "link") as index:
        assert index.search("add_item", snippet_lines=1).results
