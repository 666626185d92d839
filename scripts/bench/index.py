"""Measure whole index runs: CPU seconds of all processes, wall time, peak memory, bytes.

    .venv/bin/python scripts/bench/index.py REPO... [--runs 3] [--jobs 2]

Each run indexes REPO into a fresh store with an empty cache. `reference` is the CPU of a fixed pure-Python task in a process started right
before, so that figures of a busy machine can be compared: a machine that is slow then is slow for both.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from codequarry.pipeline.evaluation.building import COMMAND, Spent, ended, folder_bytes

REFERENCE = (sys.executable, "-c", "import json\nx = list(range(3000))\nfor _ in range(400): json.loads(json.dumps(x))")


def cost(argv: tuple[str, ...]) -> Spent:
    """Run a command and return what it took; its children count, because it waits for them."""
    start = time.monotonic()
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    spent = ended(child, start)
    if child.returncode not in (0, 3):
        raise SystemExit(f"{argv} ended with {child.returncode}")
    return spent


def measure(repo: Path, runs: int, jobs: int) -> str:
    """Index a repository several times and return one line of figures, medians of the runs."""
    costs, references = [], []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            references.append(cost(REFERENCE).cpu)
            store, cache = f"{folder}/store", f"{folder}/cache"
            options = ("--out", store, "--cache", cache, "--jobs", str(jobs), "--quiet")
            costs.append(cost((*COMMAND, "index", str(repo), *options)))
            size = folder_bytes(Path(store, "snapshots"))
    cpu, wall, peak = (statistics.median(column) for column in zip(*costs, strict=True))
    reference = statistics.median(references)
    return (
        f"{repo.name:24} cpu {cpu:6.2f} s  reference {reference:.2f} s  ratio {cpu / reference:5.1f}  "
        f"wall {wall:6.2f} s  peak {peak:4.0f} MB  snapshot {size / 1e6:6.2f} MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repos", nargs="+", type=Path, metavar="REPO")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    for repo in options.repos:
        print(measure(repo, options.runs, options.jobs), flush=True)


if __name__ == "__main__":
    main()
