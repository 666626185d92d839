"""Print what following the links of documents is worth: Recall@10 of linked documents and CPU time, with 0, 1 and 2 hops.

    scripts/bench/links.py --mirrors DIR --data DIR [--repeat N]

The questions are in links.toml: each takes two documents, of which one links to the other. `--mirrors` holds bare clones as
OWNER+NAME/repo, `--data` keeps the indexes. Recall is that of the first ten documents that a context pack would hold; the
time is CPU of whole packs, warm, the ways taking turns, of each question the least of all repeats: what else the machine
does only adds.
"""

from __future__ import annotations

import argparse
import time
import tomllib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
from codequarry.query import open_index
from codequarry.query.cli import run
from codequarry.query.context import Packs

HOPS = (0, 1, 2)
TOP = 10


def store_of(entry: dict[str, Any], mirrors: Path, data: Path) -> Path:
    """Return the index of a repository at its commit, made if it is not there."""
    owner_name = entry["repository"].replace("/", "+")
    out = data / f"{owner_name}@{entry['commit'][:12]}"
    source = f"{mirrors / owner_name / 'repo'}@{entry['commit']}"
    include = [word for glob in entry["include"] for word in ("--include", glob)]
    if not (out / "latest.json").exists() and run(["index", source, *include, "--out", str(out), "--quiet"]) not in (0, 3):
        raise SystemExit(f"{source} could not be indexed")
    return out


def measure(packs: Packs, questions: Sequence[dict[str, Any]], repeat: int) -> tuple[list[list[float]], list[float]]:
    """Return the recall of each question for each number of hops, and milliseconds of CPU a pack."""
    recalls = [[_recall(packs, question, hops) for question in questions] for hops in HOPS]
    least = np.full((len(HOPS), len(questions)), np.inf)
    for _ in range(repeat):
        for at, question in enumerate(questions):
            for i, hops in enumerate(HOPS):
                started = time.process_time()
                packs.pack(question["ask"], hops=hops)
                least[i, at] = min(least[i, at], time.process_time() - started)
    return recalls, (1000 * least.mean(axis=1)).tolist()


def _recall(packs: Packs, question: dict[str, Any], hops: int) -> float:
    found = [candidate.path for candidate in packs.documents(question["ask"], hops)][:TOP]
    return len(set(question["files"]).intersection(found)) / len(question["files"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mirrors", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()
    entries = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["repositories"]
    print(
        f"{'':20}{'questions':>10}"
        + "".join(f"{f'R@{TOP} {n}':>9}" for n in HOPS)
        + "".join(f"{f'ms {n}':>9}" for n in HOPS)
    )
    all_recalls: list[list[float]] = [[] for _ in HOPS]
    all_spent = []
    for entry in entries:
        with open_index(store_of(entry, options.mirrors, options.data)) as index, closing(Packs(index)) as packs:
            recalls, spent = measure(packs, entry["questions"], options.repeat)
        _print(entry["repository"], recalls, spent)
        for column, values in zip(all_recalls, recalls, strict=True):
            column += values
        all_spent.append(spent)
    mean = np.mean(all_spent, axis=0).tolist()
    _print("all", all_recalls, mean)
    if mean[0]:
        print(f"one hop costs {100 * (mean[1] / mean[0] - 1):+.2f} %, two {100 * (mean[2] / mean[0] - 1):+.2f} %")


def _print(name: str, recalls: Sequence[Sequence[float]], spent: Sequence[float]) -> None:
    cells = [f"{np.mean(column):9.3f}" for column in recalls] + [f"{ms:9.2f}" for ms in spent]
    print(f"{name:20}{len(recalls[0]):>10}{''.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
