"""Child processes that may crash, hang or swell, behind the `concurrent.futures.Executor` interface.

Each worker is a pebble pool of one process: pebble's workers otherwise share one pipe, and of 117 tasks that crashed at
once four took a pool of two with them, tasks of the healthy worker included. With one task a pool, a loss is always of
that task. A lost task raises `WorkerLostError`; what to do about it is the caller's affair.
"""

from __future__ import annotations

import gc
import os
import queue
import signal
import sys
import types
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import context, forkserver, process
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar

import pebble

__all__ = ["PoolLimits", "WorkerLostError", "WorkerPool"]

P = ParamSpec("P")
T = TypeVar("T")

WALL_FACTOR = 10
"""A worker may be blocked or starved for this many times its CPU seconds before the clock decides."""


class WorkerLostError(Exception):
    """The process that held a task died, hung or ran out of memory; `reason` is `parse_failed` or `timeout`."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolLimits:
    """Bounds of a pool: processes, CPU seconds a task, and bytes of private memory a process (not enforced on macOS)."""

    workers: int
    cpu_seconds: float
    memory_bytes: int


class WorkerPool(Executor):
    """Run picklable functions in child processes that share nothing but their limits.

    `preload` names modules that the fork server imports once, so that a fork costs little. Functions may not live in
    `__main__`: children never import it, whoever the caller is.
    """

    def __init__(self, limits: PoolLimits, *, preload: tuple[str, ...] = ()) -> None:
        os.environ.setdefault("OMP_NUM_THREADS", "1")  # read by OpenBLAS and Arrow in the children
        start = _start_method(preload)
        self._slots: queue.SimpleQueue[_Slot] = queue.SimpleQueue()
        self._all = [_Slot(limits, start) for _ in range(limits.workers)]
        for slot in self._all:
            self._slots.put(slot)
        self._threads = ThreadPoolExecutor(limits.workers, thread_name_prefix="codequarry-pool")

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run `fn` in a child; the future's exception is fn's own, or WorkerLostError."""
        return self._threads.submit(self._run, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all children: with `cancel_futures` at once, else when the submitted tasks are done. Always waits."""
        self._threads.shutdown(wait=not cancel_futures, cancel_futures=cancel_futures)
        for slot in self._all:
            slot.stop()
        for slot in self._all:
            slot.join()
        self._threads.shutdown()
        _stop_fork_server()

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.shutdown(cancel_futures=kind is not None)

    def _run(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        slot = self._slots.get()
        try:
            return slot.run(fn, args, kwargs)
        finally:
            self._slots.put(slot)


class _Slot:
    """One worker process, started at its first task and again after a loss."""

    def __init__(self, limits: PoolLimits, start: context.BaseContext) -> None:
        self._limits = limits
        self._start = start
        self._lock = Lock()
        self._stopped = False
        self._pool: pebble.ProcessPool | None = None
        self._future: Future[Any] | None = None

    def run(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        """Run one task and wait for it."""
        future = self._schedule(fn, args, kwargs)
        try:
            result: T = future.result()
        except TimeoutError:
            raise WorkerLostError("timeout", f"no answer for {self._wall:.0f} s") from None
        except pebble.ProcessExpired as death:
            raise _loss(death.exitcode) from None
        except MemoryError:
            raise WorkerLostError("parse_failed", "out of memory") from None
        except BrokenExecutor:
            raise WorkerLostError("parse_failed", "the worker died") from None
        return result

    def stop(self) -> None:
        """Let go of the task under way and take no further one."""
        with self._lock:
            self._stopped = True
            if self._future is not None:
                self._future.cancel()
            if self._pool is not None:
                self._pool.stop()  # type: ignore[no-untyped-call]  # pebble is annotated in part

    def join(self) -> None:
        """Wait until the process has ended; after `stop`."""
        if self._pool is not None:
            self._pool.join()

    @property
    def _wall(self) -> float:
        return self._limits.cpu_seconds * WALL_FACTOR

    def _schedule(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Future[T]:
        with self._lock:
            if self._stopped:
                raise CancelledError
            if self._pool is not None and not self._pool.active:
                self._pool.stop()  # type: ignore[no-untyped-call]  # pebble is annotated in part
                self._pool.join()
                self._pool = None
            if self._pool is None:
                self._pool = pebble.ProcessPool(
                    max_workers=1, context=self._start, initializer=_prepare, initargs=(self._limits.memory_bytes,)
                )
            call = (fn, self._limits.cpu_seconds, args, kwargs)
            future: Future[T] = self._pool.schedule(_call, args=call, timeout=self._wall)
            self._future = future
            return future


def _loss(code: int) -> WorkerLostError:
    if code == -signal.SIGPROF:
        return WorkerLostError("timeout", "over its CPU seconds")
    return WorkerLostError("parse_failed", f"killed by signal {-code}" if code < 0 else f"ended with code {code}")


# --- in the child -----------------------------------------------------------------------------------------------------


def _prepare(memory_bytes: int) -> None:
    """Make a fresh child ready: bounded, quick to end, without garbage collection."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # pebble's own handler waits for the interpreter, which native code holds
    Thread(target=_end_with_parent, daemon=True).start()
    gc.disable()
    gc.freeze()
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))


def _end_with_parent() -> None:
    """End this process when its parent is gone, however it went; pebble would finish the task first."""
    parent = process.parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)


def _call(fn: Callable[..., T], cpu_seconds: float, args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Run one task under a timer of CPU time, whose signal ends the process even inside native code."""
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    try:
        return fn(*args, **kwargs)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


# --- starting children ------------------------------------------------------------------------------------------------

_STARTING = Lock()


@contextmanager
def _sheltered() -> Iterator[None]:
    """Start interpreters that neither import the caller's `__main__` nor look for modules in the current folder.

    That folder is often the repository to index, and a `numpy.py` in it must not run.
    """
    with _STARTING:
        main, safe_path = sys.modules["__main__"], os.environ.get("PYTHONSAFEPATH")
        sys.modules["__main__"] = types.ModuleType("__main__")
        os.environ["PYTHONSAFEPATH"] = "1"
        try:
            yield
        finally:
            sys.modules["__main__"] = main
            if safe_path is None:
                del os.environ["PYTHONSAFEPATH"]
            else:
                os.environ["PYTHONSAFEPATH"] = safe_path


class _ForkServerProcess(context.ForkServerProcess):
    @staticmethod
    def _Popen(process_obj: process.BaseProcess) -> Any:
        with _sheltered():
            return context.ForkServerProcess._Popen(process_obj)


class _SpawnProcess(context.SpawnProcess):
    @staticmethod
    def _Popen(process_obj: process.BaseProcess) -> Any:
        with _sheltered():
            return context.SpawnProcess._Popen(process_obj)


class _ForkServer(context.ForkServerContext):
    Process = _ForkServerProcess


class _Spawn(context.SpawnContext):
    Process = _SpawnProcess


def _start_method(preload: tuple[str, ...]) -> context.BaseContext:
    """Return how children start: as forks of a small server that holds `preload`; on macOS afresh, as its libraries ask."""
    if sys.platform == "darwin":
        return _Spawn()
    server = _ForkServer()
    server.set_forkserver_preload([__name__, "pebble.pool.process", *preload])
    with _sheltered():
        forkserver.ensure_running()
    return server


def _stop_fork_server() -> None:
    """Wait for the fork server's end, so that no process is left and its CPU counts as ours.

    It ends when its last child has, so it is left alone while another pool is open. CPython keeps the method private.
    """
    stop = getattr(forkserver._forkserver, "_stop", None)
    if sys.platform != "darwin" and stop is not None and not process.active_children():
        stop()
