"""The result of an evaluation: a record a question, and every figure that follows from the records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .building import Spent
from .intervals import Interval, mean_interval, paired_interval
from .metrics import METRICS, SUCCESSES
from .product import OURS
from .questions import Question

__all__ = ["Evaluation", "Record"]

FORMAT = 1
_DIGITS = 6
_GROUPS: dict[str, Callable[[Record], str]] = {
    "family": lambda record: record.family,
    "category": lambda record: record.question.category,
    "difficulty": lambda record: record.question.difficulty,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One question, the family that the router takes it for, the measures of each system, and our first answers."""

    question: Question
    family: str
    scores: Mapping[str, Mapping[str, float]]
    top: tuple[str, ...]

    @property
    def missed(self) -> bool:
        """Say whether no right answer is among our first ten."""
        return not self.scores[OURS]["hit_10"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All records of a suite and what the answers cost.

    `sources` are the indexed repositories and commits; `milliseconds` are CPU of each question, a list a system; `ratios`
    are our CPU over that of plain BM25, one a round; `sizes` are bytes of tables; `index_cost` is None where the index was
    there before.
    """

    suite: str
    snapshot: str
    records: tuple[Record, ...]
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    milliseconds: Mapping[str, Sequence[float]]
    ratios: tuple[float, ...]
    sizes: Mapping[str, int]
    index_cost: Spent | None
    sources: Sequence[Mapping[str, str | None]]
    about: Mapping[str, Any]

    def values(self, system: str, measure: str, records: Iterable[Record] | None = None) -> list[float]:
        """Return one measure of a system, a value a question."""
        return [record.scores[system][measure] for record in (self.records if records is None else records)]

    def interval(self, system: str, measure: str, records: Iterable[Record] | None = None) -> Interval:
        """Return the mean of a measure with its interval."""
        return mean_interval(self.values(system, measure, records))

    def difference(self, system: str, measure: str) -> Interval:
        """Return how much more a system has than we do, question by question."""
        return paired_interval(self.values(system, measure), self.values(OURS, measure))

    def groups(self) -> dict[str, dict[str, list[Record]]]:
        """Return the records by family, by category and by difficulty; what no question has is left out."""
        grouped: dict[str, dict[str, list[Record]]] = {}
        for name, value_of in _GROUPS.items():
            for record in sorted(self.records, key=value_of):
                if value_of(record):
                    grouped.setdefault(name, {}).setdefault(value_of(record), []).append(record)
        return grouped

    def to_json(self) -> dict[str, Any]:
        """Return everything as plain JSON values; `metrics` maps a system to its means."""
        return {
            "format": FORMAT,
            "suite": self.suite,
            "snapshot": self.snapshot,
            "sources": [dict(source) for source in self.sources],
            "about": dict(self.about),
            "queries": len(self.records),
            "metrics": {system: self._means(system, METRICS) for system in self.systems},
            "hits": {system: self._means(system, SUCCESSES) for system in self.systems},
            "intervals": {system: {m: _bounds(self.interval(system, m)) for m in METRICS} for system in self.systems},
            "differences": {
                system: {m: _whole(self.difference(system, m)) for m in METRICS} for system in self.systems if system != OURS
            },
            "groups": {
                name: {value: self._group(records) for value, records in groups.items()}
                for name, groups in self.groups().items()
            },
            "cost": self._cost(),
            "sizes": dict(self.sizes),
            "misses": [_miss(record) for record in self.records if record.missed],
            "records": [self._record(record) for record in self.records],
        }

    def _means(self, system: str, measures: Sequence[str], records: Iterable[Record] | None = None) -> dict[str, float]:
        return {m: _rounded(np.mean(self.values(system, m, records))) for m in measures}

    def _group(self, records: Sequence[Record]) -> dict[str, Any]:
        return {
            "queries": len(records),
            "metrics": {system: self._means(system, METRICS, records) for system in self.systems},
            "intervals": {OURS: {m: _bounds(self.interval(OURS, m, records)) for m in METRICS}},
        }

    def _cost(self) -> dict[str, Any]:
        spent = self.index_cost
        return {
            "index": None if spent is None else {"cpu_s": spent.cpu, "wall_s": spent.wall, "peak_mb": spent.peak},
            "query_ms": {system: _percentiles(self.milliseconds[system]) for system in self.systems},
            "ratio_to_bm25": [_rounded(ratio) for ratio in self.ratios],
        }

    def _record(self, record: Record) -> dict[str, Any]:
        question = record.question
        return {
            "id": question.id,
            "query": question.text,
            "family": record.family,
            "category": question.category,
            "difficulty": question.difficulty,
            "gold": dict(question.gold),
            "top": list(record.top),
            "scores": {s: {m: _rounded(record.scores[s][m]) for m in METRICS} for s in self.systems},
        }


def _miss(record: Record) -> dict[str, Any]:
    question = record.question
    return {"id": question.id, "query": question.text, "gold": sorted(question.gold), "top": list(record.top)}


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    p50, p95, p99 = np.percentile(values, [50, 95, 99]) if len(values) else (0.0, 0.0, 0.0)
    return {"p50": _rounded(p50), "p95": _rounded(p95), "p99": _rounded(p99)}


def _bounds(interval: Interval) -> list[float]:
    return [interval.low, interval.high]


def _whole(interval: Interval) -> dict[str, Any]:
    return {"mean": interval.mean, "low": interval.low, "high": interval.high}


def _rounded(value: Any) -> float:
    return round(float(value), _DIGITS)
