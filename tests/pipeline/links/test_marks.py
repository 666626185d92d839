"""Marks as bytes."""

from __future__ import annotations

from codequarry.pipeline.links.marks import FORMS, Mark, decode, encode
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.lists(st.builds(Mark, st.sampled_from(FORMS), TEXTS, st.integers(1, 2**31 - 1)), min_size=1))
def test_round_trip(marks: list[Mark]) -> None:
    data = encode(marks)
    assert data is not None
    assert decode(data) == tuple(marks)


def test_no_marks_are_no_bytes() -> None:
    assert encode(()) is None
