"""The code of child processes: the loop of a worker, and the template that workers are forked from.

A template is a fork of the main process, made while that has one thread, so it holds every import already; it has no
work of its own and forks a worker in a few milliseconds, again after each that dies. Where forking is not safe, each
worker is a fresh interpreter that runs `serve` alone.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import selectors
import signal
import socket
import struct
import sys
from collections.abc import Callable
from threading import Thread
from typing import Any, NamedTuple

__all__ = ["FORK", "NUMBER", "PREPARE", "Call", "run_template", "serve"]

FORK, PREPARE = b"f", b"p"
"""Messages to a template: fork a worker, with its channel and a pipe for its numbers; answer one call itself."""

NUMBER = struct.Struct("q")
"""How a template tells a pid, and later the exit code, of a worker (negative: the signal that ended it)."""


class Call(NamedTuple):
    """What is sent to a worker: a function and its arguments; the answer is `(True, value)` or `(False, exception)`."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    cpu_seconds: float


def serve(channel: socket.socket, memory_bytes: int) -> None:
    """Answer calls until the other end is closed."""
    _limit(channel, memory_bytes)
    with channel.makefile("rb") as calls:
        while True:
            try:
                call = pickle.load(calls)
            except EOFError:
                return
            channel.sendall(_answer(call))


def run_template(control: socket.socket, memory_bytes: int) -> None:
    """Do what the messages on `control` say until it is closed: fork workers, and prepare what they will inherit."""
    _only(control.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the main process, which ends the others
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.disable()
    gc.freeze()  # so that a collection does not copy the pages that all workers share
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.fileobj is not control:
                    selector.unregister(key.fileobj)
                    _bury(key.fd, *key.data)
                    continue
                message, descriptors, _, _ = socket.recv_fds(control, 1, 2)
                if message == FORK:
                    channel, status = descriptors
                    try:
                        death, pid = _fork(memory_bytes, channel)
                    except OSError:  # no process left; the closed pipe tells
                        os.close(status)
                    else:
                        os.write(status, NUMBER.pack(pid))
                        selector.register(death, selectors.EVENT_READ, (pid, status))
                    os.close(channel)
                elif message == PREPARE:
                    with open(descriptors[0], "rb") as calls:
                        _answer(pickle.load(calls))
                else:
                    return


def _fork(memory_bytes: int, channel: int) -> tuple[int, int]:
    """Fork a worker; returns a descriptor that ends when the worker does, and its pid."""
    death, held = os.pipe()
    try:
        pid = os.fork()
    except OSError:
        os.close(death)
        os.close(held)
        raise
    if pid == 0:
        code = 1
        try:
            _only(channel, held)
            serve(socket.socket(fileno=channel), memory_bytes)
            code = 0
        finally:
            os._exit(code)
    os.close(held)
    return death, pid


def _bury(death: int, pid: int, status: int) -> None:
    os.close(death)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.write(status, NUMBER.pack(code))
    os.close(status)


def _only(*descriptors: int) -> None:
    """Close everything that was inherited but the standard streams and `descriptors`: locks and sockets of others."""
    low = 3
    for descriptor in (*sorted(descriptors), os.sysconf("SC_OPEN_MAX")):
        os.closerange(low, descriptor)
        low = descriptor + 1


def _limit(channel: socket.socket, memory_bytes: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.disable()
    Thread(target=_end_with_parent, args=(channel,), daemon=True).start()
    if sys.platform == "linux":
        import resource

        most = _private_bytes() + memory_bytes  # Arrow's allocator has a gigabyte reserved from the start
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _private_bytes() -> int:
    """Return the private writable memory of this process, in the sense of RLIMIT_DATA."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")


def _end_with_parent(channel: socket.socket) -> None:
    """End this process when the other end of its channel is gone, whatever it is doing."""
    poll = select.poll()
    poll.register(channel, 0)  # a hang-up is always reported
    poll.poll()
    os._exit(1)


def _answer(call: Call) -> bytes:
    """Run one call under a timer of CPU time, whose signal ends the process even inside native code."""
    signal.setitimer(signal.ITIMER_PROF, call.cpu_seconds)
    try:
        return pickle.dumps((True, call.function(*call.args, **call.kwargs)), protocol=5)
    except Exception as error:
        return pickle.dumps((False, error), protocol=5)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
