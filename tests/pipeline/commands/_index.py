"""Run `codequarry index` as a process of its own, with workers that can be made to crash and hang."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["DEADLY", "GIT", "THREADED", "command", "environment", "git", "index", "snapshot_digests", "summary", "write"]

GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "t",
    "GIT_AUTHOR_EMAIL": "t@example.invalid",
    "GIT_COMMITTER_NAME": "t",
    "GIT_COMMITTER_EMAIL": "t@example.invalid",
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
}

_PLAIN = "from codequarry.query.cli import main; main()"

DEADLY = """
import os, time
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["JE_ARROW_MALLOC_CONF"] = "background_thread:false"
from codequarry.pipeline import worker
facts_and_tree = worker.facts_and_tree
def deadly(data, *rest):
    if b"CRASH" in data: os.abort()
    if b"SLEEP" in data: time.sleep(1000)
    if b"RAISE" in data: raise IndexError("a fault of ours")
    if b"PID" in data: open("pid", "w").write(str(os.getpid()))
    return facts_and_tree(data, *rest)
worker.facts_and_tree = deadly
from codequarry.query.cli import main
main()
"""
"""The command line with files that kill or stop their worker; children are forks, so they inherit the change."""


THREADED = f"import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n{_PLAIN}"
"""The command line in a process that must not fork, so that workers start as interpreters."""


def command(*args: str, program: str = _PLAIN) -> list[str]:
    """Return the command of one run of `codequarry index`."""
    return [sys.executable, "-P", "-c", program, "index", *args]


def environment(**more: str) -> dict[str, str]:
    """Return the environment of a run, with a git that reads no settings of the machine."""
    return {**os.environ, **GIT, "NO_COLOR": "1", **more}


def index(
    *args: str, cwd: Path, program: str = _PLAIN, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `codequarry index` in `cwd`, a store `out` below it unless --out is given."""
    out = () if "--out" in args else ("--out", "out")
    return subprocess.run(
        command(*args, *out, program=program),
        cwd=cwd,
        env=environment(**(env or {})),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def summary(*args: str, cwd: Path, code: int = 0, **more: Any) -> dict[str, Any]:
    """Run and return the summary, which must end with `code`."""
    run = index(*args, "--json", cwd=cwd, **more)
    assert run.returncode == code, run.stderr
    value: dict[str, Any] = json.loads(run.stdout)
    return value


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder and return it."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def git(folder: Path, *args: str) -> str:
    """Run git in a folder."""
    run = subprocess.run(["git", "-C", str(folder), *args], env=environment(), capture_output=True, text=True, check=True)
    return run.stdout.strip()


def snapshot_digests(store: Path) -> dict[str, bytes]:
    """Return every byte of the snapshots of a store, by path."""
    return {str(p.relative_to(store)): p.read_bytes() for p in sorted((store / "snapshots").rglob("*")) if p.is_file()}
