"""Further seeds: longer words for unknown ones, edges of the family, shared literals, lines that hold a quoted string."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from codequarry.query import open_index
from codequarry.query.ranking import policy
from codequarry.query.ranking.text import read_query

from ..stores import EdgeSpec, FileSpec, SymbolSpec, build_store

OPENED = [pytest.param(True, id="resident"), pytest.param(False, id="lookup")]


@pytest.fixture(autouse=True)
def families() -> Iterator[None]:
    """Put the policies back that a test has changed."""
    before = dict(policy.FAMILIES)
    yield
    policy.FAMILIES.update(before)


def switch(**changes: Any) -> None:
    policy.FAMILIES.update({name: used._replace(**changes) for name, used in policy.FAMILIES.items()})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("store")
    files = [
        FileSpec(
            path="net/send.py",
            text='def send():\n    raise Lost("link went down")\ndef retry():\n    return 8080\n',
            symbols=(SymbolSpec(name="send", lines=(1, 2)), SymbolSpec(name="retry", lines=(3, 4))),
        ),
        FileSpec(path="ui/paint.py", text="def paint(): pass\n", symbols=(SymbolSpec(name="paint", lines=(1, 1)),)),
    ]
    edges = [
        EdgeSpec(src="send", dst="paint", kind="shares_error_type"),
        EdgeSpec(src="retry", dst="paint", kind="shares_literal"),
    ]
    build_store(out, {"r": files}, edges=edges)
    return out


def origins(store: Path, query: str, *, resident: bool, **filters: Any) -> dict[str, int]:
    with open_index(store, resident=resident) as index:
        answer = index.search(query, explain=True, **filters)
    assert answer.trace is not None
    return dict(answer.trace["seeds"])


def found(store: Path, query: str, *, resident: bool, **filters: Any) -> set[str | None]:
    with open_index(store, resident=resident) as index:
        return {hit.name for hit in index.search(query, **filters).results if hit.kind != "file"}


@pytest.mark.parametrize("resident", OPENED)
def test_edges_of_the_family_bring_seeds(store: Path, resident: bool) -> None:
    assert "paint" not in found(store, "send failed", resident=resident)
    switch(expand=0.8, expand_kinds=("shares_error_type",))
    assert "paint" in found(store, "send failed", resident=resident)
    assert origins(store, "send failed", resident=resident)["edges"] == 1
    assert "paint" not in found(store, "send failed", resident=resident, paths="net/**")


@pytest.mark.parametrize("resident", OPENED)
def test_literals_are_followed_only_where_the_query_has_one(store: Path, resident: bool) -> None:
    switch(literals=0.8)
    assert "paint" not in found(store, "retry the port", resident=resident)
    assert "paint" in found(store, "retry port 8080", resident=resident)


@pytest.mark.parametrize("resident", OPENED)
def test_quoted_lines_are_found_as_they_stand(store: Path, resident: bool) -> None:
    switch(scan=1.0)
    assert origins(store, 'failed with "link went down"', resident=resident)["lines"] == 1
    assert origins(store, 'failed with "link is down"', resident=resident)["lines"] == 0
    assert "lines" not in origins(store, "failed: link went down", resident=resident)


@pytest.mark.parametrize("resident", OPENED)
def test_a_word_that_nothing_holds_stands_for_longer_ones(store: Path, resident: bool) -> None:
    assert found(store, "retr", resident=resident) == set()
    switch(prefixes=4)
    assert found(store, "retr", resident=resident) == {"retry"}
    assert found(store, "ret", resident=resident) == set()
    with open_index(store, resident=resident) as index:
        assert index.reader.longer_terms("re", 2) == ["retri", "return"]
        assert index.reader.longer_terms("retri", 2) == []


@pytest.mark.parametrize(
    ("text", "quoted", "literal"),
    [
        ('says "link went down" twice', ("link went down",), True),
        ("it's what the users' rights say", (), False),
        ("error 404", (), True),
        ("utf8", (), True),
        ("'ab'", (), False),
        ('"one" and "two words"', ("one", "two words"), True),
    ],
)
def test_quoted_strings_and_numbers(text: str, quoted: tuple[str, ...], literal: bool) -> None:
    query = read_query(text, policy.Policy())
    assert (query.quoted, query.has_literal) == (quoted, literal)
