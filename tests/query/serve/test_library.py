"""One index that stays open while snapshots come and go."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from codequarry.query.serve import Library, Shelf, library
from codequarry.schemas.errors import DamagedError, StoreError

from ..stores import FileSpec, build_store


class Gate:
    """Opens shelves when it is let, and counts them; what is put into `error` is raised."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.opened: list[Any] = []
        self.error: Exception | None = None

    def __call__(self, path: Any) -> Any:
        assert self.open.wait(60)
        if self.error is not None:
            raise self.error
        shelf = SimpleNamespace(closed=False, snapshot=SimpleNamespace(id=f"{len(self.opened)}"))
        shelf.close = lambda: setattr(shelf, "closed", True)
        self.opened.append(shelf)
        return shelf


@pytest.fixture
def store(tmp_path: Path) -> Path:
    (tmp_path / "latest.json").write_text("one")
    return tmp_path


def until(condition: Callable[[], bool]) -> None:
    """Wait for another thread."""
    pause = threading.Event()
    for _ in range(6000):
        if condition():
            return
        pause.wait(0.01)
    raise AssertionError("it did not happen")


def test_calls_wait_while_the_index_is_loaded_and_the_state_is_told_at_once(store: Path) -> None:
    gate = Gate()
    shelves = Library(store, gate)
    got: list[str] = []

    def ask() -> None:
        with shelves.shelf() as shelf:
            got.append(shelf.snapshot.id)

    threads = [threading.Thread(target=ask) for _ in range(5)]
    for thread in threads:
        thread.start()
    assert shelves.state() == ("loading", "the index is being loaded: other tools wait for it", None)
    assert got == []
    gate.open.set()
    for thread in threads:
        thread.join()
    assert got == ["0"] * 5
    assert shelves.state() == ("ready", "snapshot 0 answers", "0")
    shelves.close()
    assert gate.opened[0].closed


def test_a_new_snapshot_is_loaded_aside_and_the_old_one_closed_by_its_last_reader(store: Path) -> None:
    gate = Gate()
    gate.open.set()
    shelves = Library(store, gate)
    with shelves.shelf() as first:
        gate.open.clear()
        (store / "latest.json").write_text("two")
        with shelves.shelf() as still:
            assert still is first
        assert shelves.state() == ("replacing", "snapshot 0 answers while a newer one is loaded", "0")
        gate.open.set()
        until(lambda: shelves.state().snapshot == "1")
        assert not first.closed  # type: ignore[attr-defined]  # a stand-in
    assert first.closed  # type: ignore[attr-defined]  # a stand-in
    with shelves.shelf() as second:
        assert second.snapshot.id == "1"


def test_what_cannot_be_opened_is_said_and_tried_again(store: Path) -> None:
    gate = Gate()
    gate.open.set()
    gate.error = StoreError("there is no artifact")
    shelves = Library(store, gate)
    for _ in range(2):
        with pytest.raises(StoreError, match="there is no artifact"), shelves.shelf():
            raise AssertionError
    until(lambda: shelves.state().name == "failed")
    assert shelves.state().message == "there is no artifact"
    gate.error = None
    with shelves.shelf() as shelf:
        assert shelf.snapshot.id == "0"


def test_a_newer_snapshot_that_cannot_be_opened_leaves_the_old_one(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    gate.open.set()
    shelves = Library(store, gate)
    with shelves.shelf():
        pass
    gate.error = DamagedError("part is missing")
    (store / "latest.json").write_text("two")
    until(lambda: "part is missing" in shelves.state().message)
    told = "snapshot 0 answers, for the newer one cannot be opened: part is missing"
    assert shelves.state() == ("replacing", told, "0")
    monkeypatch.setattr(library, "_AGAIN", 0.0)
    gate.error = None
    until(lambda: shelves.state().snapshot == "1")


def test_a_defect_is_an_error_and_not_a_wait_for_ever(store: Path) -> None:
    gate = Gate()
    gate.open.set()
    gate.error = ValueError("odd")
    with pytest.raises(StoreError, match=r"could not be loaded \(ValueError: odd\)"), Library(store, gate).shelf():
        raise AssertionError


def test_damage_while_a_snapshot_is_replaced_is_told_apart(store: Path) -> None:
    gate = Gate()
    gate.open.set()
    shelves = Library(store, gate)
    with pytest.raises(DamagedError, match="a byte"), shelves.shelf():
        raise DamagedError("a byte")

    def replaced() -> None:
        (store / "latest.json").write_text("two")
        raise DamagedError("a file is gone")

    with pytest.raises(StoreError, match="was replaced while this was answered: ask again"), shelves.shelf():
        replaced()


def test_closing_wakes_those_who_wait(store: Path) -> None:
    gate = Gate()
    shelves = Library(store, gate)
    errors: list[str] = []

    def ask() -> None:
        with pytest.raises(StoreError) as caught, shelves.shelf():
            raise AssertionError
        errors.append(str(caught.value))

    shelves.begin()
    thread = threading.Thread(target=ask)
    thread.start()
    shelves.close()
    thread.join()
    gate.open.set()
    until(lambda: bool(gate.opened) and gate.opened[0].closed)
    assert errors == ["the server is closing: start it again"]


def test_a_real_store_and_a_snapshot_folder(tmp_path: Path) -> None:
    def files(text: str) -> list[FileSpec]:
        return [FileSpec(path="a.py", text=text)]

    folder = build_store(tmp_path / "store", {"app": files("x = 1\n")})
    shelves, alone = Library(tmp_path / "store"), Library(folder)
    with shelves.shelf() as shelf, alone.shelf() as other:
        assert shelf.snapshot.id == other.snapshot.id == folder.name
        assert shelf.status() is shelf.status()
        assert shelf.status("app") is not shelf.status("app")
        shutil.rmtree(tmp_path / "store" / "snapshots" / folder.name / "sources")
        new = build_store(tmp_path / "store", {"app": files("y = 2\n")})
    until(lambda: shelves.state().snapshot == new.name)
    assert alone.state().snapshot == folder.name
    shelves.close()
    alone.close()


def test_a_shelf_is_closed_twice_without_harm(tmp_path: Path) -> None:
    build_store(tmp_path, {"app": []})
    shelf = Shelf(tmp_path)
    shelf.close()
    shelf.close()
