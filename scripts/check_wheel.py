#!/usr/bin/env python3
"""Build the wheel, compare its content with `git ls-files`, and try it in a clean environment without the index extra.

    check_wheel.py

In the clean environment a search must answer from a store that this checkout has indexed, and `index` and `serve` must end
with exit code 2 and say which installation brings them. Exit code 1 and one line a fault.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("pipeline", "query", "schemas")
PIP = ("-m", "pip", "--disable-pip-version-check", "--quiet", "--quiet")


def main() -> int:
    """Run both checks and return the exit code."""
    with tempfile.TemporaryDirectory(prefix="codequarry-wheel-") as folder:
        work = Path(folder)
        wheel = build(work)
        faults = [*content_faults(wheel), *installation_faults(wheel, work)]
    for fault in faults:
        print(f"check_wheel: {fault}", file=sys.stderr)
    return 1 if faults else 0


def build(work: Path) -> Path:
    """Build the wheel of this checkout and return its path."""
    run([sys.executable, *PIP, "wheel", "--no-deps", "--wheel-dir", str(work / "dist"), str(ROOT)])
    (wheel,) = (work / "dist").glob("codequarry-*.whl")
    return wheel


def content_faults(wheel: Path) -> Iterator[str]:
    """Compare the wheel's files with the tracked files of the packages."""
    tracked = run(["git", "-C", str(ROOT), "ls-files", "-z", *PACKAGES]).split("\0")
    wanted = {f"codequarry/{name}" for name in tracked if name}
    with zipfile.ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if not name.startswith("codequarry-")}
    yield from (f"{name} is tracked and not in the wheel" for name in sorted(wanted - found))
    yield from (f"{name} is in the wheel and not tracked" for name in sorted(found - wanted))


def installation_faults(wheel: Path, work: Path) -> Iterator[str]:
    """Install the wheel alone and see what it can do and what it says that it cannot."""
    (work / "tree").mkdir()
    (work / "tree" / "cart.py").write_text("def add_item():\n    return 1\n")
    store = str(work / "store")
    run([sys.executable, "-c", "from codequarry.query.cli import main; main()", "index", str(work / "tree"), "--out", store])

    venv.create(work / "venv", with_pip=True)
    python = str(work / "venv" / "bin" / "python")
    run([python, *PIP, "install", str(wheel)])
    command = str(work / "venv" / "bin" / "codequarry")
    answer = json.loads(run([command, "search", "--index", store, "--json", "add item"]))
    if [hit["name"] for hit in answer["results"]][:1] != ["add_item"]:
        yield f"without the extra a search answers {answer}"
    for extra, attempt in {
        "index": ["index", str(work / "tree"), "--out", store],
        "mcp": ["serve", "--index", store],
    }.items():
        refused = subprocess.run([command, *attempt], capture_output=True, text=True, check=False)
        said = refused.stderr
        if refused.returncode != 2 or f"pip install 'codequarry[{extra}]'" not in said or "Traceback" in said:
            yield f"without the extra `{attempt[0]}` ends with {refused.returncode} and says {said!r}"
    brought = run([python, "-c", f"import importlib.util as u; print(*[m for m in {EXTRA!r} if u.find_spec(m)])"]).split()
    yield from (f"the plain installation brings {module}" for module in brought)


EXTRA = ("pyarrow", "tree_sitter", "mcp")
"""Modules that only indexing and the server need."""


def run(argv: Sequence[str]) -> str:
    """Run a command that must succeed and return what it printed."""
    done = subprocess.run(argv, capture_output=True, text=True, cwd=ROOT, check=False)
    if done.returncode:
        sys.exit(f"check_wheel: {' '.join(argv)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
