"""The baselines on a store whose figures can be worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from codequarry.pipeline.evaluation.baselines import K1, B, Bm25, Bm25Walk, Grep, query_terms
from codequarry.pipeline.evaluation.corpus import Corpus
from codequarry.query.store import open_snapshot

from ...query.stores import EdgeSpec, FileSpec, SymbolSpec, build_store

_A = "def open_cart():\n    return close()\n"
_B = "def close():\n    pass\n\n\ndef other():\n    pass\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Two files: `open_cart` calls `close`, and nothing is about `other`."""
    out = tmp_path_factory.mktemp("baselines") / "store"
    build_store(
        out,
        {
            "shop": [
                FileSpec(path="a.py", text=_A, symbols=(SymbolSpec(name="open_cart", lines=(1, 2)),)),
                FileSpec(
                    path="b.py",
                    text=_B,
                    symbols=(SymbolSpec(name="close", lines=(1, 2)), SymbolSpec(name="other", lines=(5, 6))),
                ),
            ]
        },
        edges=[EdgeSpec(src="open_cart", dst="close")],
    )
    return Corpus(open_snapshot(out))


def test_terms_are_those_of_all_fields(corpus: Corpus) -> None:
    terms = corpus.terms
    held = slice(*terms.starts[terms.vocabulary["close"] :][:2])
    found = dict(zip(terms.documents[held].tolist(), terms.counts[held].tolist(), strict=True))
    assert [row.name for row in corpus.rows] == [None, "open_cart", None, "close", "other"]
    assert set(found) == {0, 1, 2, 3}
    assert found[0] == found[2] == 1


def test_bm25_is_the_formula(corpus: Corpus) -> None:
    terms, lexical = corpus.terms, Bm25(corpus)
    place = terms.vocabulary["cart"]
    held = range(*terms.starts[place : place + 2].tolist())
    idf = math.log(1 + (corpus.size - len(held) + 0.5) / (len(held) + 0.5))
    average = terms.lengths.sum() / corpus.size
    expected = np.zeros(corpus.size)
    for i in held:
        spread = K1 * (1 - B + B * terms.lengths[terms.documents[i]] / average)
        expected[terms.documents[i]] = idf * terms.counts[i] * (K1 + 1) / (terms.counts[i] + spread)
    assert lexical.scores(["cart", "unheard"]) == pytest.approx(expected)
    assert [row.path for row in lexical.search("the cart", 5)] == ["a.py", "a.py"]
    assert lexical.search("unheard", 5) == []


def test_a_walk_reaches_what_is_called(corpus: Corpus) -> None:
    lexical = Bm25(corpus)
    assert "close" not in {row.name for row in lexical.search("cart", 5)}
    assert "close" in {row.name for row in Bm25Walk(lexical).search("cart", 5)}
    assert Bm25Walk(lexical).search("unheard", 5) == []


def test_grep_takes_any_part_of_a_word(corpus: Corpus) -> None:
    found = Grep(corpus).search("lose pen_c", 5)
    assert [row.name for row in found] == ["open_cart", "close", None, None]
    assert Grep(corpus).search("x", 5) == []


def test_stop_words_count_where_there_is_nothing_else() -> None:
    assert query_terms("open the carts") == ["open", "cart"]
    assert query_terms("what is this") == ["what", "is", "this"]
