"""Tests of the budgets."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.extract._limits import nesting
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "depth"),
    [("", 0), ("()[]{}", 1), ("([{}])", 3), (")))(", 0), ("((", 2), ("(a[b]{c})(", 2), ("({" * 9 + "})" * 9, 18)],
)
def test_nesting(text: str, depth: int) -> None:
    assert nesting(text.encode(), 0) == depth


def test_nesting_stops_counting_where_it_cannot_matter() -> None:
    assert nesting(b"()()()", 10) == 3


@given(st.text(alphabet="()[]{}x", max_size=200))
def test_nesting_is_the_largest_balance(text: str) -> None:
    balance, largest = 0, 0
    for char in text:
        balance += (char in "([{") - (char in ")]}")
        largest = max(largest, balance)
    assert nesting(text.encode(), 0) == largest


def test_too_deep_a_file_is_searched_as_text_and_by_lines() -> None:
    text = "x = " + "[" * 50 + "]" * 50 + "\n\n\ndef after():\n    return 1\n"
    facts = file_facts(text.encode(), "python", "a.py", Limits(max_depth=49))
    assert (facts.status, facts.reason, facts.text) == ("partial", "too_deep", text)
    assert [(s.kind, s.name, s.start_line, s.end_line) for s in facts.symbols] == [("function", "after", 4, 5)]
    assert file_facts(text.encode(), "python", "a.py", Limits(max_depth=50)).status == "indexed"


def test_text_kept_of_a_symbol_is_limited() -> None:
    text = "# " + "word " * 100 + "\ndef f(" + "a, " * 100 + "b): ...\n"
    (symbol,) = file_facts(text.encode(), "python", "a.py", Limits(max_doc=30, max_signature=20)).symbols
    assert len(symbol.doc) <= 30
    assert len(symbol.signature) <= 20


def test_only_the_first_symbols_of_a_file_are_kept() -> None:
    text = "".join(f"def f{i}(): ...\n" for i in range(10))
    facts = file_facts(text.encode(), "python", "a.py", Limits(max_symbols=7))
    assert (facts.status, facts.reason) == ("partial", "parse_failed: budget")
    assert [s.name for s in facts.symbols] == [f"f{i}" for i in range(7)]
    assert file_facts(text.encode(), "python", "a.py", Limits(max_symbols=10)).status == "indexed"
