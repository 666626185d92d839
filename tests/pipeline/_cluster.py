"""A Dask cluster of real processes on 127.0.0.1: a scheduler and two workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

__all__ = ["Cluster"]


class Cluster:
    """The processes of a cluster, in a folder of its own; `workers` are what keeps the workers alive, each of a group of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running = ExitStack()
        place = folder / "scheduler.json"
        here = ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(place))
        self.scheduler = self._start("dask_scheduler", *here, "--port", "0")
        self.workers = []
        for number in range(2):
            own = ("--nthreads", "1", "--name", f"w{number}", "--local-directory", str(folder / f"w{number}"))
            self.workers.append(self._start("dask_worker", *here, *own))
        while not place.exists() or not place.read_text():
            assert self.scheduler.poll() is None
            time.sleep(0.05)
        self.address: str = json.loads(place.read_text())["address"]

    def _start(self, program: str, *args: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", f"distributed.cli.{program}", *args]
        # No settings of the user's, and none of pytest-cov's: its hook would slow every worker.
        child = subprocess.Popen(
            command,
            cwd=self._folder,
            env={**os.environ, "DASK_CONFIG": str(self._folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._running.callback(child.wait)
        self._running.callback(_end, child)
        return child

    def kill_worker(self, number: int) -> None:
        """Kill a worker with what would start it again."""
        _end(self.workers[number])

    def close(self) -> None:
        """End all processes."""
        self._running.close()


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGKILL)
