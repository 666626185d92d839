"""BM25F impacts equal the formula, within their rounding."""

from __future__ import annotations

import numpy as np
from codequarry.query.readers.impacts import ONE, impacts
from hypothesis import given
from hypothesis import strategies as st

WEIGHTS, B, AVERAGES, K1 = (6.0, 0.0, 0.15), (0.75, 0.75, 0.6), (2.0, 3.0, 40.0), 1.2

field = st.tuples(st.integers(0, 255), st.integers(0, 65535))


@given(st.lists(st.tuples(field, field, field), min_size=1, max_size=20))
def test_the_formula(documents: list[tuple[tuple[int, int], ...]]) -> None:
    planes = [np.array([d[i][0] for d in documents], np.uint8) for i in range(3)]
    lengths = [np.array([d[i][1] for d in documents], np.uint16) for i in range(3)]
    found = impacts(planes, lengths, AVERAGES, WEIGHTS, B, K1)
    assert found.dtype == np.uint16
    for document, impact in zip(documents, found.tolist(), strict=True):
        frequency = sum(
            w * tf / (1 - b + b * length / average)
            for (tf, length), w, b, average in zip(document, WEIGHTS, B, AVERAGES, strict=True)
        )
        exact = frequency / (K1 + frequency) * ONE
        assert abs(impact - exact) <= 0.5 + exact * 1e-5 or (impact == 1 and 0 < exact < 1)
        assert (impact == 0) == (frequency == 0)


def test_a_field_without_length_divides_by_nothing() -> None:
    one = [np.ones(1, np.uint8)] * 3
    assert 0 < impacts(one, one, (0.0, 0.0, 0.0), WEIGHTS, B, K1)[0] < ONE
