"""Tokens to terms: the fast way gives what the rules of schemas.terms say."""

from __future__ import annotations

import pytest
from codequarry.pipeline.terms import lexicon
from codequarry.pipeline.terms.lexicon import SEPARATOR, Lexicon, blank
from codequarry.query.stems import stem
from codequarry.schemas.terms import DATA_RUN, terms
from hypothesis import given
from hypothesis import strategies as st

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
RUNS = st.tuples(st.sampled_from("aA1_-é漢"), st.integers(DATA_RUN - 2, DATA_RUN + 2)).map(lambda run: run[0] * run[1])


def read(text: str, into: Lexicon | None = None) -> list[str]:
    """Return the stemmed terms of a text."""
    into = Lexicon() if into is None else into
    return into.spell(into.read(blank(text.encode())).codes >> 1)


@given(st.lists(TEXTS | RUNS | st.sampled_from([" ", "\n", "x"]), max_size=4).map("".join))
def test_equals_the_rules(text: str) -> None:
    assert read(text) == stem(terms(text))


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_segments_stay_apart(texts: list[str]) -> None:
    reader = Lexicon()
    found = reader.read(SEPARATOR.encode().join(blank(text.encode()) for text in texts))
    spelled = reader.spell(found.codes >> 1)
    for i, text in enumerate(texts):
        assert [s for s, segment in zip(spelled, found.segments, strict=True) if segment == i] == stem(terms(text))


def test_joined_forms_are_marked() -> None:
    reader = Lexicon()
    found = reader.read(blank("notify_one, x86 — größeÜber_2 run".encode()))
    spelled = reader.spell(found.codes >> 1)
    joined = [s for s, code in zip(spelled, found.codes, strict=True) if code & 1]
    assert joined == ["notifyon", "x86", "grösseüber2"]
    assert spelled[-1] == "run"


@pytest.mark.parametrize("text", ["", " ", "...", "\n\n", "_$_"])
def test_text_without_terms(text: str) -> None:
    assert read(text) == []


def test_a_cut_character_is_no_term_and_no_error() -> None:
    assert read("größe") == ["größe"]
    reader = Lexicon()
    assert reader.spell(reader.read(blank("größe".encode()[:4])).codes >> 1) == ["grö"]
    assert reader.spell(reader.read(blank("größe".encode()[:3])).codes >> 1) == ["gr"]


def test_starts_anew_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexicon, "_MAX_TOKENS", 3)
    reader = Lexicon()
    for text in ("one two three four", "five one", "two six"):
        assert read(text, reader) == stem(terms(text))


@given(st.lists(st.sampled_from(["x" * 255, "x" * 256, "x" * 257, " ", "é", "\t", "y" * 100]), max_size=6).map("".join))
def test_blank_keeps_the_length_and_drops_data(text: str) -> None:
    data = text.encode()
    assert len(blank(data)) == len(data)
    kept = [run if len(run) < DATA_RUN else b" " * len(run) for run in _runs(data)]
    assert blank(data).split() == b"".join(kept).split()


def _runs(data: bytes) -> list[bytes]:
    """Cut bytes where printable ASCII begins and ends."""
    runs: list[bytes] = []
    for byte in data:
        printable = 0x21 <= byte <= 0x7E
        if runs and printable and 0x21 <= runs[-1][-1] <= 0x7E:
            runs[-1] += bytes([byte])
        else:
            runs.append(bytes([byte]))
    return runs
