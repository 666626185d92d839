"""What a system answers, and what of it counts as one answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

from .questions import FILE_LEVEL, Question

__all__ = ["ASKED", "Found", "System", "answers", "judgeable"]

ASKED = 100
"""Rows that are asked for, so that enough distinct files come of them."""


class Found(NamedTuple):
    """One row of an answer; the last three are None for a row that stands for a whole file."""

    repo: str
    path: str
    key: str | None = None
    qualified_name: str | None = None
    name: str | None = None


class System(Protocol):
    """Something that ranks rows for a query; `name` is what the figures call it."""

    @property
    def name(self) -> str: ...

    def search(self, query: str, k: int) -> list[Found]:
        """Return the `k` best rows, the best first."""


def answers(found: Iterable[Found], question: Question) -> list[str]:
    """Return the distinct answers in their order, each under the name by which it is judged, if it is.

    At file level an answer is a path, whatever of it was found. At symbol level rows for whole files are none.
    """
    name_of = _file_name if question.level == FILE_LEVEL else _symbol_name
    named = (name_of(row, question) for row in found)
    return list(dict.fromkeys(name for name in named if name is not None))


def judgeable(rows: Iterable[Found]) -> frozenset[str]:
    """Return every name under which a judgement could find one of these rows."""
    names: set[str | None] = set()
    for row in rows:
        names.update((row.path, f"{row.repo}:{row.path}", row.key, row.qualified_name, row.name))
        names.add(row.key and row.key.removeprefix(f"{row.repo}:"))
    return frozenset(name for name in names if name is not None)


def _file_name(row: Found, question: Question) -> str | None:
    full = f"{row.repo}:{row.path}"
    return full if full in question.gold else row.path


def _symbol_name(row: Found, question: Question) -> str | None:
    if row.key is None:
        return None
    local = row.key.removeprefix(f"{row.repo}:")
    return next((name for name in (row.key, local, row.qualified_name, row.name) if name in question.gold), row.key)
