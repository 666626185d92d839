"""Ranges of places: whole, in order, and as large as they may be; tables that are made by ranges do not show it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from codequarry.pipeline.merge import edges, neighbors
from codequarry.pipeline.merge.placing import ranges
from hypothesis import given
from hypothesis import strategies as st

from .built import SHOP, build, facts


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(1, 20), st.integers(1, 40))
def test_ranges_cover_all_places_and_are_bounded(counts: list[int], most: int, widest: int) -> None:
    found = list(ranges(np.array(counts, np.int64), most, widest))
    assert [place for low, high in found for place in range(low, high)] == list(range(len(counts)))
    for low, high in found:
        assert high - low == 1 or (sum(counts[low:high]) <= most and high - low <= widest)
    for (low, high), (_, after) in pairwise(found):  # nothing more would have fitted
        assert high - low == widest or sum(counts[low : high + 1]) > most or after == high


def test_ranges_do_not_show_in_the_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repos = {"shop": facts(SHOP), "other": facts(SHOP)}
    whole = build(tmp_path / "whole", repos)
    monkeypatch.setattr(neighbors, "_ENDS", 1)
    monkeypatch.setattr(neighbors, "_POSTINGS", 2)
    monkeypatch.setattr(edges, "_ROWS", 2)
    assert build(tmp_path / "pieces", repos).digests() == whole.digests()
    assert {row["term"] for row in whole.rows("neighbor_terms")} >= {"checkout"}
    assert len(whole.rows("edges_in")) > 4
