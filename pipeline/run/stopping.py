"""A request to stop (SIGTERM): taken at once, or at the end of the step that is under way."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ...schemas.errors import InterruptedRunError

__all__ = ["GRACE", "Stop", "stopped_by_signal"]

GRACE = 5.0
"""Seconds for which the step under way may go on: the systems that ask by SIGTERM kill after seven or ten."""


class Stop:
    """Whether a run is asked to stop; raises InterruptedRunError where that is asked, unless a step defers it."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._deferred = False

    @property
    def requested(self) -> bool:
        """Say whether the run is asked to stop."""
        return self._since is not None

    @property
    def overdue(self) -> bool:
        """Say whether the step under way has used up its grace."""
        return self._since is not None and time.monotonic() - self._since > GRACE

    def request(self) -> None:
        """Ask the run to stop."""
        self._since = self._since or time.monotonic()
        if not self._deferred:
            self.now()

    def now(self) -> None:
        """End the run."""
        raise InterruptedRunError("stopped on request: run the same command again, and it goes on from there")

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Let a step end by itself; it may look whether a stop is `requested`."""
        self._deferred = True
        try:
            yield
        finally:
            self._deferred = False


@contextmanager
def stopped_by_signal() -> Iterator[Stop]:
    """Give a Stop that SIGTERM requests; outside of the main thread, where no signals arrive, nothing does."""
    stop = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.signal(signal.SIGTERM, lambda *_: stop.request())
    try:
        yield stop
    finally:
        signal.signal(signal.SIGTERM, before)
