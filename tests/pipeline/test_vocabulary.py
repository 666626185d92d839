"""The union of vocabularies, and what the places in it mean."""

from __future__ import annotations

import pyarrow as pa
import pytest
from codequarry.pipeline.vocabulary import unify


def _column(*chunks: list[str]) -> pa.ChunkedArray:  # type: ignore[type-arg]  # the stubs' parameter is no run-time one
    return pa.chunked_array([pa.array(chunk, pa.string()) for chunk in chunks], pa.string())


def test_places_lead_to_the_same_terms_in_the_order_of_bytes() -> None:
    terms, places = unify([_column(["b", "é"]), _column(["a", "b"])])
    assert terms.to_pylist() == ["a", "b", "é"]
    assert [place.tolist() for place in places] == [[1, 2], [0, 1]]


@pytest.mark.parametrize("empty", [_column(), _column([])])
def test_a_vocabulary_without_terms_keeps_its_place_in_the_row(empty: pa.ChunkedArray) -> None:  # type: ignore[type-arg]
    terms, places = unify([_column(["b"]), empty, _column(["a"])])
    assert terms.to_pylist() == ["a", "b"]
    assert [place.tolist() for place in places] == [[1], [], [0]]


def test_no_vocabularies_make_none() -> None:
    terms, places = unify([])
    assert terms.to_pylist() == []
    assert places == []
