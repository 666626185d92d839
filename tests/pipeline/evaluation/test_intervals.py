"""Bootstrap intervals."""

from __future__ import annotations

from codequarry.pipeline.evaluation.intervals import Interval, mean_interval, paired_interval, relative_interval
from hypothesis import given
from hypothesis import strategies as st

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(VALUES)
def test_an_interval_is_around_its_mean_and_always_the_same(values: list[float]) -> None:
    found = mean_interval(values)
    assert found == mean_interval(values)
    assert min(values) - 1e-6 <= found.low <= found.mean + 1e-6
    assert found.mean - 1e-6 <= found.high <= max(values) + 1e-6


def test_values_that_are_all_equal_leave_no_doubt() -> None:
    assert mean_interval([0.25] * 8) == Interval(0.25, 0.25, 0.25)
    assert mean_interval([]) == Interval(0.0, 0.0, 0.0)


def test_pairs_leave_out_how_hard_questions_are() -> None:
    hard_and_easy = [i / 100 for i in range(100)]
    better = [value + 0.01 for value in hard_and_easy]
    found = paired_interval(better, hard_and_easy)
    assert found == Interval(0.01, 0.01, 0.01)
    assert found.excludes_zero
    assert not paired_interval(hard_and_easy, hard_and_easy[::-1]).excludes_zero


def test_the_interval_of_a_coin_is_that_of_the_textbook() -> None:
    found = mean_interval([0.0, 1.0] * 50)  # 1.96 * sqrt(.25 / 100) = .098
    assert abs(found.low - 0.402) < 0.012
    assert abs(found.high - 0.598) < 0.012


def test_a_share_is_of_what_there_was() -> None:
    assert relative_interval([0.5] * 4, [1.0] * 4) == Interval(-0.5, -0.5, -0.5)
    assert relative_interval([0.5], [0.0]) == Interval(0.0, 0.0, 0.0)
    found = relative_interval([0.0, 1.0] * 10, [1.0, 1.0] * 10)
    assert found.mean == -0.5
    assert -0.8 < found.low < -0.6
    assert -0.4 < found.high < -0.2
