"""The lock where the system offers none."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest
from codequarry.pipeline._lock import locked
from codequarry.schemas.errors import LockedError, StoreError


def test_not_twice_in_one_process(tmp_path: Path) -> None:
    with locked(tmp_path / ".lock", 0), pytest.raises(LockedError, match="is being written by process"):
        locked(tmp_path / ".lock", 0).__enter__()
    with locked(tmp_path / ".lock", 0):
        pass


def test_a_holder_that_says_nothing(tmp_path: Path) -> None:
    with locked(tmp_path / ".lock", 0):
        (tmp_path / ".lock").write_text("")
        with pytest.raises(LockedError, match="by another process"):
            locked(tmp_path / ".lock", 0).__enter__()


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(StoreError, match=r"No locks available.*local disk"):
        locked(tmp_path / ".lock", 0).__enter__()


def test_a_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    with pytest.raises(StoreError, match="Linux or macOS"):
        locked(tmp_path / ".lock", 0).__enter__()
