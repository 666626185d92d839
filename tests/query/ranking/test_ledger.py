"""The parts of a score always add up to it."""

from __future__ import annotations

import numpy as np
from codequarry.query.ranking.ledger import DIGITS, Ledger, norm
from hypothesis import given
from hypothesis import strategies as st

steps = st.lists(
    st.tuples(st.booleans(), st.sampled_from("abc"), st.lists(st.floats(-4, 4), min_size=3, max_size=3)), max_size=12
)


@given(steps)
def test_parts_add_up(applied: list[tuple[bool, str, list[float]]]) -> None:
    ledger, expected = Ledger(3), np.zeros(3)
    for is_factor, name, amounts in applied:
        amount = np.array(amounts)
        if is_factor:
            ledger.scale(name, amount)
            expected = expected * amount
        else:
            ledger.add(name, amount)
            expected = expected + amount
    np.testing.assert_allclose(ledger.total, expected, rtol=1e-9, atol=1e-9)
    scores = ledger.rounded()
    for i in range(3):
        parts = ledger.parts(i)
        assert abs(sum(parts.values()) - scores[i]) < 10**-DIGITS * max(1.0, abs(scores[i]) * 1e3)
        assert all(parts.values())


def test_scores_have_no_negative_zero() -> None:
    ledger = Ledger(1)
    ledger.add("a", np.array([-1e-12]))
    assert str(ledger.rounded()[0]) == "0.0"


def test_norm() -> None:
    assert norm(np.array([1.0, 4.0, -2.0])).tolist() == [0.25, 1.0, -0.5]
    assert norm(np.array([0.0, -2.0])).tolist() == [0.0, 0.0]
    assert norm(np.zeros(0)).tolist() == []
