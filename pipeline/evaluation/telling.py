"""An evaluation as text."""

from __future__ import annotations

from collections.abc import Iterator

from ...query.console import clean
from ...query.text import count, size
from .metrics import METRICS
from .product import OURS
from .results import Evaluation, Record

__all__ = ["evaluation_lines"]

_MISSES = 10
"""Misses that the text lists; the JSON has all."""


def evaluation_lines(result: Evaluation) -> Iterator[str]:
    """Yield the figures of all systems, of ours by group, the cost, and what was missed."""
    yield f"{result.suite}: {count(len(result.records), 'question')}, snapshot {result.snapshot}"
    for name, value in result.about.items():
        yield f"  {name}: {clean(str(value))}"
    yield ""
    width = max(len(name) for name in result.systems)
    yield f"{'':{width}}" + "".join(f" {name:>9}" for name in METRICS) + "     ndcg_10 to ours (95 %)      p50 ms"
    for system in result.systems:
        yield f"{system:{width}}{_means(result, system)}{_against(result, system)}{_median(result, system):9.2f}"
    yield from _groups(result)
    yield ""
    yield from _cost(result)
    yield from _misses([record for record in result.records if record.missed])


def _means(result: Evaluation, system: str) -> str:
    return "".join(f" {result.interval(system, name).mean:9.3f}" for name in METRICS)


def _against(result: Evaluation, system: str) -> str:
    if system == OURS:
        own = result.interval(system, "ndcg_10")
        return f"   {f'is {own.low:.3f} to {own.high:.3f}':>29}"
    other = result.difference(system, "ndcg_10")
    mark = "*" if other.excludes_zero else " "
    return f"   {f'{other.mean:+.3f}{mark} {other.low:+.3f} to {other.high:+.3f}':>29}"


def _median(result: Evaluation, system: str) -> float:
    taken = sorted(result.milliseconds[system])
    return taken[len(taken) // 2]


def _groups(result: Evaluation) -> Iterator[str]:
    for name, groups in result.groups().items():
        if len(groups) < 2 and name != "difficulty":
            continue
        yield ""
        for value, records in groups.items():
            ours = " ".join(f"{m} {result.interval(OURS, m, records).mean:.3f}" for m in METRICS)
            low, high = result.interval(OURS, "ndcg_10", records)[1:]
            yield f"{name} {clean(value)}: {len(records)}, {ours} (ndcg_10 {low:.3f} to {high:.3f})"


def _cost(result: Evaluation) -> Iterator[str]:
    spent = result.index_cost
    if spent is not None:
        yield f"index: {spent.cpu:.2f} CPU s, {spent.wall:.2f} s, peak {spent.peak:.0f} MB"
    yield f"tables: {size(result.sizes['total'])}"
    rounds = ", ".join(f"{ratio:.1f}" for ratio in result.ratios)
    yield f"CPU of a query over that of plain BM25: {rounds}"


def _misses(missed: list[Record]) -> Iterator[str]:
    if missed:
        yield f"missed (no right answer among ten): {len(missed)}"
    for record in missed[:_MISSES]:
        yield f"  {clean(record.question.text)}  ->  {clean(', '.join(sorted(record.question.gold)))}"
    if len(missed) > _MISSES:
        yield f"  and {len(missed) - _MISSES} more, see --json"
