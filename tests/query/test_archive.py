"""One file for a snapshot: equal bytes for equal snapshots, and nothing trusted on the way back."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from codequarry.query.archive import pack, unpack
from codequarry.query.store import open_snapshot
from codequarry.schemas import layout
from codequarry.schemas.errors import DamagedError, StoreError, UsageError

from .stores import FileSpec, SymbolSpec, build_store

REPOS = {"shop": [FileSpec(path="a.py", text="def f():\n    pass\n", symbols=(SymbolSpec(name="f", lines=(1, 2)),))]}


@pytest.fixture
def store(tmp_path: Path) -> Path:
    build_store(tmp_path / "store", REPOS)
    return tmp_path / "store"


@pytest.fixture
def packed(store: Path, tmp_path: Path) -> Path:
    pack(open_snapshot(store), tmp_path / "shop.tar")
    return tmp_path / "shop.tar"


def members(path: Path) -> dict[str, bytes]:
    with tarfile.open(path) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar}  # type: ignore[union-attr]  # all are files


def write(path: Path, entries: list[tuple[tarfile.TarInfo, bytes]]) -> Path:
    with tarfile.open(path, "w") as tar:
        for info, data in entries:
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return path


def rewritten(packed: Path, change: Callable[[dict[str, bytes]], dict[str, bytes]]) -> Path:
    """Write another tar whose members are `change` of those of `packed`."""
    entries = [(tarfile.TarInfo(name), data) for name, data in change(members(packed)).items()]
    return write(packed.with_name("other.tar"), entries)


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


# --- packing


def test_packed_and_unpacked_it_is_the_same_store(store: Path, packed: Path, tmp_path: Path) -> None:
    snapshot = unpack(packed, tmp_path / "deep" / "copy")
    assert snapshot.id == open_snapshot(store).id
    assert files(tmp_path / "deep" / "copy") == {n: b for n, b in files(store).items() if layout.STAGING not in n}


def test_the_digest_is_that_of_the_file_and_equal_for_equal_snapshots(store: Path, tmp_path: Path) -> None:
    build_store(tmp_path / "again", REPOS)
    os.utime(tmp_path / "again", (0, 0))
    digests = [pack(open_snapshot(s), tmp_path / f"{s.name}.tar") for s in (store, tmp_path / "again")]
    assert digests[0] == digests[1] == hashlib.sha256((tmp_path / "store.tar").read_bytes()).hexdigest()


def test_a_snapshot_folder_of_any_name_can_be_packed(store: Path, packed: Path, tmp_path: Path) -> None:
    folder = open_snapshot(store).folder.rename(tmp_path / "loose")
    pack(open_snapshot(folder), tmp_path / "loose.tar")
    assert (tmp_path / "loose.tar").read_bytes() == packed.read_bytes()


def test_members_carry_no_time_owner_or_mode_of_this_machine(packed: Path) -> None:
    with tarfile.open(packed) as tar:
        assert {(m.mtime, m.uid, m.gid, m.uname, m.gname, m.mode, m.type) for m in tar} == {
            (0, 0, 0, "", "", 0o644, tarfile.REGTYPE)
        }


def test_an_existing_file_is_replaced_only_on_request(store: Path, packed: Path) -> None:
    packed.write_text("precious")
    with pytest.raises(UsageError, match=r"shop\.tar exists: choose another name, or replace it with --force"):
        pack(open_snapshot(store), packed)
    assert packed.read_text() == "precious"
    pack(open_snapshot(store), packed, force=True)
    assert layout.LATEST in members(packed)


def test_packing_into_a_folder_that_is_not_there(store: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere does not exist: make it first"):
        pack(open_snapshot(store), tmp_path / "nowhere" / "x.tar")


def test_a_damaged_snapshot_is_not_packed(store: Path, tmp_path: Path) -> None:
    snapshot = open_snapshot(store)
    part = snapshot.paths("symbols")[0]
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    with pytest.raises(DamagedError, match=r"symbols/.*\.parquet differs from what the manifest records"):
        pack(snapshot, tmp_path / "x.tar")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["store"]


# --- unpacking


def test_an_empty_folder_is_filled_and_any_other_left_alone(packed: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    unpack(packed, tmp_path / "empty")
    before = files(tmp_path / "empty")
    for taken in (tmp_path / "empty", packed):
        with pytest.raises(UsageError, match="exists and is not an empty folder"):
            unpack(packed, taken)
    (tmp_path / "link").symlink_to(tmp_path / "empty")
    with pytest.raises(UsageError, match="exists and is not an empty folder"):
        unpack(packed, tmp_path / "link")
    assert files(tmp_path / "empty") == before


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "/etc/evil",
        "snapshots/../../evil",
        "snapshots/0123456789abcdef/../evil",
        "snapshots/0123456789abcdef/files/../../../../evil.parquet",
        "snapshots/0123456789abcdef/files/.evil.parquet",
        "snapshots/0123456789abcdef/files/0.parquet/more",
        "snapshots/0123456789abcdef/other.json",
        "snapshots/0123456789ABCDEF/manifest.json",
        "snapshots//manifest.json",
        "./latest.json",
        "extra",
        "",
    ],
)
def test_no_name_leads_out_or_adds_anything(name: str, packed: Path, tmp_path: Path) -> None:
    evil = rewritten(packed, lambda found: {**found, name: b"evil"})
    before = sorted(p.name for p in tmp_path.iterdir())
    with pytest.raises(DamagedError):
        unpack(evil, tmp_path / "copy")
    assert sorted(p.name for p in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    "kind",
    [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE, b"7"],
)
def test_only_regular_files_are_taken(kind: bytes, tmp_path: Path) -> None:
    info = tarfile.TarInfo("snapshots/0123456789abcdef/files/0.parquet")
    info.type, info.linkname = kind, "/etc/passwd"
    evil = write(tmp_path / "evil.tar", [(info, b"")])
    with pytest.raises(DamagedError, match="is no regular file: it was not made by `codequarry pack`"):
        unpack(evil, tmp_path / "copy")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["evil.tar"]


def test_a_sparse_member_is_refused(tmp_path: Path) -> None:
    info = tarfile.TarInfo(layout.LATEST)
    info.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.map": "0,4", "GNU.sparse.size": "4"}
    evil = write(tmp_path / "evil.tar", [(info, b"evil")])
    with pytest.raises(DamagedError, match="is no regular file"):
        unpack(evil, tmp_path / "copy")


def test_a_member_twice_is_refused(packed: Path, tmp_path: Path) -> None:
    entries = [(tarfile.TarInfo(name), data) for name, data in members(packed).items()]
    with pytest.raises(DamagedError, match=r"'latest\.json' twice"):
        unpack(write(tmp_path / "evil.tar", [*entries, (tarfile.TarInfo(layout.LATEST), b"{}")]), tmp_path / "copy")


def without(wanted: Callable[[str], bool]) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    return lambda found: {n: b for n, b in found.items() if not wanted(n)}


def flipped(wanted: Callable[[str], bool]) -> Callable[[dict[str, bytes]], dict[str, bytes]]:
    return lambda found: {n: bytes([b[0] ^ 1]) + b[1:] if wanted(n) else b for n, b in found.items()}


def is_part(name: str) -> bool:
    return "/symbols/" in name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without(lambda n: n == layout.LATEST), r"has no latest\.json"),
        (without(lambda n: n.endswith(layout.MANIFEST)), r"has no snapshots/[0-9a-f]{16}/manifest\.json"),
        (without(is_part), r"symbols/.*\.parquet is missing"),
        (flipped(is_part), r"symbols/.*\.parquet is not in its manifest or differs from it"),
        (flipped(lambda n: n.endswith(layout.MANIFEST)), "differs from the one that its snapshot is named after"),
        (lambda found: {**found, layout.LATEST: b"{}"}, "does not name a snapshot"),
        (lambda found: {**found, "snapshots/0123456789abcdef/files/0.parquet": b"x"}, "is not in its manifest"),
        (lambda found: {}, r"has no latest\.json"),
    ],
)
def test_a_store_appears_only_when_it_is_whole(
    change: Callable[[dict[str, bytes]], dict[str, bytes]], message: str, packed: Path, tmp_path: Path
) -> None:
    with pytest.raises(DamagedError, match=message):
        unpack(rewritten(packed, change), tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


@pytest.mark.parametrize("keep", [0, 100, 512, 700, 3000, 0.3, 0.6])
def test_a_file_cut_short_is_refused(keep: float, packed: Path, tmp_path: Path) -> None:
    data = packed.read_bytes()
    packed.write_bytes(data[: int(keep if keep > 1 else keep * len(data))])
    with pytest.raises(DamagedError, match=r"shop\.tar"):
        unpack(packed, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_what_is_no_tar_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "page.tar").write_bytes(b"<!doctype html><title>403</title>" * 50)
    with pytest.raises(DamagedError, match=r"page\.tar is not a whole tar file"):
        unpack(tmp_path / "page.tar", tmp_path / "copy")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none\.tar: No such file or directory"):
        unpack(tmp_path / "none.tar", tmp_path / "copy")
    with pytest.raises(StoreError, match="Is a directory"):
        unpack(tmp_path, tmp_path / "copy")
    assert list(tmp_path.iterdir()) == []
