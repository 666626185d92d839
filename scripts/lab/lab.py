"""Rank the methods of the lab beside the shipped pipeline, on any suite.

    scripts/lab/lab.py --commits REPO [--limit N]
    scripts/lab/lab.py --queries FILE --index STORE
                       [--only NAME...] [--json]

Every method ranks three times: alone (nothing found before), on plain BM25, and on the scores of the shipped ranking. The
figures are ndcg_10 and mrr, and how far they are from what was there before; a star says that the 95 % paired bootstrap
interval of the difference leaves out 0. Methods that learn are told the answers of a question after they have ranked it.
`build` is the CPU in s to make a method for the corpus, `query` the median CPU in ms of ranking once.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pkgutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")

import methods
import numpy as np
from codequarry.pipeline.evaluation.baselines import best_first
from codequarry.pipeline.evaluation.building import build
from codequarry.pipeline.evaluation.corpus import Corpus
from codequarry.pipeline.evaluation.history import Rule, hold_out, open_history
from codequarry.pipeline.evaluation.intervals import Interval, paired_interval
from codequarry.pipeline.evaluation.metrics import measure
from codequarry.pipeline.evaluation.questions import FILE_LEVEL, Question, read_questions
from codequarry.pipeline.evaluation.rows import ASKED, answers
from codequarry.query import Index, open_index
from material import Array, Material, Method, Query, norm

SHIPPED_ROWS = 300
BASES = ("alone", "bm25", "codequarry")
MEASURES = ("ndcg_10", "mrr")


class Outcome(NamedTuple):
    """Values a question of each measure, under the base that a method ranked on, and what it cost."""

    values: dict[str, dict[str, list[float]]]
    build_s: float = 0.0
    query_ms: float = 0.0


def all_methods() -> list[Method]:
    """Return every method of the folder, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(methods.__path__))
    return [importlib.import_module(f"methods.{name}").METHOD for name in names]


def bases_of(index: Index, query: Query, size: int) -> dict[str, Array]:
    """Return the scores that a method starts from: none, those of plain BM25, those of the shipped ranking."""
    shipped = np.zeros(size)
    for hit in index.search(query.text, SHIPPED_ROWS).results:
        shipped[hit.symbol] = max(hit.score, 0.0)
    return {"alone": np.zeros(size), "bm25": query.bm25, "codequarry": norm(shipped)}


def judged(scores: Array, question: Question, corpus: Corpus) -> dict[str, float]:
    """Return the measures of a ranking."""
    return measure(answers(best_first(scores, corpus, ASKED), question), question.gold)


def gold_ids(question: Question, corpus: Corpus) -> Array:
    """Return the documents that answer a question: at file level all that belong to the files."""
    if question.level == FILE_LEVEL:
        held = [i for i, row in enumerate(corpus.rows) if row.path in question.gold]
    else:
        held = [
            i
            for i, row in enumerate(corpus.rows)
            if answers([row], question)[:1] and answers([row], question)[0] in question.gold
        ]
    return np.array(held, int)


def tried(method: Method | None, material: Material, asked: Sequence[tuple[Question, Query, dict[str, Array]]]) -> Outcome:
    """Let a method rank every question on every base; None is the base itself. Each base has a method of its own, which
    learns from nothing but its own questions."""
    values: dict[str, dict[str, list[float]]] = {}
    built, taken = 0.0, []
    for base in BASES[0 if method else 1 :]:
        start = time.process_time()
        ranker = method.make(material) if method else None
        built = time.process_time() - start if base == BASES[0] else built  # later ones find shared arrays made
        found = values.setdefault(base, {name: [] for name in MEASURES})
        for question, query, scores in asked:
            start = time.process_time()
            ranked = ranker.rank(query, scores[base].copy()) if ranker else scores[base]
            taken.append((time.process_time() - start) * 1e3)
            figures = judged(ranked, question, material.corpus)
            for name in MEASURES:
                found[name].append(figures[name])
            if method is not None and method.learns:
                ranker.learn(query, gold_ids(question, material.corpus))  # type: ignore[union-attr]
    return Outcome(values, built, float(np.median(taken)) if taken else 0.0)


def compare(
    store: Path, questions: Sequence[Question], only: Sequence[str] | None = None
) -> dict[str, tuple[Method | None, Outcome]]:
    """Return the outcome of every method by name, the first that of the bases themselves."""
    with open_index(store) as index:
        material = Material(Corpus(index.snapshot))
        asked = []
        for question in questions:
            query = material.query(question.text, question.category)
            asked.append((question, query, bases_of(index, query, material.size)))
        found: dict[str, tuple[Method | None, Outcome]] = {"as it is": (None, tried(None, material, asked))}
        for method in all_methods():
            if only is None or method.name in only:
                found[method.name] = (method, tried(method, material, asked))
        return found


def differences(outcome: Outcome, plain: Outcome) -> dict[str, dict[str, Interval]]:
    """Return how far a method is from each base, measure by measure."""
    return {
        base: {name: paired_interval(outcome.values[base][name], plain.values[base][name]) for name in MEASURES}
        for base in BASES[1:]
    }


def rows(found: dict[str, tuple[Method | None, Outcome]]) -> Iterator[list[str]]:
    """Yield the table: alone, on BM25 and on the shipped ranking, ndcg_10 and mrr each, and the cost."""
    yield ["method", "alone", "on bm25", "on codequarry", "build s", "query ms"]
    plain = found["as it is"][1]
    yield ["as it is", "", *(" / ".join(f"{np.mean(plain.values[b][m]):.3f}" for m in MEASURES) for b in BASES[1:]), "", ""]
    for name, (method, outcome) in found.items():
        if method is not None:
            alone = " / ".join(f"{np.mean(outcome.values['alone'][m]):.3f}" for m in MEASURES)
            changes = differences(outcome, plain)
            told = [" / ".join(_change(changes[base][m]) for m in MEASURES) for base in BASES[1:]]
            yield [name, alone, *told, f"{outcome.build_s:.2f}", f"{outcome.query_ms:.1f}"]


def _change(found: Interval) -> str:
    return f"{found.mean + 0.0:+.3f}{'*' if found.excludes_zero else ''}"


def as_json(found: dict[str, tuple[Method | None, Outcome]]) -> dict[str, Any]:
    """Return the figures as plain JSON values."""
    plain = found["as it is"][1]
    return {
        name: {
            "means": {base: {m: float(np.mean(v)) for m, v in figures.items()} for base, figures in outcome.values.items()},
            "changes": {b: {m: list(i) for m, i in c.items()} for b, c in differences(outcome, plain).items()},
            "build_s": outcome.build_s,
            "query_ms": outcome.query_ms,
        }
        for name, (_, outcome) in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--commits", type=Path, metavar="REPO")
    parser.add_argument("--limit", type=int, default=120)
    parser.add_argument("--queries", type=Path, metavar="FILE")
    parser.add_argument("--index", type=Path, metavar="STORE")
    parser.add_argument("--only", nargs="*", metavar="NAME")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.commits is None and (options.queries is None or options.index is None):
        parser.error("give --commits REPO, or --queries FILE and --index STORE")
    if options.commits is None:
        _show(compare(options.index, read_questions(options.queries), options.only), options.json)
        return
    held = hold_out(open_history(options.commits), rule=Rule(limit=options.limit))
    with tempfile.TemporaryDirectory() as folder:
        build([str(options.commits), "--rev", held.base], Path(folder, "store"))
        _show(compare(Path(folder, "store"), held.questions, options.only), options.json)


def _show(found: dict[str, tuple[Method | None, Outcome]], plain_json: bool) -> None:
    if plain_json:
        print(json.dumps(as_json(found), indent=1))
        return
    table = list(rows(found))
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    for row in table:
        print("| " + " | ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)) + " |")
        if row is table[0]:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


if __name__ == "__main__":
    main()
