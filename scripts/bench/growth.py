"""Measure how an index run grows: made-up monorepos (monorepo.py) of several sizes, extracted here or by a Dask cluster.

    .venv/bin/python scripts/bench/growth.py FOLDER [--files 1000 10000 100000] [--executor local dask] [--memory-limit 2GB]

The monorepos and stores are kept in FOLDER; a monorepo that is there is not written again. Every run is fresh. CPU is that of all
processes, those of the cluster included. Memory is the resident set of the largest process, and of all together (where pages that
processes share count once for each), looked at every 0.2 s; of a run with a cluster it is that of the coordinator and its children.
The cluster is a scheduler and two workers of one thread on this machine. A search in a process of its own is told beside one that
imports and connects alone; warm searches are all different. Slopes are those of lines through the logarithms. Linux only.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from codequarry.pipeline.evaluation.building import COMMAND, Spent, ended
from codequarry.pipeline.evaluation.speed import point_of
from monorepo import write_monorepo

_PAUSE = 0.2
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one index run took: seconds, MB; and what its store costs: MB, CPU ms."""

    executor: str
    files: int
    symbols: int
    cpu: float
    wall: float
    biggest: float
    together: float
    store: float
    base: float
    cold: float
    warm: float
    warm_peak: float


COLUMNS = ("cpu", "wall", "biggest", "together", "store", "cold", "warm", "warm_peak")


class Watch:
    """Looks at the memory of a process and all below it until it is told to stop."""

    def __init__(self, pid: int) -> None:
        self.biggest = self.together = 0.0
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while True:
            sizes = [resident(pid) for pid in family(self._pid)]
            self.biggest = max([self.biggest, *sizes])
            self.together = max(self.together, sum(sizes))
            if self._over.wait(_PAUSE):
                return


def family(pid: int) -> Iterator[int]:
    """Yield a process and all below it that are there now."""
    yield pid
    try:
        children = [Path(task, "children").read_text().split() for task in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:
        return
    for child in (int(child) for of in children for child in of):
        yield from family(child)


def resident(pid: int) -> float:
    """Return the resident set of a process in MB, 0 if it is gone."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE / 1e6
    except (OSError, IndexError):
        return 0.0


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[Spent]]]:
    """Run a scheduler and two workers; give its address, and what its processes took once they have ended."""
    place = folder / "scheduler.json"
    place.unlink(missing_ok=True)
    here = ("--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(place))
    programs = [("dask_scheduler", "--port", "0"), *([("dask_worker", "--nthreads", "1", "--no-nanny")] * 2)]
    start, spent, running = time.monotonic(), list[Spent](), list[subprocess.Popen[bytes]]()
    try:
        for name, *options in programs:
            command = [sys.executable, "-P", "-m", f"distributed.cli.{name}", *here, *options]
            running.append(subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        while not place.exists() or not place.read_text():
            time.sleep(0.1)
        yield json.loads(place.read_text())["address"], spent
    finally:
        for process in reversed(running):
            process.send_signal(signal.SIGTERM)
        spent += [ended(process, start) for process in reversed(running)]


def indexed(source: Path, store: Path, options: Sequence[str]) -> tuple[Spent, Watch]:
    """Index a source freshly, and return what the run took."""
    argv = (*COMMAND, "index", str(source), "--name", "mono", "--out", str(store), "--fresh", "--quiet", *options)
    start = time.monotonic()
    process = subprocess.Popen((*argv, "--cache", f"{store}-cache"))
    with Watch(process.pid) as watch:
        spent = ended(process, start)
    if process.returncode:
        raise SystemExit(f"the run over {source} ended with {process.returncode}")
    return spent, watch


def measure(
    executor: str, files: int, folder: Path, options: Sequence[str], *, queries: int = 100, searches: int = 7
) -> Run:
    """Index a monorepo of so many files and search in it."""
    source, store = folder / f"mono-{files}", folder / f"store-{executor}-{files}"
    if not source.exists():
        write_monorepo(source, files)
    if executor == "dask":
        with cluster(folder) as (address, others):
            spent, watch = indexed(source, store, (*options, "--scheduler", address))
    else:
        others = []
        spent, watch = indexed(source, store, options)
    cpu = spent.cpu + sum(other.cpu for other in others)
    point = point_of(store, str(files), spent, made_up=True, queries=queries, runs=searches)
    return Run(
        executor=executor,
        files=files,
        symbols=point.symbols,
        cpu=cpu,
        wall=spent.wall,
        biggest=watch.biggest,
        together=watch.together,
        store=point.store_bytes / 1e6,
        base=point.base_ms,
        cold=point.cold_ms,
        warm=point.warm_p50_ms,
        warm_peak=point.warm_peak_mb,
    )


def slope(sizes: Sequence[float], costs: Sequence[float]) -> float:
    """Return the slope of the line of least squares through the logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(costs), 1)[0])


def table(runs: Sequence[Run]) -> Iterator[str]:
    """Yield the rows of a Markdown table, the slopes of each executor behind its runs."""
    head = "executor,files,symbols,CPU s,wall s,biggest MB,together MB,snapshot MB,cold ms (base),warm p50 ms,warm MB".split(
        ","
    )
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for executor in dict.fromkeys(run.executor for run in runs):
        own = [run for run in runs if run.executor == executor]
        for r in own:
            yield (
                f"| {r.executor} | {r.files:,} | {r.symbols:,} | {r.cpu:.0f} | {r.wall:.0f} | {r.biggest:.0f} | {r.together:.0f} "
                f"| {r.store:.1f} | {r.cold:.0f} ({r.base:.0f}) | {r.warm:.2f} | {r.warm_peak:.0f} |"
            )
        if len(own) > 1:
            found = {name: slope([r.files for r in own], [getattr(r, name) for r in own]) for name in COLUMNS}
            yield f"| {executor} | slope | | " + " | ".join(f"{found[name]:.2f}" for name in COLUMNS) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--files", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--executor", choices=["local", "dask"], nargs="+", default=["local"])
    parser.add_argument("--memory-limit", default="2GB")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    options = ("--memory-limit", given.memory_limit, "--jobs", str(given.jobs))
    runs = [measure(executor, files, given.folder, options) for executor in given.executor for files in given.files]
    print(json.dumps(list(map(asdict, runs)), indent=1) if given.json else "\n".join(table(runs)))


if __name__ == "__main__":
    main()
