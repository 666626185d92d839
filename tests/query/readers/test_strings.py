"""Packed strings behave as the list they were made of."""

from __future__ import annotations

from codequarry.query.readers.strings import Strings, StringsBuilder
from hypothesis import given
from hypothesis import strategies as st

texts = st.lists(st.lists(st.text(max_size=6), max_size=5), max_size=4)


def pack(pieces: list[list[str]]) -> Strings:
    builder = StringsBuilder()
    for piece in pieces:
        builder.extend(piece)
    return builder.build()


@given(texts)
def test_they_are_a_list(pieces: list[list[str]]) -> None:
    flat = [text for piece in pieces for text in piece]
    packed = pack(pieces)
    assert [packed[i] for i in range(len(packed))] == flat


@given(st.sets(st.text(max_size=6)), st.text(max_size=6))
def test_they_can_be_looked_up(known: set[str], other: str) -> None:
    ordered = sorted(known, key=str.encode)
    packed = pack([ordered])
    assert [packed.find(text) for text in ordered] == list(range(len(ordered)))
    assert (packed.find(other) is None) == (other not in known)
