"""Write what a nightly run did as Markdown, and its warnings as annotations of GitHub Actions.

    summary.py REPORTS [--sha256 HEX] [--summary FILE]

REPORTS is a folder with the --json output of `index`, and perhaps of `diff` and `evaluate queries`. The Markdown is appended to
FILE, stdout if there is none. Annotations go to stdout, only where $GITHUB_ACTIONS is set, and at most ten of them: GitHub shows no more of
one step. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MOST_ANNOTATIONS = 10
MOST_ROWS = 15


def read(folder: Path, name: str) -> dict[str, Any]:
    """Return a report, empty if the command did not get so far."""
    try:
        value = json.loads((folder / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def markdown(index: dict[str, Any], diff: dict[str, Any], sha256: str) -> Iterator[str]:
    """Yield the lines of the summary."""
    if not index:
        yield "### Index\n\nThe run did not come to its end: the log says why, and the same command goes on from there.\n"
        return
    files = index["files"]
    what = "published" if index["published"] else "unchanged"
    yield f"### Index: snapshot `{index['snapshot']}` {what}\n"
    yield "| source | branch | commit | state |\n|---|---|---|---|"
    for source in index["sources"]:
        commit = (source["commit"] or "")[:12] + (" (dirty)" if source["dirty"] else "")
        yield f"| {cell(source['repo'])} | {cell(source['branch'] or '')} | {commit} | {source['state']} |"
    total = sum(files.values())
    yield f"\n{files['indexed']:,} of {total:,} files indexed, {files['partial']:,} in part, {files['skipped']:,} skipped; "
    yield f"{index['cached']:,} known from earlier runs; {index['seconds']:.0f} s; {index['artifact_bytes'] / 1e6:.1f} MB."
    if sha256:
        yield f"\nPacked: `{sha256}`"
    yield from some("Set aside", [f"`{f['repo']}:{f['path']}` {f['reason']}" for f in index["set_aside"]])
    yield from some("Warnings", index["warnings"])
    yield from changes(diff)


def changes(diff: dict[str, Any]) -> Iterator[str]:
    """Yield what changed since the last snapshot, and what may break."""
    if not diff:
        return
    counts = {name: len(rows) for name, rows in diff["files"].items() if rows}
    shown = ", ".join(f"{number:,} {name}" for name, number in counts.items()) or "none"
    yield f"\n### Changes since `{diff['before']}`\n\nFiles: {shown}. Symbols: {len(diff['symbols']):,}. Edges: "
    yield ", ".join(f"{len(rows):,} {name}" for name, rows in diff["edges"].items()) + "."
    signatures = [s for s in diff["symbols"] if "signature" in s["change"]]
    yield from some("New signatures", [f"`{s['after']['key']}`: `{s['after']['signature']}`" for s in signatures])
    yield from some("May break", [f"`{row['key']}` (by `{row['cause']}`)" for row in diff["impact"]])


def some(title: str, rows: list[str]) -> Iterator[str]:
    """Yield a list, cut to what a reader takes in."""
    if not rows:
        return
    yield f"\n**{title}**\n"
    yield from (f"* {cell(row)}" for row in rows[:MOST_ROWS])
    if len(rows) > MOST_ROWS:
        yield f"* and {len(rows) - MOST_ROWS:,} more"


def annotations(index: dict[str, Any]) -> Iterator[str]:
    """Yield the workflow commands that mark files and warnings."""
    files = [f"::warning file={escaped(f['path'], ',:')}::{escaped(f['reason'])}" for f in index.get("set_aside", [])]
    rows = [f"::warning::{escaped(text)}" for text in index.get("warnings", [])] + files
    if len(rows) > MOST_ANNOTATIONS:
        left = len(rows) - MOST_ANNOTATIONS + 1
        rows = [*rows[: MOST_ANNOTATIONS - 1], f"::warning::and {left} more, see the summary"]
    yield from rows


def escaped(text: str, more: str = "") -> str:
    """Return a text as workflow commands want it: a line end or a comma would begin another command or property."""
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)


def cell(text: str) -> str:
    """Return a text that stays within its cell or item."""
    return text.replace("|", "\\|").replace("\r", " ").replace("\n", " ")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("reports", type=Path)
    parser.add_argument("--sha256", default="")
    parser.add_argument("--summary", type=Path)
    options = parser.parse_args()
    index = read(options.reports, "index.json")
    text = "\n".join(markdown(index, read(options.reports, "diff.json"), options.sha256)) + "\n"
    if options.summary is None:
        sys.stdout.write(text)
    else:
        with options.summary.open("a", encoding="utf-8") as file:
            file.write(text)
    if os.environ.get("GITHUB_ACTIONS"):
        sys.stdout.writelines(f"{line}\n" for line in annotations(index))
    return 0


if __name__ == "__main__":
    sys.exit(main())
