"""One search as the stages see it: the query, where to look, what is allowed, and the numbers to rank by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..filters import Selection
from ..readers.arrays import Floats, Singles
from ..readers.averages import file_averages, symbol_averages
from ..readers.values import Reader, TermPostings
from ..store import Snapshot
from .policy import Fields, Policy
from .text import QueryText

if TYPE_CHECKING:
    from ..connection import Connection
    from ..readers.graph import Graph
    from .trace import Trace

__all__ = ["Corpus", "Request", "describe", "make_request"]


class Corpus(NamedTuple):
    """What the formulas need to know of a snapshot; lengths are in terms, `kinds` are the words of kind codes."""

    symbols: int
    files: int
    name_length: float
    path_length: float
    kinds: tuple[str, ...]


class Request(NamedTuple):
    """Everything that one search is made of; `wanted` is how many rows.

    `parts` are the query's terms without those that only come of joining the parts of a word, `lifted` the roles that
    lower nothing because the query asks for them, `kind_factors` the prior of each kind code.
    `cosines` are those of the query and all symbols and files, None where meaning has no say. `graph` and `texts` open the
    code graph and the stored texts where a stage asks for them, None where they are not to be had; `trace` is where the
    stages write down what they do, None where nobody asks; `found` are the postings of the terms where they were already read.
    """

    query: QueryText
    reader: Reader
    corpus: Corpus
    selection: Selection
    fields: Fields
    policy: Policy
    wanted: int
    parts: frozenset[str]
    lifted: frozenset[str]
    kind_factors: Floats
    cosines: Singles | None = None
    graph: Callable[[], Graph] | None = None
    texts: Callable[[], Connection] | None = None
    trace: Trace | None = None
    found: tuple[TermPostings, ...] | None = None


def make_request(
    query: QueryText, reader: Reader, corpus: Corpus, selection: Selection, fields: Fields, policy: Policy, wanted: int
) -> Request:
    """Put a request together with what follows from its parts."""
    asks_for_tests = query.asks_for_tests or selection.tests is True
    return Request(
        query=query,
        reader=reader,
        corpus=corpus,
        selection=selection,
        fields=fields,
        policy=policy,
        wanted=wanted,
        parts=frozenset(term for term, joined in zip(query.terms, query.joined, strict=True) if not joined),
        lifted=frozenset(policy.lifted_by_tests) if asks_for_tests else frozenset(),
        kind_factors=_kind_factors(corpus.kinds, policy),
    )


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


def _kind_factors(kinds: Sequence[str], policy: Policy) -> Floats:
    known = {kind: factor for names, factor in policy.kinds for kind in names.split()}
    return np.array([known.get(kind, policy.other_kinds) for kind in kinds])
