"""Print how many of the files that a change touched are inside a context pack, against whole files read at the same budget.

    scripts/bench/context.py --kit DIR --data DIR [--budget N] [--every N] [--only NAME...]

`--kit` and `--data` as in signals.py. The questions are subjects of commits, the gold is the files that each commit changed.
A file is inside a pack when lines of it are shown; one that is only named does not count. The other side reads the
files of plain search from the first on, whole, in three ways: until one no longer fits (`stop`), all that still fit (`skip`),
and until the budget ends in the middle of one, which counts too (`cut`). The last columns are CPU milliseconds a pack, and what
provenance adds: CPU milliseconds to check the sources and write the JSON, and its length against that of the Markdown.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from codequarry.query import Index, open_index
from codequarry.query.console import json_text
from codequarry.query.context import Pack, Packs, tokens
from codequarry.query.provenance import to_json, validate

COLUMNS = ("pack", "named", "stop", "skip", "cut", "files", "tokens", "ms", "more ms", "length")


class Shares(NamedTuple):
    """What one question gives: shares of its gold files, files shown, tokens used, milliseconds."""

    values: tuple[float, ...]


def sets(kit: Path, data: Path, only: Sequence[str] | None) -> Iterator[tuple[str, list[dict[str, Any]], Index]]:
    """Yield each repository's name, questions and index."""
    sys.path.insert(0, str(kit))
    from evalkit import corpora, suites

    for group in suites.load("commits_dev", only or None):
        mirror, commit, folder = group["corpus"]
        place = corpora.checkout(mirror, commit, False) / folder
        store = data / str(place).strip("/").replace("/", "+")
        if not (store / "latest.json").exists():
            raise SystemExit(f"{store} is no store: run signals.py with this --data, which indexes what is missing")
        yield group["id"], group["queries"], open_index(store)


def read_whole(index: Index, query: str, budget: int, sizes: dict[str, int]) -> dict[str, list[str]]:
    """Return the files of plain search that a budget holds, for each way to read them."""
    paths = list(dict.fromkeys(hit.path for hit in index.search(query, 100).results))
    ways: dict[str, list[str]] = {"stop": [], "skip": [], "cut": []}
    used, left, going = 0, budget, True
    for path in paths:
        size = sizes.get(path, 0)
        if going and used < budget:
            ways["cut"].append(path)
        used += size
        going = going and used <= budget
        if going:
            ways["stop"].append(path)
        if size <= left:
            ways["skip"].append(path)
            left -= size
    return ways


def ask(packs: Packs, index: Index, question: dict[str, Any], budget: int, sizes: dict[str, int]) -> Shares:
    """Answer one question in every way."""
    gold = set(question["gold"])
    started = time.process_time()
    pack = packs.pack(question["query"], budget=budget)
    spent = (time.process_time() - started) * 1000
    assert pack.tokens == tokens(pack.text) <= budget
    started = time.process_time()
    files = {item.file for item in pack.items if item.file is not None}
    typed = json_text(to_json(pack, validate(packs.connection, files)))
    more = (time.process_time() - started) * 1000
    shown = {item.path for item in pack.items if item.blocks}
    ways = {"pack": shown, "named": _named(pack), **read_whole(index, question["query"], budget, sizes)}
    shares = {name: len(gold.intersection(paths)) / len(gold) for name, paths in ways.items()}
    return Shares(
        (*(shares[name] for name in COLUMNS[:5]), len(shown), pack.tokens, spent, more, len(typed) / len(pack.text))
    )


def _named(pack: Pack) -> set[str]:
    return {item.path for item in pack.items}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kit", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=8000)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="Ask each N-th question only.")
    parser.add_argument("--only", nargs="*", metavar="NAME")
    options = parser.parse_args()
    print(f"{'':22}{'questions':>10}" + "".join(f"{name:>8}" for name in COLUMNS))
    rows: list[Shares] = []
    for name, questions, index in sets(options.kit, options.data, options.only):
        with index:
            packs = Packs(index)
            sizes = _sizes(packs)
            own = [ask(packs, index, q, options.budget, sizes) for q in questions[:: options.every]]
            packs.close()
        _print(name, own)
        rows += own
    _print("all", rows)
    mean = np.array([row.values for row in rows]).mean(axis=0)
    print("pack against " + ", ".join(f"{way} {mean[0] / mean[i]:.2f}" for i, way in enumerate(COLUMNS) if 1 < i < 5))


def _sizes(packs: Packs) -> dict[str, int]:
    rows = packs.connection.rows("SELECT path, length(text) FROM sources")
    return {path: -(-size // 4) for path, size in rows}


def _print(name: str, rows: Sequence[Shares]) -> None:
    mean = np.array([row.values for row in rows]).mean(axis=0)
    cells = "".join(f"{value:8.3f}" if i < 5 else f"{value:8.2f}" for i, value in enumerate(mean))
    print(f"{name:22}{len(rows):>10}{cells}", flush=True)


if __name__ == "__main__":
    main()
