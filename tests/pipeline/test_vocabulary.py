"""Unions of vocabularies."""

from __future__ import annotations

import pyarrow as pa
from codequarry.pipeline.vocabulary import unify
from hypothesis import given
from hypothesis import strategies as st

TERMS = st.lists(st.sampled_from(["a", "b", "", "ab", "é", "漢字", "\U0001f6d2", "z"]), max_size=6)


@given(st.lists(TERMS, max_size=5))
def test_sorted_by_bytes_and_every_term_at_its_place(columns: list[list[str]]) -> None:
    union, places = unify([pa.chunked_array([pa.array(column, pa.string())]) for column in columns])
    terms = union.to_pylist()
    assert terms == sorted({term for column in columns for term in column}, key=lambda term: str(term).encode())
    assert [[terms[p] for p in place] for place in places] == columns
