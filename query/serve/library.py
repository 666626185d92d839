"""One index that stays open: loaded when it is first wanted, and again when another snapshot is published."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...schemas import layout
from ...schemas.errors import CodequarryError, DamagedError, StoreError

if TYPE_CHECKING:
    from ..api import Index
    from ..context import Packs
    from ..status import Status
    from ..store import Snapshot

__all__ = ["Library", "Shelf", "State"]

logger = logging.getLogger(__name__)

_AGAIN = 1.0
"""Seconds after which a snapshot that could not be opened is tried again while another one answers."""


class State(NamedTuple):
    """Where a library stands: `loading`, `ready`, `replacing` (answers from the last snapshot) or `failed`; one sentence."""

    name: str
    message: str
    snapshot: str | None


class Shelf:
    """One snapshot with all that answers are made from, loaded."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        from .. import open_index
        from ..connection import Connection
        from ..context import Packs
        from ..graph import TABLES

        self.index: Index = open_index(path)
        self.packs: Packs = Packs(self.index)
        self.graph = Connection(self.index.snapshot, TABLES)
        self._statuses: dict[str | None, Status] = {}
        self.index.search("open the index", k=1)  # loads what every search needs
        _ = self.packs.connection

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot on this shelf."""
        return self.index.snapshot

    def status(self, topic: str | None = None) -> Status:
        """Return the snapshot in numbers with its briefing; the one without a topic is kept."""
        from ..status import status

        known = self._statuses.get(topic)
        if known is None:
            known = status(self.snapshot, topic)
            if topic is None:
                self._statuses[topic] = known
        return known

    def close(self) -> None:
        """Free everything; closing twice is harmless."""
        self.packs.close()
        self.graph.close()
        self.index.close()


class _Held:
    """A shelf with the number of calls that read from it; a retired one is closed by the last of them."""

    def __init__(self, shelf: Shelf, live: bytes | None) -> None:
        self.shelf = shelf
        self.live = live
        self.readers = 0
        self.retired = False


class Library:
    """Hands out the live snapshot of a store to calls from any thread.

    The first call loads it and those that come meanwhile wait. When the store names another snapshot, that is loaded aside
    while the last one goes on answering. What cannot be opened is tried again by later calls.
    """

    def __init__(self, path: str | os.PathLike[str], opener: Callable[[str | os.PathLike[str]], Shelf] = Shelf) -> None:
        self._path = path
        self._opener = opener
        self._changed = threading.Condition()
        self._current: _Held | None = None
        self._loading = False
        self._error: CodequarryError | None = None
        self._tried: tuple[bytes | None, float] = (None, 0.0)
        self._closed = False

    def begin(self) -> None:
        """Start loading if there is something new to load; returns at once."""
        with self._changed:
            self._refresh()

    def state(self) -> State:
        """Say where the library stands, without waiting."""
        with self._changed:
            error = self._error  # of the last try: another may begin now
            self._refresh()
            held = self._current
            if held is not None:
                snapshot = held.shelf.snapshot.id
                if self._loading and error is None:
                    return State("replacing", f"snapshot {snapshot} answers while a newer one is loaded", snapshot)
                if error is not None:
                    return State(
                        "replacing", f"snapshot {snapshot} answers, for the newer one cannot be opened: {error}", snapshot
                    )
                return State("ready", f"snapshot {snapshot} answers", snapshot)
            if error is None:
                return State("loading", "the index is being loaded: other tools wait for it", None)
            return State("failed", str(error), None)

    @contextmanager
    def shelf(self) -> Iterator[Shelf]:
        """Lend the live snapshot, waiting for it where it is not loaded; raises what kept it from being opened.

        A file that vanished while it was read is answered with a StoreError that says to ask again, where another snapshot is
        live by now.
        """
        held = self._lend()
        try:
            yield held.shelf
        except DamagedError:
            if _live(self._path) != held.live:
                raise StoreError("the index was replaced while this was answered: ask again") from None
            raise
        finally:
            self._give_back(held)

    def close(self) -> None:
        """Close what is open as soon as nobody reads it."""
        with self._changed:
            self._closed = True
            self._retire()
            self._changed.notify_all()

    def _lend(self) -> _Held:
        with self._changed:
            late = self._loading  # what is being loaded may have been looked at before this call
            self._wait()
            if self._current is None and late:
                self._wait()
            if self._current is None:
                raise _again(self._error)
            self._current.readers += 1
            return self._current

    def _wait(self) -> None:
        """Start loading where that is needed and wait for it where nothing else can answer; the lock is held."""
        self._refresh()
        while self._current is None and self._loading and not self._closed:
            self._changed.wait()

    def _give_back(self, held: _Held) -> None:
        with self._changed:
            held.readers -= 1
            done = held.retired and not held.readers
        if done:
            held.shelf.close()

    def _refresh(self) -> None:
        """Start a thread that loads, where nothing is loaded or the store names another snapshot; the lock is held."""
        if self._loading or self._closed:
            return
        live = _live(self._path)
        if self._current is not None:
            if live is None or live == self._current.live:
                self._error = None
                return
            name, when = self._tried
            if name == live and time.monotonic() - when < _AGAIN:
                return
        self._loading = True
        self._tried = live, time.monotonic()
        threading.Thread(target=self._load, args=(live,), name="load", daemon=True).start()

    def _load(self, live: bytes | None) -> None:
        held, error = None, None
        try:
            held = _Held(self._opener(self._path), live)
        except CodequarryError as reason:
            error = reason
        except Exception as reason:  # a defect must not leave calls waiting for ever
            logger.exception("the index could not be loaded")
            error = StoreError(f"the index could not be loaded ({type(reason).__name__}: {reason}): report this")
        with self._changed:
            self._loading = False
            self._error = error
            self._tried = live, time.monotonic()
            if held is not None:
                self._retire()
                self._current = held
                if self._closed:
                    self._retire()
            self._changed.notify_all()

    def _retire(self) -> None:
        """Take the current shelf out of use; the lock is held."""
        held, self._current = self._current, None
        if held is not None:
            held.retired = True
            if not held.readers:
                held.shelf.close()


def _again(error: CodequarryError | None) -> CodequarryError:
    """Return an error of the same kind: several threads may raise it, each with a trace of its own."""
    return StoreError("the server is closing: start it again") if error is None else type(error)(*error.args)


def _live(path: str | os.PathLike[str]) -> bytes | None:
    """Return what tells the live snapshot of a store, or a snapshot folder's manifest, from another; None if not there."""
    root = Path(path)
    for name in (layout.LATEST, layout.MANIFEST):
        try:
            if name == layout.LATEST:
                return (root / name).read_bytes()
            status = (root / name).stat()
        except (OSError, ValueError):
            continue
        return f"{status.st_ino} {status.st_size} {status.st_mtime_ns}".encode()
    return None
