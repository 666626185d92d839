"""Old snapshots go; the live one, the newest and the young stay."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from codequarry.pipeline.collecting import collect
from codequarry.pipeline.publish import open_store
from codequarry.query.cli import run
from codequarry.query.store import open_snapshot
from codequarry.schemas import layout

from ..query.stores import FileSpec, build_store

HOUR = 3600.0


@pytest.fixture
def store(tmp_path: Path) -> tuple[Path, list[str]]:
    """A store with five snapshots, 5 to 1 hours old; the last is live."""
    root, ids = tmp_path / "store", []
    for i in range(5):
        folder = build_store(root, {"r": [FileSpec(path="a.py", text=f"{i}\n")]})
        os.utime(folder, (time.time() - (5 - i) * HOUR,) * 2)
        ids.append(folder.name)
    return root, ids


def there(root: Path) -> set[str]:
    return set(os.listdir(root / layout.SNAPSHOTS))


def test_the_newest_stay(store: tuple[Path, list[str]]) -> None:
    root, ids = store
    with open_store(root) as opened:
        would = collect(opened, keep=2, grace=0, dry_run=True)
        assert there(root) == set(ids)
        done = collect(opened, keep=2, grace=0)
    assert would == done
    assert (done.kept, done.removed) == ((ids[4], ids[3]), (ids[2], ids[1], ids[0]))
    assert done.bytes > 3000
    assert there(root) == set(ids[3:])
    assert open_snapshot(root).id == ids[4]
    assert not (root / layout.STAGING).exists()


def test_the_live_one_stays_however_old(store: tuple[Path, list[str]]) -> None:
    root, ids = store
    (root / layout.LATEST).write_bytes(layout.dump_latest(ids[0]))
    with open_store(root) as opened:
        assert collect(opened, keep=1, grace=0).removed == tuple(reversed(ids[1:4]))
    assert open_snapshot(root).id == ids[0]


def test_what_is_young_stays(store: tuple[Path, list[str]]) -> None:
    root, ids = store
    with open_store(root) as opened:
        assert collect(opened, keep=1, grace=2.5 * HOUR).removed == tuple(reversed(ids[:3]))


def test_strange_folders_are_never_touched(store: tuple[Path, list[str]]) -> None:
    root, ids = store
    (root / layout.SNAPSHOTS / "notes").mkdir()
    (root / layout.SNAPSHOTS / ("f" * 16)).symlink_to(root)
    with open_store(root) as opened:
        assert len(collect(opened, keep=1, grace=0).removed) == 4
    assert there(root) == {ids[4], "notes", "f" * 16}


def test_models_that_nothing_needs_go(store: tuple[Path, list[str]]) -> None:
    root, ids = store
    folders = [root / layout.ENCODERS / (digit * 64) for digit in "ab"]
    for folder in folders:
        folder.mkdir(parents=True)
    manifest = root / layout.SNAPSHOTS / ids[4] / layout.MANIFEST
    value = json.loads(manifest.read_bytes())
    value["model"] = {"name": "m", "sha256": "a" * 64, "dimensions": 1, "reason": None}
    manifest.write_text(json.dumps(value))
    with open_store(root) as opened:
        assert collect(opened, keep=1, grace=0).encoders == ("b" * 64,)
    assert [folder.exists() for folder in folders] == [True, False]
    manifest.write_text("{")
    with open_store(root) as opened:
        assert collect(opened, keep=1, grace=0).encoders == ()


def test_the_command(store: tuple[Path, list[str]], capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    root, ids = store
    assert run(["gc", "--out", str(root), "--keep", "4", "--grace", "0", "--dry-run"]) == 0
    assert capfd.readouterr().out.splitlines()[0].startswith("would remove 1 snapshot, ")
    assert run(["gc", "--out", str(root), "--keep", "1", "--grace", "0", "--dry-run"]) == 0
    assert "1 stays in" in capfd.readouterr().out
    old = tmp_path / "cache" / "values" / "links" / "x"
    old.parent.mkdir(parents=True)
    old.write_bytes(b"x" * 1000)
    options = ["--keep", "3", "--grace", "30m", "--cache", str(tmp_path / "cache"), "--cache-size", "500B"]
    assert run(["gc", "--out", str(root), *options]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].endswith(f": 3 stay in {root}")
    assert lines[1:] == [f"  snapshot  {ids[1]}", f"  snapshot  {ids[0]}", "removed 1 file of the cache, 1.0 KB: 0 B stay"]
    assert run(["gc", "--out", str(root), "--keep", "3", "--grace", "0s", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == {
        "removed": [], "kept": [ids[4], ids[3], ids[2]], "encoders": [], "bytes": 0, "cache": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--keep", "0"], "--keep"),
        (["--keep", "1", "--grace", "soon"], "'soon' is not a duration: write 90s, 30m, 12h or 7d"),
        (["--keep", "1", "--cache-size", "much"], "'much' is not a size"),
    ],
)
def test_wrong_requests(
    store: tuple[Path, list[str]], capfd: pytest.CaptureFixture[str], options: list[str], says: str
) -> None:
    assert run(["gc", "--out", str(store[0]), *options]) == 2
    assert says in capfd.readouterr().err
    assert there(store[0]) == set(store[1])


def test_no_store_is_made(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["gc", "--out", str(tmp_path / "none"), "--keep", "1"]) == 1
    assert "is not a store with a snapshot" in capfd.readouterr().err
    assert not (tmp_path / "none").exists()
