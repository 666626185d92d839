"""`codequarry terms`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from codequarry.query.cli import run
from codequarry.query.commands.terms import terms_of
from codequarry.query.stems import stem
from codequarry.schemas.terms import terms
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "parts", "joined", "stems"),
    [
        ("HTTPServer", ["http", "server", "httpserver"], [], ["http", "server", "httpserver"]),
        ("utf8_to_utf16", ["utf", "8", "to", "utf", "16"], ["utf8toutf16"], ["utf", "8", "to", "16", "utf8toutf16"]),
        ("kebab-case-names", ["kebab", "case", "names"], [], ["kebab", "case", "name"]),
        ("getX and getY", ["get", "x", "and", "get", "y"], ["getx", "gety"], ["get", "x", "and", "y", "getx", "geti"]),
        ("漢字変数", ["漢字", "字変", "変数", "漢字変数"], [], ["漢字", "字変", "変数", "漢字変数"]),
        ("", [], [], []),
    ],
)
def test_json(text: str, parts: list[str], joined: list[str], stems: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["terms", "--json", "--", text]) == 0
    assert json.loads(capfd.readouterr().out) == [{"text": text, "terms": parts, "joined": joined, "stems": stems}]


def test_text(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["terms", "toJSON", "to_json", ""]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "toJSON",
        "  terms   to json tojson",
        "  stems   to json tojson",
        "to_json",
        "  terms   to json",
        "  joined  tojson",
        "  stems   to json tojson",
        '""',
        "  terms",
        "  stems",
    ]


@given(st.text())
def test_it_shows_what_the_index_holds(text: str) -> None:
    found = terms_of(text)
    assert sorted([*found.terms, *found.joined]) == sorted(terms(text))
    assert set(found.stems) == set(stem(terms(text)))


@given(st.from_regex(r"[A-Za-z0-9]{1,20}", fullmatch=True))
def test_a_compound_is_kept_whole(text: str) -> None:
    found = terms_of(text)
    if len(found.terms) > 1:
        assert found.terms[-1] == text.casefold()


def test_half_a_surrogate_pair_is_shown_as_such(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["terms", "--json", "\udcff"]) == 0
    value: list[dict[str, Any]] = json.loads(capfd.readouterr().out)
    assert value[0]["text"] == "\ufffd"
