"""Start child processes: as forks of a template of this process where that is safe, else as fresh interpreters."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

from ..schemas.errors import CodequarryError
from ._child import FORK, NUMBER, PREPARE, Call, run_template

__all__ = ["Interpreters", "Nursery", "Template", "Worker", "open_nursery"]


class Worker:
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


class Nursery(Protocol):
    """Where workers come from."""

    def prepare(self, call: Call) -> None: ...

    def worker(self) -> Worker: ...

    def close(self) -> None: ...


def open_nursery(memory_bytes: int) -> Nursery:
    """Return how workers start: as forks of a template where that is safe, else as fresh interpreters."""
    alone = sys.platform == "linux" and len(os.listdir("/proc/self/task")) == 1
    return Template(memory_bytes) if alone else Interpreters(memory_bytes)


class Template:
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
        with suppress(OSError), open(writable, "wb") as calls:  # if it is gone, the next worker that is asked for tells
            try:
                self._send(PREPARE, readable)
            finally:
                os.close(readable)
            pickle.dump(call, calls, protocol=5)

    def worker(self) -> Worker:
        ours, theirs = socket.socketpair()
        status, told = os.pipe()
        try:
            try:
                self._send(FORK, theirs.fileno(), told)
            finally:
                theirs.close()
                os.close(told)
            pid = _number(status)
        except (OSError, EOFError):
            ours.close()
            os.close(status)
            raise _no_worker() from None

        def kill() -> None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

        def wait() -> int:
            with open(status, "rb", buffering=0) as pipe, suppress(EOFError):
                return _number(pipe.fileno())
            return -signal.SIGKILL  # the template is gone, and its workers with it

        return Worker(ours, kill, wait)

    def close(self) -> None:
        """Wait for the template, after its workers, so that no process is left and its CPU counts as ours."""
        self._control.close()
        os.waitpid(self._pid, 0)

    def _send(self, message: bytes, *descriptors: int) -> None:
        with self._lock:
            socket.send_fds(self._control, [message], descriptors)


class Interpreters:
    """Fresh interpreters, which import what the tasks need by themselves."""

    def __init__(self, memory_bytes: int) -> None:
        # Neither the current folder, often the repository to index, nor its numpy.py may run: hence -P and no "".
        path = [folder for folder in sys.path if folder]
        self._program = (
            f"import sys; sys.path[:] = {path!r}\nimport socket\nfrom {__package__}._child import serve\n"
            "import pyarrow; pyarrow.allocate_buffer(1)\n"  # reserves a gigabyte, which is not to count against the limit
            f"serve(socket.socket(fileno=int(sys.argv[1])), {memory_bytes})"
        )

    def prepare(self, call: Call) -> None: ...

    def worker(self) -> Worker:
        ours, theirs = socket.socketpair()
        with theirs:
            number = str(theirs.fileno())
            child = subprocess.Popen(
                [sys.executable, "-P", "-c", self._program, number],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                env=os.environ | {"OMP_NUM_THREADS": "1"},  # read by OpenBLAS and Arrow
            )
        return Worker(ours, child.kill, child.wait)

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
