"""`codequarry search --batch`: the protocol, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from codequarry.query.commands._batch import answers
from codequarry.query.results import Answer
from codequarry.schemas.errors import DamagedError, UsageError
from hypothesis import given
from hypothesis import strategies as st


class Recorder:
    """Answers every query with no rows, and remembers what it was asked."""

    def __init__(self, notes: tuple[str, ...] = (), error: Exception | None = None) -> None:
        self.asked: list[tuple[str, int]] = []
        self.notes = notes
        self.error = error

    def search(self, query: str, k: int) -> Answer:
        self.asked.append((query, k))
        if self.error:
            raise self.error
        return Answer(query=query, family="f", mode="lexical", snapshot="0" * 16, notes=self.notes)


def ask(index: Recorder, lines: Iterable[bytes]) -> list[dict[str, Any]]:
    return list(answers(index.search, lines, 7))


def test_each_line_is_answered_in_order_with_its_id() -> None:
    index = Recorder()
    lines = [b'{"id": 1, "query": "a", "k": 3}\n', b"\n", b'{"query": "b"}', b'{"id": {"x": [2]}, "query": "", "z": 1}\r\n']
    assert ask(index, lines) == [
        {"id": 1, "results": []},
        {"id": None, "results": []},
        {"id": {"x": [2]}, "results": []},
    ]
    assert index.asked == [("a", 3), ("b", 7), ("", 7)]


def test_notes_are_there_when_there_are_any() -> None:
    assert ask(Recorder(notes=("the index is empty",)), [b'{"id": 1, "query": "a"}']) == [
        {"id": 1, "results": [], "notes": ["the index is empty"]}
    ]


@pytest.mark.parametrize(
    ("line", "name", "error"),
    [
        (b"not json", None, 'line 1: not JSON: give {"id": 1, "query": "text", "k": 10}'),
        (b"\xff\xfe", None, 'line 1: not JSON: give {"id": 1, "query": "text", "k": 10}'),
        (b"[" * 100_000, None, 'line 1: not JSON: give {"id": 1, "query": "text", "k": 10}'),
        (b"[1]", None, 'line 1: not a JSON object: give {"id": 1, "query": "text", "k": 10}'),
        (b'{"id": 5}', 5, "line 1: `query` must be a string, not null"),
        (b'{"id": 5, "query": ["a"]}', 5, 'line 1: `query` must be a string, not ["a"]'),
        (b'{"id": 5, "query": "a", "k": 0}', 5, "line 1: `k` must be an integer of 1 or more, not 0"),
        (b'{"id": 5, "query": "a", "k": true}', 5, "line 1: `k` must be an integer of 1 or more, not true"),
        (b'{"id": 5, "query": "a", "k": "9"}', 5, 'line 1: `k` must be an integer of 1 or more, not "9"'),
        (b'{"id": 5, "query": "a", "k": null}', 5, "line 1: `k` must be an integer of 1 or more, not null"),
    ],
)
def test_a_malformed_line_is_answered_with_an_error_and_the_next_one_as_ever(line: bytes, name: object, error: str) -> None:
    assert ask(Recorder(), [line, b'{"id": 6, "query": "a"}']) == [{"id": name, "error": error}, {"id": 6, "results": []}]


def test_a_query_that_is_refused_is_answered_with_the_reason() -> None:
    index = Recorder(error=UsageError("there is no family 'x'"))
    assert ask(index, [b'{"id": 5, "query": "a"}']) == [{"id": 5, "error": "line 1: there is no family 'x'"}]


def test_a_damaged_snapshot_ends_the_batch() -> None:
    with pytest.raises(DamagedError):
        ask(Recorder(error=DamagedError("it is damaged")), [b'{"id": 5, "query": "a"}'])


@given(st.lists(st.binary().filter(lambda b: b.strip() and b"\n" not in b), max_size=5))
def test_whatever_comes_in_one_object_goes_out_a_line(lines: list[bytes]) -> None:
    found = ask(Recorder(), lines)
    assert len(found) == len(lines)
    json.dumps(found)
