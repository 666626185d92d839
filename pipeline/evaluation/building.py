"""Build the index to measure, in a process of its own by the command line, and tell what that took."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ...query.console import clean
from ...schemas.errors import EXIT_FILES_SET_ASIDE, EXIT_OK, CodequarryError
from ...schemas.manifest import Manifest

__all__ = ["COMMAND", "Spent", "build", "child", "ended", "folder_bytes", "sizes"]

COMMAND = (sys.executable, "-c", "from codequarry.query.cli import main; main()")


class Spent(NamedTuple):
    """What a process and its children took: CPU and wall in seconds, the largest resident set of one of them in MB."""

    cpu: float
    wall: float
    peak: float


def build(arguments: Sequence[str], out: Path, model: str = "auto", jobs: int | None = None) -> Spent:
    """Run `codequarry index ARGUMENTS`, taking nothing from earlier runs, and return what it took.

    Its cache lies beside the store, so that nothing of an evaluation stays in the user's.
    Raises CodequarryError with what the command said where it published nothing.
    """
    options = ["--out", str(out), "--quiet", "--fresh", "--model", model]
    options += ["--cache", str(out.with_name(f"{out.name}-cache"))]
    options += [] if jobs is None else ["--jobs", str(jobs)]
    spent, code, said = child((*COMMAND, "index", *options, *arguments))
    if code not in (EXIT_OK, EXIT_FILES_SET_ASIDE):
        raise CodequarryError(said.removeprefix("codequarry: ") or f"the index could not be built (exit {code})")
    return spent


def child(argv: Sequence[str]) -> tuple[Spent, int, str]:
    """Run a process to its end, its output left out; return what it took, its exit code and its last line on stderr."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as errors:
        start = time.monotonic()
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, env=environment)
        spent = ended(process, start)
        errors.seek(0)
        told = errors.read().decode("utf-8", "replace").strip().splitlines() or [""]
    return spent, process.returncode, clean(told[-1])


def ended(process: subprocess.Popen[bytes], start: float) -> Spent:
    """Wait for the end of a process, begun at `start` of the monotonic clock; return what it took and set its exit code."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Spent(usage.ru_utime + usage.ru_stime, time.monotonic() - start, usage.ru_maxrss / unit)


def folder_bytes(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def sizes(manifest: Manifest) -> dict[str, int]:
    """Return the bytes of each table of a snapshot, and of all together as `total`."""
    tables = {name: sum(part.bytes for part in table.parts) for name, table in sorted(manifest.tables.items())}
    return {**tables, "total": sum(tables.values())}
