"""Pruning removes what is old, then what is least recently used above a size, and nothing else."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

from codequarry.pipeline.cache import prune

DAY = 86400


def put(path: Path, size: int, days: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    os.utime(path, (time.time() - days * DAY,) * 2)
    return path


def test_old_files_go_and_their_folders_with_them(tmp_path: Path) -> None:
    old = put(tmp_path / "facts" / "f1" / "a.pack", 10, 31)
    new = put(tmp_path / "facts" / "f2" / "b.pack", 20, 29)
    mine = put(tmp_path / "notes.txt", 30, 400)
    assert prune(tmp_path) == (1, 10, 1, 20)
    assert (old.parent.exists(), new.exists(), mine.exists()) == (False, True, True)


def test_above_the_size_the_least_recently_used_go(tmp_path: Path) -> None:
    files = [put(tmp_path / "values" / "links" / f"{i:02}" / "v", 100, i + 1) for i in range(5)]
    assert prune(tmp_path, most_bytes=250) == (3, 300, 2, 200)
    assert [file.exists() for file in files] == [True, True, False, False, False]


def test_unfinished_files_go_when_nobody_writes_them(tmp_path: Path) -> None:
    folder = tmp_path / "facts" / "f"
    left = put(folder / ".partial-1-ab", 10, 0)
    old = put(folder / ".partial-2-cd", 10, 2)
    with put(folder / ".partial-3-ef", 10, 0).open("rb") as running, old.open("rb") as also:
        for file in (running, also):
            fcntl.flock(file, fcntl.LOCK_EX)
        prune(tmp_path)
        assert [path.name for path in folder.iterdir()] == [".partial-3-ef"]
    assert not left.exists()


def test_no_cache_is_nothing_to_prune(tmp_path: Path) -> None:
    assert prune(tmp_path / "none") == (0, 0, 0, 0)
    assert not (tmp_path / "none").exists()
