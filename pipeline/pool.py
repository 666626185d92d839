"""Child processes that may crash, hang or swell, behind the `concurrent.futures.Executor` interface.

A lost task raises `WorkerLostError`, and no other task is touched: each worker has a channel of its own, so a loss is
always of the task that it held. What to do about a loss is the caller's affair (pipeline.run.extraction).
"""

from __future__ import annotations

import pickle
import queue
import signal
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from ._child import Call
from ._nursery import Interpreters, Nursery, Template, Worker, open_nursery

__all__ = ["PoolLimits", "WorkerLostError", "WorkerPool"]

P = ParamSpec("P")
T = TypeVar("T")

WALL_FACTOR = 10
"""A worker may be blocked or starved for this many times its CPU seconds before the clock decides."""


PREPARE_SECONDS = 60.0
"""CPU seconds for what all workers inherit: the queries of thirty languages take two or three."""


class WorkerLostError(Exception):
    """The process that held a task died, hung or ran out of memory; `reason` is `parse_failed` or `timeout`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLimits:
    """Bounds of a pool: processes, CPU seconds a task, and the bytes by which a process may grow (not enforced on macOS).

    With `fresh` each task has an interpreter of its own: it inherits no memory, and leaves none to the next.
    """

    workers: int
    cpu_seconds: float
    memory_bytes: int
    fresh: bool = False


class WorkerPool(Executor):
    """Run picklable functions in child processes; make it before the process starts threads, for a quick start.

    Functions must be importable by their module's name, which is never `__main__`.
    """

    def __init__(self, limits: PoolLimits) -> None:
        nursery = Interpreters(limits.memory_bytes) if limits.fresh else open_nursery(limits.memory_bytes)
        self._nursery = nursery
        self._all = [_Slot(limits, nursery) for _ in range(limits.workers)]
        self._free: queue.SimpleQueue[_Slot] = queue.SimpleQueue()
        for slot in self._all:
            self._free.put(slot)
        self._threads = ThreadPoolExecutor(limits.workers, thread_name_prefix="codequarry-pool")

    @property
    def forks(self) -> bool:
        """Say whether workers are forks, which start quickly, or fresh interpreters."""
        return isinstance(self._nursery, Template)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run `fn` in a child; the future's exception is fn's own, or WorkerLostError."""
        return self._threads.submit(self._run, fn, args, kwargs)

    def prepare(self, fn: Callable[P, Any], /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Run `fn` once where workers come from, so that all of them inherit what it caches; before tasks are submitted.

        Its value and exceptions are dropped. Does nothing where workers do not start as forks.
        """
        self._nursery.prepare(Call(fn, args, kwargs, PREPARE_SECONDS))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all children: with `cancel_futures` at once, else when the submitted tasks are done. Always waits."""
        if cancel_futures:
            self._threads.shutdown(wait=False, cancel_futures=True)
            for slot in self._all:
                slot.abandon()
        self._threads.shutdown()
        for slot in self._all:
            slot.close()
        self._nursery.close()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.shutdown(cancel_futures=kind is not None)

    def _run(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        slot = self._free.get()
        try:
            return slot.run(fn, args, kwargs)
        finally:
            self._free.put(slot)


class _Slot:
    """One worker process, started at its first task and again after a loss."""

    def __init__(self, limits: PoolLimits, nursery: Nursery) -> None:
        self._limits = limits
        self._nursery = nursery
        self._lock = threading.Lock()
        self._abandoned = False
        self._worker: Worker | None = None

    def run(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        """Run one task and wait for it."""
        wall = self._limits.cpu_seconds * WALL_FACTOR
        worker = self._ready()
        try:
            done, value = worker.ask(Call(fn, args, kwargs, self._limits.cpu_seconds), wall)
        except TimeoutError:
            self._end()
            raise WorkerLostError("timeout", f"no answer for {wall:.0f} s") from None
        except (EOFError, OSError, pickle.UnpicklingError):
            raise self._loss() from None
        if self._limits.fresh:
            self._end(kill=False)
        if done:
            result: T = value
            return result
        if isinstance(value, MemoryError):
            self._end()
            raise WorkerLostError("parse_failed", "out of memory")
        raise value

    def abandon(self) -> None:
        """Kill the process under its task and take no further one."""
        with self._lock:
            self._abandoned = True
            if self._worker is not None:
                self._worker.kill()

    def close(self) -> None:
        """Let the idle process end and wait for it."""
        self._end(kill=False)

    def _ready(self) -> Worker:
        with self._lock:
            if self._abandoned:
                raise CancelledError
            if self._worker is None:
                self._worker = self._nursery.worker()
            return self._worker

    def _loss(self) -> WorkerLostError | CancelledError:
        code = self._end()
        if self._abandoned:
            return CancelledError()
        if code == -signal.SIGPROF:
            return WorkerLostError("timeout", "over its CPU seconds")
        return WorkerLostError("parse_failed", f"killed by signal {-code}" if code < 0 else f"ended with code {code}")

    def _end(self, *, kill: bool = True) -> int:
        with self._lock:
            worker, self._worker = self._worker, None
        return worker.end(kill=kill) if worker is not None else 0
