"""What reaches a terminal or a pipe."""

from __future__ import annotations

import json
from typing import Any

import pytest
from codequarry.query.console import clean, colour_wanted, json_text, write_json, write_lines
from hypothesis import given
from hypothesis import strategies as st

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)) | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_VALUES, st.booleans())
def test_json_is_strict_whatever_goes_in(value: Any, compact: bool) -> None:
    text = json_text(value, compact=compact)
    text.encode("utf-8")

    def refuse(constant: str) -> None:
        raise AssertionError(constant)

    json.loads(text, parse_constant=refuse)
    assert not compact or "\n" not in text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (float("nan"), None),
        (float("-inf"), None),
        (b"\x00\xff", "00ff"),
        ("a\udcffb", "a\ufffdb"),
        ({1: "x"}, {"1": "x"}),
        ((1, (2.5, True)), [1, [2.5, True]]),
        (complex(1, 2), "(1+2j)"),
    ],
)
def test_json_of_values_that_json_has_no_type_for(value: Any, expected: Any) -> None:
    assert json.loads(json_text(value)) == expected


@given(st.text(st.characters(codec=None)))
def test_clean_text_is_one_printable_line(text: str) -> None:
    cleaned = clean(text)
    assert len(cleaned.splitlines()) <= 1
    assert not any((ord(c) < 0x20 and c != "\t") or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 for c in cleaned)


def test_clean_shows_what_it_takes_away() -> None:
    assert clean("a\x1b[31m\nb\u202ec\udcff") == "a\\x1b[31m\\x0ab\\u202ec\\udcff"
    assert clean("naïve 漢字 🙂\ttab") == "naïve 漢字 🙂\ttab"


@pytest.mark.parametrize(
    ("terminal", "env", "expected"),
    [
        (True, {}, True),
        (False, {}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"TERM": "dumb"}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    monkeypatch: pytest.MonkeyPatch, terminal: bool, env: dict[str, str], expected: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout.isatty", lambda: terminal, raising=False)
    assert colour_wanted() is expected


def test_lines_and_json_go_to_stdout(capfd: pytest.CaptureFixture[str]) -> None:
    write_lines(["one", "zwei ü"])
    write_json({"a": "ü"}, compact=True)
    assert capfd.readouterr() == ('one\nzwei ü\n{"a":"ü"}\n', "")
