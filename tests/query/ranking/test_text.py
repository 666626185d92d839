"""Queries of any text become terms, pins and windows."""

from __future__ import annotations

import pytest
from codequarry.query.ranking.policy import Policy
from codequarry.query.ranking.text import QueryText, name_key, read_query
from hypothesis import given
from hypothesis import strategies as st

POLICY = Policy()


def read(text: str) -> QueryText:
    return read_query(text, POLICY)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("how does the scheduler work", ("schedul", "work")),
        ("RateLimiter", ("rate", "limit", "ratelimit")),
        ("notify_one notifyOne", ("notifi", "one", "notifyon")),
        ("find all handlers", ("find", "all", "handler")),
        ("is", ("is",)),
        ("isEmpty", ("is", "empti", "isempti")),
        ("Is it The end", ("end",)),
        ("购物车", ("购物", "物车", "购物车")),
        ("38.101", ("38", "101")),
        ("C++ and C#", ("c",)),
        ("".join(chr(ord(c) + 0xFEE0) for c in "ShoppingCart"), ("shop", "cart", "shoppingcart")),
        ("🛒 -- ''", ()),
        ("", ()),
    ],
)
def test_terms(text: str, terms: tuple[str, ...]) -> None:
    assert read(text).terms == terms


def test_joined_forms_are_told_from_parts() -> None:
    query = read("RateLimiter limits")
    assert dict(zip(query.terms, query.joined, strict=True)) == {"rate": False, "limit": False, "ratelimit": True}
    assert query.parts == 2
    assert read("ratelimiter RateLimiter").joined == (False, False, False)


def test_a_query_of_function_words_is_looked_up_with_a_note() -> None:
    query = read("the of and")
    assert query.terms == ("the", "of", "and")
    assert "usually left out" in query.notes[0]
    assert read("the cart").notes == ()


@pytest.mark.parametrize(
    ("text", "pins"),
    [
        ("cancel", [("cancel", "cancel", None)]),
        ("`cancel` the task", [("cancel", "cancel", None)]),
        ("cancel the task", []),
        ("Cancel the task", []),
        ("cancel_all the tasks", [("cancel_all", "cancelall", None)]),
        ("where is cancelAll called", [("cancelAll", "cancelall", None)]),
        ("HTTPServer start", [("HTTPServer", "httpserver", None)]),
        ("the HTTP server", []),
        ("Runtime::block_on panics", [("block_on", "blockon", "runtime")]),
        ("a.b.c.Deep", [("Deep", "deep", "c")]),
        ("x->y of Foo#bar", [("y", "y", "x"), ("bar", "bar", "foo")]),
        ("__init__ order", [("__init__", "init", None)]),
        ("$scope watch", []),
    ],
)
def test_pins(text: str, pins: list[tuple[str, str, str | None]]) -> None:
    assert [tuple(pin) for pin in read(text).pins] == pins


def test_windows_join_adjacent_content_words() -> None:
    query = read("the rate of limiter for tokens")
    assert query.windows == {"ratelimiter": 2, "limitertokens": 2, "ratelimitertokens": 3}
    assert query.content_words == 3
    assert query.words == 6


@pytest.mark.parametrize(
    ("text", "asks"), [("test the cart", True), ("Fixtures", True), ("latest cart", False), ("contest", False)]
)
def test_it_is_known_whether_tests_are_asked_for(text: str, asks: bool) -> None:
    assert read(text).asks_for_tests is asks


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Add a limit to the cart", True),
        ("fix(cart)!: count items twice", True),
        ("perf: avoid a copy", True),
        ("add", False),
        ("limit: the cart", False),
        ("find stale leases and recover them", False),
        ("how to add an item", False),
        ("", False),
    ],
)
def test_it_is_known_whether_a_change_is_asked_for(text: str, asks: bool) -> None:
    assert read(text).asks_for_change is asks


def test_a_pasted_file_is_cut_with_a_note() -> None:
    query = read(" ".join(f"word{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(500)))
    assert len(query.terms) == POLICY.max_terms
    assert query.cut
    assert query.notes == (f"only the first {POLICY.max_terms} distinct terms of the query were used",)
    assert not read("cart " * 1000).cut


def test_halves_of_surrogate_pairs_are_replaced() -> None:
    assert read("a\ud800b \udcff").text == "a\ufffdb \ufffd"
    assert read("\ud83d\uded2").text == "🛒"


@given(st.text(st.characters(codec=None)))
def test_no_text_is_an_error(text: str) -> None:
    query = read(text)
    query.text.encode()
    assert len(query.terms) == len(set(query.terms)) == len(query.joined)
    assert query == read(text)


@given(st.text())
def test_keys_of_names_ignore_case_and_separators(name: str) -> None:
    key = name_key(name)
    assert name_key(key) == key
    assert name_key(f"_{name}-$") == key
