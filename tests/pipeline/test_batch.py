"""Batches: what goes in comes out, and cutting or joining batches changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise

from codequarry.pipeline.batch import FactsBatch, concatenate, cut, decode, encode, facts_batch
from codequarry.pipeline.facts import FileFacts
from hypothesis import given
from hypothesis import strategies as st

from .made import file, files, symbol


def same(left: FactsBatch, right: FactsBatch) -> bool:
    """Say whether two batches hold the same rows under the same schemas."""
    return all(
        getattr(left, f.name).combine_chunks().equals(getattr(right, f.name).combine_chunks()) for f in fields(FactsBatch)
    )


def test_columns_by_value() -> None:
    text = "class A:\n    def f(self): pass\n"
    facts = file(
        text,
        symbol("A", 0, 30, body_start=8, kind="class", doc="An A.", signature="class A", end_line=2),
        symbol("f", 13, 30, body_start=26, parent=0, qualified_name="A.f", start_line=2, end_line=2, name_line=2,
               visibility="private", is_test=True, decorators=("a", "b.c")),
        doc="The module.",
        status="partial",
        reason="parse_errors",
    )  # fmt: skip
    batch = facts_batch([facts, file(None)])
    first, skipped = batch.files.to_pylist()
    assert (first["status"], first["reason"]) == ("partial", "parse_errors")
    assert (first["language"], first["encoding"]) == ("python", "utf-8")
    assert (first["lines"], first["text"], first["symbols"], first["generated"]) == (3, text, 3, False)
    assert (skipped["text"], skipped["lines"], skipped["symbols"], skipped["file_postings"]) == (None, None, 1, 0)
    whole, outer, inner, other = batch.symbols.to_pylist()
    assert (whole["kind"], whole["name"], whole["qualified_name"], whole["doc"]) == ("file", "", None, "The module.")
    assert (whole["start_line"], whole["end_line"], whole["start_byte"], whole["end_byte"]) == (1, 3, 0, len(text))
    assert (outer["kind"], outer["signature"], outer["parent"], outer["decorators"]) == ("class", "class A", None, None)
    assert (inner["parent"], inner["qualified_name"], inner["doc"], inner["decorators"]) == (1, "A.f", None, "a b.c")
    assert (inner["visibility"], inner["is_test"], inner["name_length"], inner["name_parts"]) == ("private", True, 1, 1)
    assert (other["kind"], other["end_line"], other["end_byte"], other["visibility"]) == ("file", 1, 0, "public")


@given(st.lists(files(), max_size=4))
def test_encoding_is_the_inverse_of_decoding(facts: Sequence[FileFacts]) -> None:
    assert same(decode(encode(facts)), facts_batch(facts))


@given(st.lists(files(), max_size=5), st.lists(st.integers(0, 5), max_size=3))
def test_joined_batches_equal_one(facts: Sequence[FileFacts], places: list[int]) -> None:
    bounds = [0, *sorted(min(p, len(facts)) for p in places), len(facts)]
    pieces = [facts_batch(facts[start:stop]) for start, stop in pairwise(bounds)]
    assert same(concatenate(pieces), facts_batch(facts))


@given(st.lists(files(), max_size=5), st.lists(st.integers(0, 5), max_size=3))
def test_cut_pieces_joined_again(facts: Sequence[FileFacts], places: list[int]) -> None:
    whole = facts_batch(facts)
    bounds = [0, *sorted(min(p, len(facts)) for p in places), len(facts)]
    assert same(concatenate([cut(whole, start, stop) for start, stop in pairwise(bounds)]), whole)


@given(st.lists(files(), min_size=2, max_size=4))
def test_files_in_another_order_from_several_packs(facts: Sequence[FileFacts]) -> None:
    first, second = facts_batch(facts), facts_batch(facts[:1])
    middle = len(facts) // 2
    joined = concatenate([cut(first, middle, len(facts)), second, cut(first, 0, middle)])
    plain = facts_batch([*facts[middle:], facts[0], *facts[:middle]])
    assert joined.files.equals(plain.files)
    assert joined.symbols.equals(plain.symbols)
    assert _spelled(joined) == _spelled(plain)


def _spelled(batch: FactsBatch) -> list[dict[str, object]]:
    """Return all postings with their terms as text: a cut batch keeps terms that it no longer uses."""
    terms = batch.vocabulary["term"]
    tables = (batch.symbol_postings, batch.file_postings)
    return [row for t in tables for row in t.set_column(0, "term", terms.take(t["term"])).to_pylist()]


def test_no_batches() -> None:
    assert same(concatenate([]), facts_batch([]))
