"""Stems: Snowball English, the same in every thread."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from codequarry.query.stems import stem
from hypothesis import given
from hypothesis import strategies as st


def test_by_value() -> None:
    words = ["running", "runs", "generously", "skies", "ties", "größe", "漢字", "utf8", "", "x"]
    assert stem(words) == ["run", "run", "generous", "sky", "tie", "größe", "漢字", "utf8", "", "x"]


def test_threads_do_not_disturb_each_other() -> None:
    words = [f"{w}{i}" for i in range(500) for w in ("running", "nationally", "happiness")]
    with ThreadPoolExecutor(4) as pool:
        assert all(found == stem(words) for found in pool.map(stem, [words] * 16))


@given(st.lists(st.text(st.characters(codec="utf-8"))))
def test_one_stem_a_term(terms: list[str]) -> None:
    assert stem(terms) == [s for term in terms for s in stem([term])]
