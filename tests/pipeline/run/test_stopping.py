"""A request to stop: at once, or when the step under way is at its end, or has had its time."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import pytest
from codequarry.pipeline.extract import Limits
from codequarry.pipeline.run import extraction, stopping
from codequarry.pipeline.run.batches import plan, read
from codequarry.pipeline.run.extraction import extract_batches
from codequarry.pipeline.run.origins import Item, Origin
from codequarry.pipeline.run.stopping import Stop, stopped_by_signal
from codequarry.pipeline.shards import CutRule, ShardFile
from codequarry.pipeline.sources import Entry
from codequarry.pipeline.worker import FileTask
from codequarry.schemas.errors import InterruptedRunError


class Slow(Executor):
    """Hands tasks out without running them; tests do."""

    def __init__(self) -> None:
        self.futures: list[Future[Any]] = []
        self.tasks: list[Callable[[], Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.futures.append(Future())
        self.tasks.append(lambda: fn(*args, **kwargs))
        return self.futures[-1]

    def finish(self, number: int) -> None:
        """Run a task to its end."""
        assert self.futures[number].set_running_or_notify_cancel()
        self.futures[number].set_result(self.tasks[number]())


def batches(count: int) -> Any:
    """Return a stream of batches of one file each."""

    def items(entries: Any) -> Any:
        for entry in entries:
            file = ShardFile(path=entry.path, size=1, blob=None, vendored=False)
            yield Item(file, FileTask(language=None, basename=entry.path, data=b"x"))

    entries = tuple(Entry(path=f"{i}.txt", size=1) for i in range(count))
    origin = Origin(name="r", commit=None, branch=None, dirty=None, entries=entries, limits=Limits(), kept=False, read=items)
    return read(plan([origin], CutRule()), 1)


def test_what_workers_have_begun_is_finished_and_nothing_else() -> None:
    pool, stop = Slow(), Stop()
    done = extract_batches(batches(6), pool, window=3, stop=stop)
    with stop.deferred():
        threading.Timer(0.05, lambda: pool.finish(0)).start()
        assert next(done).batch.positions == (0,)
        pool.finish(1)
        stop.request()
        assert next(done).batch.positions == (1,)
        with pytest.raises(InterruptedRunError, match="run the same command again"):
            next(done)
    assert [future.cancelled() for future in pool.futures] == [False, False, True]


def test_a_worker_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stopping, "GRACE", 0.0)
    monkeypatch.setattr(extraction, "_PAUSE", 0.01)
    pool, stop = Slow(), Stop()
    done = extract_batches(batches(1), pool, window=3, stop=stop)
    with stop.deferred():
        threading.Timer(0.05, stop.request).start()
        threading.Timer(0.02, lambda: pool.futures[0].set_running_or_notify_cancel()).start()
        with pytest.raises(InterruptedRunError):
            next(done)


def test_an_error_that_is_called_timeout_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = Slow()
    done = extract_batches(batches(1), pool, window=3)
    threading.Timer(0.05, lambda: pool.futures[0].set_exception(TimeoutError("of another kind"))).start()
    with pytest.raises(TimeoutError, match="of another kind"):
        next(done)


def test_a_signal_stops_at_once_unless_it_is_deferred() -> None:
    with stopped_by_signal() as stop:
        with stop.deferred():
            os.kill(os.getpid(), signal.SIGTERM)
            assert (stop.requested, stop.overdue) == (True, False)
        with pytest.raises(InterruptedRunError):
            os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_threads_get_no_signals_and_need_no_handler() -> None:
    found: list[bool] = []

    def elsewhere() -> None:
        with stopped_by_signal() as stop:
            found.append(stop.requested)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert found == [False]
