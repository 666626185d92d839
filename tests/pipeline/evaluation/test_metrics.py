"""Measures by hand, and equal to those of ir-measures."""

from __future__ import annotations

import math

import ir_measures
import pytest
from codequarry.pipeline.evaluation.metrics import DEPTH, measure, ndcg, recall, reciprocal_rank
from hypothesis import given, settings
from hypothesis import strategies as st

NAMES = [f"d{i}" for i in range(14)]
GOLD = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 3), min_size=1).filter(lambda gold: any(gold.values()))
RANKED = st.lists(st.sampled_from(NAMES), unique=True)
THEIRS = {
    "mrr": ir_measures.RR,
    "ndcg_10": ir_measures.nDCG @ 10,
    "recall_5": ir_measures.R @ 5,
    "recall_10": ir_measures.R @ 10,
    "hit_1": ir_measures.Success @ 1,
    "hit_10": ir_measures.Success @ 10,
}


@settings(max_examples=150)
@given(RANKED.filter(bool), GOLD)
def test_measures_equal_those_of_ir_measures(ranked: list[str], gold: dict[str, int]) -> None:
    run = {"q": {name: float(-place) for place, name in enumerate(ranked)}}
    theirs = ir_measures.calc_aggregate(list(THEIRS.values()), {"q": gold}, run)
    ours = measure(ranked, gold)
    assert ours == {name: pytest.approx(theirs[value], abs=1e-9) for name, value in THEIRS.items()}


def test_values_by_hand() -> None:
    gold = {"a": 3, "b": 1}
    assert reciprocal_rank(["x", "b", "a"], gold) == 0.5
    assert ndcg(["x", "b", "a"], gold, 10) == pytest.approx((1 / math.log2(3) + 3 / 2) / (3 + 1 / math.log2(3)))
    assert ndcg(["x", "b", "a"], gold, 1) == 0.0
    assert recall(["x", "b", "a"], gold, 2) == 0.5


def test_nothing_found_and_nothing_judged_are_worth_nothing() -> None:
    assert set(measure([], {"a": 1}).values()) == {0.0}
    assert set(measure(["a"], {}).values()) == {0.0}


def test_nobody_reads_beyond_the_depth() -> None:
    ranked = [f"x{i}" for i in range(DEPTH)]
    assert measure([*ranked[:-1], "a"], {"a": 1})["mrr"] == 1 / DEPTH
    assert measure([*ranked, "a"], {"a": 1})["mrr"] == 0.0
