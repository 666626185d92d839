"""Child processes that may crash, hang or swell, behind the `concurrent.futures.Executor` interface.

A lost task raises `WorkerLostError`, and no other task is touched: each worker has a channel of its own, so a loss is
always of the task that it held. What to do about a loss is the caller's affair (pipeline.run.extraction).
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ParamSpec, Protocol, TypeVar

from ..schemas.errors import CodequarryError
from ._child import FORK, NUMBER, PREPARE, Call, run_template

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
    """Bounds of a pool: processes, CPU seconds a task, and the bytes by which a process may grow (not enforced on macOS)."""

    workers: int
    cpu_seconds: float
    memory_bytes: int


class WorkerPool(Executor):
    """Run picklable functions in child processes; make it before the process starts threads, for a quick start.

    Functions must be importable by their module's name, which is never `__main__`.
    """

    def __init__(self, limits: PoolLimits) -> None:
        nursery = _nursery(limits.memory_bytes)
        self._nursery = nursery
        self._all = [_Slot(limits, nursery) for _ in range(limits.workers)]
        self._free: queue.SimpleQueue[_Slot] = queue.SimpleQueue()
        for slot in self._all:
            self._free.put(slot)
        self._threads = ThreadPoolExecutor(limits.workers, thread_name_prefix="codequarry-pool")

    @property
    def forks(self) -> bool:
        """Say whether workers are forks, which start quickly, or fresh interpreters."""
        return isinstance(self._nursery, _Template)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run `fn` in a child; the future's exception is fn's own, or WorkerLostError."""
        return self._threads.submit(self._run, fn, args, kwargs)

    def prepare(self, fn: Callable[P, Any], /, *args: P.args, **kwargs: P.kwargs) -> None:
        """Run `fn` once where workers come from, so that all of them inherit what it caches; before tasks are submitted.

        Its value and exceptions are dropped. Does nothing where workers do not start as forks.
        """
        self._nursery.prepare(Call(fn, args, kwargs, cpu_seconds=0))  # 0 sets no timer

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

    def __init__(self, limits: PoolLimits, nursery: _Nursery) -> None:
        self._limits = limits
        self._nursery = nursery
        self._lock = threading.Lock()
        self._abandoned = False
        self._worker: _Worker | None = None

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

    def _ready(self) -> _Worker:
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


class _Worker:
    """A running child: its channel, and how to kill it and wait for its exit code."""

    def __init__(self, channel: socket.socket, kill: Callable[[], None], wait: Callable[[], int]) -> None:
        self._channel = channel
        self._answers = channel.makefile("rb")
        self.kill = kill
        self._wait = wait

    def ask(self, call: Call, seconds: float) -> tuple[bool, Any]:
        """Send a call and return its answer; TimeoutError when the child is silent for so long."""
        data = pickle.dumps(call, protocol=5)
        self._channel.settimeout(seconds)
        self._channel.sendall(data)
        answer: tuple[bool, Any] = pickle.load(self._answers)
        return answer

    def end(self, *, kill: bool) -> int:
        """Close the channel, at which the child ends, and return its exit code; a child that died keeps its own."""
        if kill:
            self.kill()
        self._answers.close()
        self._channel.close()
        return self._wait()


# --- starting children ------------------------------------------------------------------------------------------------


class _Nursery(Protocol):
    """Where workers come from."""

    def prepare(self, call: Call) -> None: ...

    def worker(self) -> _Worker: ...

    def close(self) -> None: ...


def _nursery(memory_bytes: int) -> _Nursery:
    """Return how workers start: as forks of a template where that is safe, else as fresh interpreters."""
    alone = sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    return _Template(memory_bytes) if alone else _Interpreters(memory_bytes)


class _Template:
    """A fork of this process from which workers are forked; see `run_template`."""

    def __init__(self, memory_bytes: int) -> None:
        self._control, theirs = socket.socketpair()
        self._lock = threading.Lock()
        self._pid = os.fork()
        if self._pid == 0:
            code = 1
            try:
                run_template(theirs, memory_bytes)
                code = 0
            finally:
                os._exit(code)
        theirs.close()

    def prepare(self, call: Call) -> None:
        readable, writable = os.pipe()
        with open(writable, "wb") as calls:
            self._send(PREPARE, readable)
            os.close(readable)
            with suppress(BrokenPipeError):  # the next worker that is asked for tells
                pickle.dump(call, calls, protocol=5)

    def worker(self) -> _Worker:
        ours, theirs = socket.socketpair()
        status, told = os.pipe()
        with theirs:
            self._send(FORK, theirs.fileno(), told)
        os.close(told)
        try:
            pid = _number(status)
        except EOFError:
            raise _no_worker() from None

        def kill() -> None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

        def wait() -> int:
            with open(status, "rb", buffering=0) as pipe, suppress(EOFError):
                return _number(pipe.fileno())
            return -signal.SIGKILL  # the template is gone, and its workers with it

        return _Worker(ours, kill, wait)

    def close(self) -> None:
        """Wait for the template, after its workers, so that no process is left and its CPU counts as ours."""
        self._control.close()
        os.waitpid(self._pid, 0)

    def _send(self, message: bytes, *descriptors: int) -> None:
        try:
            with self._lock:
                socket.send_fds(self._control, [message], descriptors)
        except OSError:
            raise _no_worker() from None


class _Interpreters:
    """Fresh interpreters, which import what the tasks need by themselves."""

    def __init__(self, memory_bytes: int) -> None:
        # Neither the current folder, often the repository to index, nor its numpy.py may run: hence -P and no "".
        path = [folder for folder in sys.path if folder]
        self._program = (
            f"import sys; sys.path[:] = {path!r}\nimport socket\nfrom {__package__}._child import serve\n"
            f"serve(socket.socket(fileno=int(sys.argv[1])), {memory_bytes})"
        )

    def prepare(self, call: Call) -> None: ...

    def worker(self) -> _Worker:
        ours, theirs = socket.socketpair()
        with theirs:
            number = str(theirs.fileno())
            child = subprocess.Popen(
                [sys.executable, "-P", "-c", self._program, number],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=os.environ | {"OMP_NUM_THREADS": "1"},  # read by OpenBLAS and Arrow
            )
        return _Worker(ours, child.kill, child.wait)

    def close(self) -> None: ...


def _no_worker() -> CodequarryError:
    return CodequarryError("no worker process can be started: allow more processes (ulimit -u) or memory, and run again")


def _number(descriptor: int) -> int:
    """Read one number of a template; EOFError when it is gone."""
    data = os.read(descriptor, NUMBER.size)
    if len(data) != NUMBER.size:
        raise EOFError
    number: int = NUMBER.unpack(data)[0]
    return number
