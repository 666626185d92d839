"""Index the latest commits of a repository one after the other, with links of earlier runs and without; compare the bytes.

    scripts/bench/history.py GIT... [--commits 30] [--step 1] [--jobs 1]

GIT is a repository, bare or not; every STEP-th of its commits counts, along first parents. Both runs find the facts of known files
in a cache; one of them is denied all links. Prints the CPU seconds of each run with all its processes; ends with 1 if any
pair of snapshots differs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from codequarry.pipeline.evaluation.building import COMMAND, ended


def commits(git: Path, count: int, step: int) -> list[str]:
    """Return commits, the oldest first."""
    argv = ["git", f"--git-dir={git}", "rev-list", "--first-parent", f"--max-count={count * step}", "HEAD"]
    if (git / ".git").exists():
        argv[1] = f"--git-dir={git / '.git'}"
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split()[::step][::-1]


def index(source: str, out: Path, cache: Path, jobs: int) -> tuple[float, str]:
    """Index a source; return CPU seconds and the name of the snapshot."""
    argv = (
        *COMMAND,
        "index",
        source,
        "--name",
        "r",
        "--out",
        str(out),
        "--cache",
        str(cache),
        "--jobs",
        str(jobs),
        "--quiet",
    )
    start = time.monotonic()
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL)
    spent = ended(child, start)
    if child.returncode not in (0, 3):
        raise SystemExit(f"{argv} ended with {child.returncode}")
    return spent.cpu, json.loads((out / "latest.json").read_text())["snapshot"]


def follow(git: Path, count: int, step: int, jobs: int) -> int:
    """Walk through the history of a repository; return the number of snapshots that differ."""
    differing = 0
    costs: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        kept, denied = Path(folder, "kept"), Path(folder, "denied")
        for commit in commits(git, count, step):
            shutil.rmtree(denied / "values", ignore_errors=True)
            with_links, one = index(f"{git}@{commit}", Path(folder, "a"), kept, jobs)
            without, other = index(f"{git}@{commit}", Path(folder, "b"), denied, jobs)
            differing += one != other
            costs.append((with_links, without))
            print(f"{git} {commit[:12]} {with_links:6.2f} s with links {without:6.2f} s without  {one} "
                  f"{'same' if one == other else 'DIFFERENT ' + other}", flush=True)  # fmt: skip
    middle = [statistics.median(column) for column in zip(*costs[1:], strict=True)] if len(costs) > 1 else [0, 0]
    print(f"{git}: {len(costs)} commits, {differing} different; median {middle[0]:.2f} s with, {middle[1]:.2f} s without")
    return differing


def main() -> int:
    """Follow the repositories that are named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=30)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    return int(sum(follow(git, args.commits, args.step, args.jobs) for git in args.repositories) > 0)


if __name__ == "__main__":
    sys.exit(main())
