"""Ask every system every question, and put what came of it together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from ...query import Index, open_index
from ...query.meaning import unavailable
from .baselines import Bm25, Bm25Walk, Grep
from .building import Spent, sizes
from .corpus import Corpus
from .cost import ratios
from .metrics import METRICS, SUCCESSES, measure
from .product import Meaning, Product, Without
from .questions import Question
from .results import Evaluation, Record
from .rows import ASKED, System, answers, judgeable
from .signals import signals

__all__ = ["evaluate"]

_TOLD = 5
"""Answers of ours that are kept with a record."""


def evaluate(
    suite: str,
    store: Path,
    questions: Sequence[Question],
    *,
    ablations: bool = True,
    index_cost: Spent | None = None,
    about: dict[str, Any] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Evaluation:
    """Ask all systems all questions about a store; `about` says what the suite was made of, in plain JSON values.

    `tell` gets the name of what is asked next.
    """
    with open_index(store) as index:
        product, corpus = Product(index), Corpus(index.snapshot)
        lexical = Bm25(corpus)
        scores, tops, milliseconds = {}, {}, {}
        for system in _systems(index, product, corpus, lexical, ablations):
            tell(system.name)
            found, milliseconds[system.name] = _asked(system, questions)
            scores[system.name] = [measure(ranked, q.gold) for ranked, q in zip(found, questions, strict=True)]
            tops[system.name] = found
        records = tuple(
            Record(
                question=question,
                family=product.family(question.text),
                scores={name: values[i] for name, values in scores.items()},
                top=tuple(tops[product.name][i][:_TOLD]),
            )
            for i, question in enumerate(questions)
        )
        return Evaluation(
            suite=suite,
            snapshot=index.snapshot.id,
            records=records,
            systems=tuple(scores),
            measures=(*METRICS, *SUCCESSES),
            milliseconds=milliseconds,
            ratios=ratios(product, lexical, [question.text for question in questions]),
            sizes=sizes(index.snapshot.manifest),
            index_cost=index_cost,
            sources=[{"repo": source.repo, "commit": source.commit} for source in index.snapshot.manifest.sources],
            about={**(about or {}), "unanswerable": _unanswerable(questions, corpus)},
        )


def _unanswerable(questions: Sequence[Question], corpus: Corpus) -> int:
    """Return how many questions have no answer in the index at all: judgements that do not fit it."""
    known = judgeable(corpus.rows)
    return sum(known.isdisjoint(question.gold) for question in questions)


def _systems(index: Index, product: Product, corpus: Corpus, lexical: Bm25, ablations: bool) -> Iterator[System]:
    """Yield one system after the other, so that what only one needs is freed before the next."""
    yield product
    if index.snapshot.has("sources"):
        yield Grep(corpus)
    yield lexical
    yield Bm25Walk(lexical)
    if unavailable(index.snapshot) is None:
        yield Meaning(index)
    for name, change in signals().items() if ablations else ():
        with closing(Without(name, change, index)) as system:
            yield system


def _asked(system: System, questions: Sequence[Question]) -> tuple[list[list[str]], list[float]]:
    """Return the distinct answers to each question and the CPU ms that each took; what is loaded once is loaded before."""
    system.search("warm up", 1)
    found, taken = [], []
    for question in questions:
        start = time.process_time_ns()
        rows = system.search(question.text, ASKED)
        taken.append((time.process_time_ns() - start) / 1e6)
        found.append(answers(rows, question))
    return found, taken
