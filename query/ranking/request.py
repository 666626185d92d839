"""One search as the stages see it: the query, where to look, what is allowed, and the numbers to rank by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..filters import Selection
from ..readers.averages import file_averages, symbol_averages
from ..readers.values import Reader
from ..store import Snapshot
from .policy import Fields, Policy
from .text import QueryText

__all__ = ["Corpus", "Request", "describe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What the formulas need to know of a snapshot; lengths are in terms, `kinds` are the words of kind codes."""

    symbols: int
    files: int
    name_length: float
    path_length: float
    kinds: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Request:
    """Everything that one search is made of; `count` is how many rows are wanted."""

    query: QueryText
    reader: Reader
    corpus: Corpus
    selection: Selection
    fields: Fields
    policy: Policy
    count: int

    @cached_property
    def parts(self) -> frozenset[str]:
        """The query's terms without those that only come of joining the parts of a word."""
        query = self.query
        return frozenset(term for term, joined in zip(query.terms, query.joined, strict=True) if not joined)

    @cached_property
    def lifted(self) -> frozenset[str]:
        """Roles that lower nothing, because the query asks for them."""
        asked = self.query.asks_for_tests or self.selection.tests is True
        return frozenset(self.policy.lifted_by_tests) if asked else frozenset()

    @cached_property
    def kind_factors(self) -> NDArray[np.float64]:
        """The prior of each kind code."""
        return _kind_factors(self.corpus.kinds, self.policy)


def describe(snapshot: Snapshot, fields: Fields) -> Corpus:
    """Return what the formulas need to know of a snapshot."""
    paths = file_averages(snapshot)
    return Corpus(
        symbols=snapshot.rows("symbols") - snapshot.rows("files"),
        files=snapshot.rows("files"),
        name_length=symbol_averages(snapshot)[0],
        path_length=paths[0] + fields.directory * paths[1],
        kinds=snapshot.manifest.kinds,
    )


def _kind_factors(kinds: Sequence[str], policy: Policy) -> NDArray[np.float64]:
    known = {kind: factor for names, factor in policy.kinds for kind in names.split()}
    return np.array([known.get(kind, policy.other_kinds) for kind in kinds])
