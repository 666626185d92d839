"""Stores of made-up code, which the benchmarks search, are whole."""

from __future__ import annotations

from pathlib import Path

from codequarry.query import open_index
from codequarry.query.verify import verify

from ._script import script

synthetic = script("bench/synthetic")


def test_a_small_store_is_whole_and_can_be_searched(tmp_path: Path) -> None:
    corpus = synthetic.make_corpus(500)
    synthetic.publish(corpus, tmp_path)
    assert verify(tmp_path).faults == ()
    with open_index(tmp_path) as index:
        hits = index.search(corpus.names[0]).results
        assert corpus.names[0] in {hit.name for hit in hits}
