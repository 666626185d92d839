"""Measure what a night costs: a run that knows nothing, one with the cache, one after a kill, one with 1 % of the files changed.

    scripts/bench/nightly.py REPO... [--runs 5] [--jobs 2] [--share 0.01]

REPO is a git work tree, which is cloned. In every round all kinds of runs take place one after the other, so that they meet
the same machine; figures are medians of CPU seconds of all processes, less those of indexing an empty folder in the same
round, and the largest resident set of one process. `changed` appends a line to so many files of the store's last run;
`resumed` follows a run that was killed by SIGKILL after half the time of a fresh one.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from codequarry.pipeline.evaluation.building import Spent, ended

COMMAND = (sys.executable, "-P", "-c", "from codequarry.query.cli import main; main()")


def index(tree: Path, store: Path, cache: Path, jobs: int, *more: str, kill_after: float | None = None) -> Spent:
    """Index a tree and return what it took; with `kill_after` it is killed after so many seconds."""
    options = ("--name", "tree", "--out", str(store), "--cache", str(cache), "--jobs", str(jobs), "--quiet", *more)
    start = time.monotonic()
    child = subprocess.Popen([*COMMAND, "index", str(tree), *options], stderr=subprocess.DEVNULL)
    if kill_after is not None:
        time.sleep(kill_after)
        child.kill()
    spent = ended(child, start)
    if kill_after is None and child.returncode not in (0, 3):
        raise SystemExit(f"indexing {tree} ended with {child.returncode}")
    return spent


def change(tree: Path, share: float, chance: random.Random) -> int:
    """Append a line to a share of the tracked files that are text; returns how many."""
    listed = subprocess.run(["git", "-C", str(tree), "ls-files", "-z"], capture_output=True, check=True).stdout
    files = [tree / os.fsdecode(name) for name in listed.split(b"\0") if name]
    texts = [path for path in files if path.is_file() and not path.is_symlink() and b"\0" not in path.read_bytes()[:4096]]
    chosen = chance.sample(texts, max(1, round(share * len(texts))))
    for path in chosen:
        with path.open("ab") as file:
            file.write(b"\n")
    return len(chosen)


def measure(repo: Path, runs: int, jobs: int, share: float) -> None:
    """Print a table of one repository."""
    rounds: dict[str, list[Spent]] = defaultdict(list)
    changed = 0
    for number in range(runs):
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            tree, empty = work / "tree", work / "empty"
            subprocess.run(["git", "clone", "-q", str(repo), str(tree)], check=True)
            empty.mkdir()
            rounds["empty folder"].append(index(empty, work / "s0", work / "c0", jobs))
            rounds["fresh"].append(index(tree, work / "s1", work / "c1", jobs))
            rounds["cached, new store"].append(index(tree, work / "s2", work / "c1", jobs))
            rounds["unchanged"].append(index(tree, work / "s1", work / "c1", jobs))
            index(tree, work / "s3", work / "c3", jobs, kill_after=rounds["fresh"][-1].wall / 2)
            rounds["resumed"].append(index(tree, work / "s3", work / "c3", jobs))
            changed = change(tree, share, random.Random(number))
            rounds["changed"].append(index(tree, work / "s1", work / "c1", jobs))
            shutil.rmtree(work / "c1")
            rounds["changed, fresh"].append(index(tree, work / "s1", work / "c1", jobs, "--fresh"))
    zero = [cost.cpu for cost in rounds["empty folder"]]
    full = statistics.median(cost.cpu - base for cost, base in zip(rounds["fresh"], zero, strict=True))
    print(f"{repo.name}: {changed} files changed, {runs} rounds, empty folder {statistics.median(zero):.2f} CPU s")
    for name, costs in rounds.items():
        beyond = statistics.median(cost.cpu - base for cost, base in zip(costs, zero, strict=True))
        peak = max(cost.peak for cost in costs)
        print(f"  {name:18} {beyond:7.2f} CPU s beyond  {beyond / full:6.1%} of fresh  peak {peak:5.0f} MB", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repos", nargs="+", type=Path, metavar="REPO")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--share", type=float, default=0.01)
    options = parser.parse_args()
    for repo in options.repos:
        measure(repo, options.runs, options.jobs, options.share)


if __name__ == "__main__":
    main()
