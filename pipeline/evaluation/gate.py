"""Compare an evaluation with an earlier one, and say what fell by more than a margin.

A figure has fallen only if the whole interval of its change lies beyond the margin: quality question by question, bytes
table by table, and CPU as the ratio to plain BM25 that was measured beside it, the lowest of the rounds now against the
highest of the rounds then.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...schemas.errors import UsageError
from .intervals import relative_interval
from .metrics import METRICS
from .product import OURS

__all__ = ["Check", "Verdict", "judge", "read_baseline"]

LEAST_BYTES = 4096
"""Growth of a table by less than a page is no growth."""

_WORST = 5
"""Questions that fell the most, which are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One figure then and now; `change` and its interval are shares of what it was: -.1 is ten percent less."""

    what: str
    before: float
    now: float
    change: float
    low: float
    high: float
    fell: bool

    def line(self) -> str:
        """Return the check as a line of text."""
        change = f"{100 * self.change:+.1f} %"
        between = f" ({100 * self.low:+.1f} to {100 * self.high:+.1f})" if self.low != self.high else ""
        return f"{'FELL' if self.fell else 'held'}  {self.what}: {self.before:g} -> {self.now:g}, {change}{between}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """All checks against one baseline; `worst` are the queries that fell the most, `notes` what was not compared."""

    margin: float
    checks: tuple[Check, ...]
    worst: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def fallen(self) -> tuple[Check, ...]:
        """What fell."""
        return tuple(check for check in self.checks if check.fell)

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as plain JSON values."""
        return {
            "passed": not self.fallen,
            "margin": self.margin,
            "checks": [asdict(check) for check in self.checks],
            "worst": list(self.worst),
            "notes": list(self.notes),
        }

    def lines(self) -> Iterator[str]:
        """Yield the verdict as text."""
        outcome = f"{len(self.fallen)} of {len(self.checks)} figures fell" if self.fallen else "nothing fell"
        yield f"gate: {outcome} by more than {100 * self.margin:g} %"
        shown = [check for check in self.checks if check.fell or check.change]
        yield from (f"  {check.line()}" for check in sorted(shown, key=lambda check: not check.fell))
        yield from (f"  fell most: {query}" for query in (self.worst if self.fallen else ()))
        yield from (f"  note: {note}" for note in self.notes)


def read_baseline(file: Path) -> dict[str, Any]:
    """Read the `--json` output of an earlier evaluation; UsageError for anything else."""
    try:
        value = json.loads(file.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}): give the --json output of an earlier run") from None
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict) or not {"suite", "records", "sizes", "cost", "sources"} <= set(value):
        raise UsageError(f"{file} is no evaluation: give the --json output of an earlier run of the same suite")
    return value


def judge(before: Mapping[str, Any], now: Mapping[str, Any], margin: float) -> Verdict:
    """Compare two evaluations of one suite, as `Evaluation.to_json` gives them; UsageError where they have nothing in common."""
    if before["suite"] != now["suite"]:
        raise UsageError(f"the baseline is of the suite {before['suite']} and this is {now['suite']}: gate like with like")
    then = {record["id"]: record for record in before["records"]}
    pairs = [(then[record["id"]], record) for record in now["records"] if record["id"] in then]
    if not pairs:
        raise UsageError("the baseline and this run have no query in common: make a new baseline")
    notes = []
    if len(pairs) < max(len(then), len(now["records"])):
        notes.append(f"{len(pairs)} queries are compared, of {len(then)} then and {len(now['records'])} now")
    checks = [*_quality(pairs, margin), _cost(before, now, margin)]
    if before["sources"] == now["sources"]:
        checks += _sizes(before["sizes"], now["sizes"], margin)
    else:
        notes.append("the indexed commits differ, so bytes are not compared")
    return Verdict(margin=margin, checks=tuple(checks), worst=tuple(_worst(pairs)), notes=tuple(notes))


def _quality(pairs: list[tuple[Any, Any]], margin: float) -> Iterator[Check]:
    for metric in METRICS:
        old, new = ([record["scores"][OURS][metric] for record in column] for column in zip(*pairs, strict=True))
        found = relative_interval(new, old)
        yield Check(
            what=metric,
            before=_mean(old),
            now=_mean(new),
            change=found.mean,
            low=found.low,
            high=found.high,
            fell=found.high < -margin,
        )


def _cost(before: Mapping[str, Any], now: Mapping[str, Any], margin: float) -> Check:
    """Compare the CPU of a search over that of plain BM25, measured in the same run."""
    old, new = before["cost"]["ratio_to_bm25"], now["cost"]["ratio_to_bm25"]
    changes = [a / b - 1 for a, b in itertools.product(new, old)]
    low, high = round(min(changes), 6), round(max(changes), 6)
    first, second = sorted(old)[len(old) // 2], sorted(new)[len(new) // 2]
    return Check(
        what="CPU of a query over plain BM25",
        before=first,
        now=second,
        change=round(second / first - 1, 6),
        low=low,
        high=high,
        fell=low > margin,
    )


def _sizes(before: Mapping[str, int], now: Mapping[str, int], margin: float) -> Iterator[Check]:
    for name in sorted({*before, *now}):
        old, new = before.get(name, 0), now.get(name, 0)
        change = round(new / old - 1, 6) if old else float(new > 0)
        yield Check(
            what=f"bytes of {name}",
            before=old,
            now=new,
            change=change,
            low=change,
            high=change,
            fell=change > margin and new - old > LEAST_BYTES,
        )


def _worst(pairs: list[tuple[Any, Any]]) -> Iterator[str]:
    def drop(pair: tuple[Any, Any]) -> float:
        return float(pair[1]["scores"][OURS]["ndcg_10"] - pair[0]["scores"][OURS]["ndcg_10"])

    for pair in sorted(pairs, key=lambda pair: (drop(pair), pair[0]["id"]))[:_WORST]:
        if drop(pair) < 0:
            yield f"{pair[1]['query']} (ndcg_10 {drop(pair):+.3f})"


def _mean(values: list[float]) -> float:
    return round(sum(values) / len(values), 6)
