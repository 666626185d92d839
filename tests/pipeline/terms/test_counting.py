"""Terms by symbol and field: by value, and against the slow way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.terms.counting import Counts, count
from codequarry.pipeline.terms.lexicon import Lexicon
from codequarry.schemas.tables import SYMBOL_FIELDS
from hypothesis import given
from hypothesis import strategies as st

from ..counted import FieldCounts, file_counts, held, name_parts, symbol_counts
from ..made import file, files, symbol

CLASS = "class Queue(Base):\n    limit = 3\n    def push_back(self, item):\n        grow(item)\n\nafter = 1\n"


def by_owner(counts: Counts) -> list[FieldCounts]:
    """Return the postings of every owner as counters."""
    ends = np.cumsum(counts.symbols.counts)
    return [_fields(counts, int(end - n), int(end)) for end, n in zip(ends, counts.symbols.counts, strict=True)]


def _fields(counts: Counts, start: int, stop: int) -> FieldCounts:
    terms = [counts.vocabulary[t] for t in counts.symbols.terms[start:stop]]
    assert terms == sorted(set(terms), key=str.encode)
    planes = counts.symbols.planes[:, start:stop].tolist()
    return {f: +Counter(dict(zip(terms, plane, strict=True))) for f, plane in zip(SYMBOL_FIELDS, planes, strict=True)}


def test_a_class_and_its_method() -> None:
    start = CLASS.index("def")
    body = CLASS.index("grow")
    end = CLASS.index("\n\nafter")
    facts = file(
        CLASS,
        symbol("Queue", 0, end, body_start=CLASS.index("limit"), signature="class Queue(Base)", doc="A queue."),
        symbol("push_back", start, end, body_start=body, parent=0, qualified_name="Queue.push_back"),
    )
    nobody, queue, push = by_owner(count([facts], Lexicon()))
    assert nobody == {field: {} for field in SYMBOL_FIELDS}
    assert queue["name"] == {"queue": 1}
    assert queue["signature"] == {"class": 1, "queue": 1, "base": 1}
    assert queue["doc"] == {"a": 1, "queue": 1}
    assert queue["body"] == {"limit": 1, "3": 1, "def": 1, "push": 1, "back": 1, "pushback": 1, "self": 1, "item": 1}
    assert push["name"] == {"push": 1, "back": 1, "pushback": 1}
    assert push["container"] == {"queue": 1}
    assert push["body"] == {"grow": 1, "item": 1}


def test_a_file_counts_all_of_its_text_once() -> None:
    facts = file(CLASS, symbol("Queue", 0, 30, body_start=18), symbol("Queue", 40, 60))
    counts = count([facts], Lexicon())
    text = dict(zip((counts.vocabulary[t] for t in counts.files.terms), counts.files.planes[1].tolist(), strict=True))
    assert text["item"] == 2
    assert text["queue"] == 1
    assert text["after"] == 1
    assert counts.file_lengths[1].tolist() == [sum(text.values())]


def test_frequencies_are_capped_and_lengths_are_not() -> None:
    facts = file("x " * 300, symbol("f", 0, 600, body_start=0))
    counts = count([facts], Lexicon())
    assert by_owner(counts)[1]["body"] == {"x": 255}
    assert counts.symbol_lengths[SYMBOL_FIELDS.index("body")].tolist() == [0, 300]
    assert counts.file_lengths.tolist() == [[1], [300]]


def test_joined_forms_are_terms_of_a_name_but_not_parts() -> None:
    counts = count([file("", symbol("notify_one", 0, 0), symbol("run_runs", 0, 0))], Lexicon())
    assert counts.name_parts.tolist() == [0, 2, 1]
    assert counts.symbol_lengths[0].tolist() == [0, 3, 3]


def test_a_symbol_without_body_belongs_to_its_parent() -> None:
    text = "struct S { one: u8 }  impl S { fn two(); }"
    inner = text.index("fn two")
    facts = file(
        text,
        symbol("S", 0, 20, body_start=9),
        symbol("two", inner, inner + 9, parent=0, qualified_name="S.two"),
    )
    counts = count([facts], Lexicon())
    assert by_owner(counts)[1]["body"] == {"one": 1, "u": 1, "8": 1, "u8": 1, "fn": 1, "two": 1}
    assert by_owner(counts)[2]["body"] == {}


def test_a_nul_in_a_name_or_a_text_separates_words() -> None:
    counts = count([file("a\0b c", symbol("x\0y", 0, 5, body_start=0, doc="\0"), symbol("z", 5, 5))], Lexicon())
    assert [owner["name"] for owner in by_owner(counts)] == [{}, {"x": 1, "y": 1}, {"z": 1}]
    assert by_owner(counts)[1]["body"] == {"a": 1, "b": 1, "c": 1}


def test_no_files_and_no_text() -> None:
    assert count([], Lexicon()).vocabulary == []
    counts = count([file(None), file("")], Lexicon())
    assert counts.symbols.counts.tolist() == [0, 0]
    assert counts.files.counts.tolist() == [0, 0]


@given(st.lists(files(), max_size=3))
def test_equals_the_slow_way(facts: Sequence[FileFacts]) -> None:
    counts = count(facts, Lexicon())
    assert counts.vocabulary == sorted(set(counts.vocabulary), key=str.encode)
    owners = iter(by_owner(counts))
    lengths = iter(counts.symbol_lengths.T.tolist())
    parts = iter(counts.name_parts.tolist())
    for one in facts:
        assert all(not c for c in next(owners).values())
        assert (next(lengths), next(parts)) == ([0] * len(SYMBOL_FIELDS), 0)
        for fact, wanted in zip(one.symbols, symbol_counts(one), strict=True):
            assert next(owners) == wanted
            assert next(lengths) == [wanted[field].total() for field in SYMBOL_FIELDS]
            assert next(parts) == name_parts(fact)


@given(st.lists(files(), max_size=3))
def test_files_equal_the_slow_way(facts: Sequence[FileFacts]) -> None:
    counts = count(facts, Lexicon())
    ends = np.cumsum(counts.files.counts)
    for i, (one, end, n) in enumerate(zip(facts, ends, counts.files.counts, strict=True)):
        rows = range(end - n, end)
        terms = [counts.vocabulary[counts.files.terms[k]] for k in rows]
        wanted, symbols = file_counts(one), symbol_counts(one)
        assert terms == sorted(set(terms), key=str.encode)
        planes = counts.files.planes[:, end - n : end].tolist()
        for plane, field, length in zip(planes, ("names", "text"), counts.file_lengths[:, i].tolist(), strict=True):
            assert +Counter(dict(zip(terms, plane, strict=True))) == wanted[field]
            assert length == wanted[field].total()
        holders = {t: int(counts.files.holders[k]) for t, k in zip(terms, rows, strict=True)}
        assert +Counter(holders) == Counter(t for s in symbols for t in held(s))


@given(st.lists(files(), min_size=1, max_size=3))
def test_does_not_depend_on_what_the_lexicon_has_read(facts: Sequence[FileFacts]) -> None:
    used = Lexicon()
    count(facts[::-1], used)
    assert _plain(count(facts, Lexicon())) == _plain(count(facts, used))


def _plain(counts: Counts) -> list[Any]:
    """Return all arrays as lists."""
    arrays = (*counts.symbols, counts.symbol_lengths, counts.name_parts, *counts.files, counts.file_lengths)
    return [counts.vocabulary, *(array.tolist() for array in arrays)]
