"""Print what `index --adapt` is worth: how far figures change with the adapted model, with 95 % paired bootstrap intervals.

    scripts/bench/adaptation.py commits REPO... [--limit N]
    scripts/bench/adaptation.py suites --kit DIR --plain DIR --adapted DIR

`commits` indexes each repository twice and asks the subjects of later commits, as `codequarry evaluate commits` does; nothing of
what is asked was there to learn from. `suites` asks the suites of signals.py (see there for `--kit`) in two folders of indexes.
The model alone (`meaning`) and the ranking that it is a part of are told apart.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")

from codequarry.pipeline.evaluation.building import build
from codequarry.pipeline.evaluation.history import Rule, hold_out, open_history
from codequarry.pipeline.evaluation.intervals import paired_interval
from codequarry.pipeline.evaluation.metrics import METRICS, measure
from codequarry.pipeline.evaluation.product import Meaning, Product
from codequarry.pipeline.evaluation.questions import Question
from codequarry.pipeline.evaluation.rows import ASKED, answers
from codequarry.query import open_index

Scores = dict[str, list[dict[str, float]]]
"""The measures of each question, by system."""


def commits(repos: Sequence[Path], limit: int) -> None:
    """Print the figures of each repository and of all questions together."""
    plain: Scores = {}
    adapted: Scores = {}
    for repo in repos:
        held = hold_out(open_history(repo), "HEAD", Rule(limit=limit))
        for extra, every in (([], plain), (["--adapt"], adapted)):
            with tempfile.TemporaryDirectory(prefix="codequarry-adaptation-") as folder:
                spent = build([str(repo), "--rev", held.base, *extra], Path(folder, "store"))
                print(f"{repo} {' '.join(extra) or 'plain':8} index {spent.cpu:.1f} CPU s", flush=True)
                for system, scores in _asked(Path(folder, "store"), held.questions).items():
                    every.setdefault(system, []).extend(scores)
        count = len(held.questions)
        _tell(str(repo), *({system: scores[-count:] for system, scores in every.items()} for every in (plain, adapted)))
    _tell("all questions", plain, adapted)


def _asked(store: Path, questions: Sequence[Question]) -> Scores:
    with open_index(store) as index:
        return {
            system.name: [measure(answers(system.search(q.text, ASKED), q), q.gold) for q in questions]
            for system in (Product(index), Meaning(index))
        }


def _tell(name: str, plain: Scores, adapted: Scores) -> None:
    for system, scores in plain.items():
        cells = []
        for figure in METRICS:
            before, after = ([score[figure] for score in side] for side in (scores, adapted[system]))
            change = paired_interval(after, before)
            star = "*" if change.excludes_zero else " "
            mean = sum(before) / len(before)
            cells.append(f"{figure} {mean:.3f} {change.mean:+.3f}{star} ({change.low:+.3f} {change.high:+.3f})")
        print(f"{name:40} {len(scores):4} {system:10} " + "  ".join(cells), flush=True)


def suites(kit: Path, plain: Path, adapted: Path) -> None:
    """Print the figures of the suites with either folder of indexes."""
    import signals

    sys.path.insert(0, str(kit))
    from evalkit.metrics import paired_bootstrap

    before, after = (signals.measure(list(signals.groups(folder)), {}) for folder in (plain, adapted))
    print(f"{'plain':36} {before.means()}")
    print(f"{'adapted':36} {after.means()}")
    print(f"{'difference':36} {after.against(before, paired_bootstrap, whole=True)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    modes = parser.add_subparsers(dest="mode", required=True)
    asked = modes.add_parser("commits")
    asked.add_argument("repos", nargs="+", type=Path)
    asked.add_argument("--limit", type=int, default=120)
    compared = modes.add_parser("suites")
    for name in ("--kit", "--plain", "--adapted"):
        compared.add_argument(name, type=Path, required=True)
    options = parser.parse_args()
    if options.mode == "commits":
        commits(options.repos, options.limit)
    else:
        suites(options.kit, options.plain, options.adapted)


if __name__ == "__main__":
    main()
