"""The decision of the gate, on figures by hand and on recorded ones."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from codequarry.pipeline.evaluation.gate import judge, read_baseline
from codequarry.schemas.errors import UsageError
from hypothesis import given
from hypothesis import strategies as st

RECORDED = json.loads((Path(__file__).parent / "recorded_gate.json").read_text("utf-8"))
"""What scripts/bench/gate.py measured on a public repository of 60 questions: the baseline, and of every run what differed."""


def evaluation(scores: list[float], ratios: list[float] | None = None, **sizes: int) -> dict[str, Any]:
    values = [dict.fromkeys(("mrr", "ndcg_10", "recall_5", "recall_10"), score) for score in scores]
    return {
        "suite": "queries",
        "sources": [{"repo": "shop", "commit": "1"}],
        "records": [{"id": str(i), "query": f"query {i}", "scores": {"codequarry": v}} for i, v in enumerate(values)],
        "cost": {"ratio_to_bm25": ratios or [20.0, 21.0, 20.5, 20.2, 20.9]},
        "sizes": {"symbols": 100_000, **sizes},
    }


def fallen(before: dict[str, Any], now: dict[str, Any], margin: float = 0.1) -> list[str]:
    return [check.what for check in judge(before, now, margin).fallen]


@pytest.mark.parametrize("run", RECORDED["runs"], ids=lambda run: run["run"])
def test_recorded_runs_are_judged_as_they_were(run: dict[str, Any]) -> None:
    found = fallen(RECORDED["baseline"], {**RECORDED["baseline"], **run["value"]}, run["margin"] / 100)
    assert found == run["fell"]
    assert bool(found) is not run["run"].startswith("unchanged")


def test_the_record_holds_all_there_is_to_catch() -> None:
    assert sum(run["run"].startswith("unchanged") for run in RECORDED["runs"]) == 20
    falls = {what for run in RECORDED["runs"] for what in run["fell"]}
    assert {"CPU of a query over plain BM25", "bytes of symbols", "ndcg_10"} <= falls


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20), st.lists(st.floats(1, 50), min_size=5, max_size=5))
def test_what_did_not_change_never_falls(scores: list[float], ratios: list[float]) -> None:
    assert fallen(evaluation(scores, ratios), evaluation(scores, ratios)) == []


def test_quality_falls_when_the_whole_interval_is_beyond_the_margin() -> None:
    before = evaluation([1.0] * 40)
    assert fallen(before, evaluation([0.85] * 40)) == ["mrr", "ndcg_10", "recall_5", "recall_10"]
    assert fallen(before, evaluation([0.95] * 40)) == []
    assert fallen(before, evaluation([0.85] * 40), margin=0.2) == []
    assert fallen(before, evaluation([0.0] * 5 + [1.0] * 35)) == []  # 12 % less on average, but it rests on five questions


def test_cpu_falls_when_the_best_round_now_is_beyond_the_worst_then() -> None:
    before = evaluation([1.0], [20.0, 21.0, 22.0, 21.0, 20.5])
    assert fallen(before, evaluation([1.0], [24.5, 26.0, 25.0, 27.0, 25.5])) == ["CPU of a query over plain BM25"]
    assert fallen(before, evaluation([1.0], [24.0, 30.0, 30.0, 30.0, 30.0])) == []


def test_bytes_fall_table_by_table_unless_it_is_less_than_a_page() -> None:
    before = evaluation([1.0], vectors=20_000)
    assert fallen(before, evaluation([1.0], vectors=25_000)) == ["bytes of vectors"]
    assert fallen(before, evaluation([1.0], vectors=24_000)) == []
    assert fallen(before, evaluation([1.0], vectors=0, extra=9_000)) == ["bytes of extra"]


def test_other_commits_have_other_bytes() -> None:
    before, now = evaluation([1.0]), evaluation([1.0], symbols=200_000)
    now["sources"] = [{"repo": "shop", "commit": "2"}]
    verdict = judge(before, now, 0.1)
    assert verdict.fallen == ()
    assert verdict.notes == ("the indexed commits differ, so bytes are not compared",)


def test_only_common_queries_are_compared() -> None:
    verdict = judge(evaluation([1.0] * 3), evaluation([1.0] * 2), 0.1)
    assert verdict.notes == ("2 queries are compared, of 3 then and 2 now",)
    other = evaluation([1.0])
    other["records"][0]["id"] = "other"
    with pytest.raises(UsageError, match="no query in common"):
        judge(evaluation([1.0]), other, 0.1)
    with pytest.raises(UsageError, match="the suite docs and this is queries"):
        judge({**evaluation([1.0]), "suite": "docs"}, evaluation([1.0]), 0.1)


def test_what_fell_is_said() -> None:
    text = "\n".join(judge(evaluation([1.0] * 9), evaluation([0.5] * 9), 0.1).lines())
    assert "gate: 4 of 6 figures fell by more than 10 %" in text
    assert "FELL  mrr: 1 -> 0.5, -50.0 %" in text
    assert "fell most: query 0 (ndcg_10 -0.500)" in text
    assert next(judge(evaluation([1.0]), evaluation([1.0]), 0.1).lines()) == "gate: nothing fell by more than 10 %"


def test_a_verdict_is_plain_json() -> None:
    verdict = judge(evaluation([1.0] * 9), evaluation([0.5] * 9), 0.1)
    assert json.loads(json.dumps(verdict.to_json()))["passed"] is False


def test_a_baseline_is_an_evaluation(tmp_path: Path) -> None:
    file = tmp_path / "base.json"
    with pytest.raises(UsageError, match="cannot be read"):
        read_baseline(file)
    for text in ("[", "[]", '{"suite": "queries"}'):
        file.write_text(text)
        with pytest.raises(UsageError, match="is no evaluation"):
            read_baseline(file)
    value = evaluation([1.0])
    file.write_text(json.dumps(value))
    assert read_baseline(file) == copy.deepcopy(value)
