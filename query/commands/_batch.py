"""Many queries over one open snapshot: JSON lines in, JSON lines out, in the same order."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ...schemas.errors import UsageError
from ..results import Answer

__all__ = ["Request", "Search", "answers", "parse"]


Search = Callable[[str, int], Answer]
"""Answers a query with at most that many rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One line of input; `id` is any JSON value and comes back with the answer."""

    id: Any
    query: str
    k: int


def answers(search: Search, lines: Iterable[bytes], k: int) -> Iterator[dict[str, Any]]:
    """Yield one object a line: `id` and `results`, or `id` and `error`; blank lines are passed over.

    `k` is the number of rows where a line gives none. `notes` are there when there are any.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _answer(search, line, number, k)


def _answer(search: Search, line: bytes, number: int, k: int) -> dict[str, Any]:
    name: Any = None
    try:
        value = _load(line)
        name = value.get("id")
        request = parse(value, k)
        answer = search(request.query, request.k)
    except UsageError as error:
        return {"id": name, "error": f"line {number}: {error}"}
    notes = {"notes": list(answer.notes)} if answer.notes else {}
    return {"id": name, "results": [hit.to_json() for hit in answer.results], **notes}


def _load(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise UsageError('not JSON: give {"id": 1, "query": "text", "k": 10}') from None
    if not isinstance(value, dict):
        raise UsageError('not a JSON object: give {"id": 1, "query": "text", "k": 10}')
    return value


def parse(value: dict[str, Any], k: int) -> Request:
    """Check one decoded line; UsageError says which key is wrong."""
    query, wanted = value.get("query"), value.get("k", k)
    if not isinstance(query, str):
        raise UsageError(f"`query` must be a string, not {json.dumps(query)[:40]}")
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 1:
        raise UsageError(f"`k` must be an integer of 1 or more, not {json.dumps(wanted)[:40]}")
    return Request(id=value.get("id"), query=query, k=wanted)
