"""Answers that are more than a list: what the members of a set have in common, and how two symbols hang together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ...schemas.tables import EDGE_KINDS
from ...schemas.terms import split_word
from ..graph.chains import shortest_chain
from ..readers.arrays import Ids
from ..readers.neighbours import Adjacency, Neighbours
from ..readers.values import Row
from .policy import policy_of
from .request import Request, make_request
from .text import read_query

__all__ = ["Cluster", "Path", "Step", "cluster", "connect", "sides"]

_MOST_CLUSTERS = 8
_BASES = ("extends", "implements", "overrides")
_USES = ("contains", "calls", "extends", "implements", "overrides", "references", "imports", "reexports")
_LONGEST = 6
_HUB = 200
_SHORTEST_PART = 3
_SIDES = re.compile(r"(?i)\s+(?:vs\.?|versus|and|to|with)\s+")
_LEAD = re.compile(r"(?i)^.*?\b(?:relationships?|relations?|differences?|between)\b(?:\s+(?:between|of|from))?\s+")


class Cluster(NamedTuple):
    """Rows that share something: `key` names it, `reason` says what kind of thing; `members` are symbols, best first, of `pool`."""

    key: str
    reason: str
    members: tuple[int, ...]
    pool: int


class Step(NamedTuple):
    """One edge of a path: `forward` where it leads from the symbol before to this one."""

    symbol: int
    kind: str
    forward: bool


class Path(NamedTuple):
    """A shortest chain of uses between two symbols, either way along each edge; no steps where there is none."""

    start: int
    end: int
    steps: tuple[Step, ...]


def cluster(request: Request, rows: Sequence[Row]) -> list[Cluster]:
    """Group rows by a shared base, a part of their names or their folder: the largest group first, each row in one."""
    groups = [*_by_base(request, rows), *_by_name(rows), *_by_folder(rows)]
    free = {row.symbol for row in rows}
    order = [row.symbol for row in rows]
    clusters: list[Cluster] = []
    while groups and len(clusters) < _MOST_CLUSTERS:
        left = [(reason, key, members & free) for reason, key, members in groups]
        rank, (reason, key, members) = min(enumerate(left), key=lambda item: (-len(item[1][2]), item[0]))
        if len(members) < 2:
            break
        clusters.append(Cluster(key, reason, tuple(s for s in order if s in members), len(rows)))
        free -= members
        del groups[rank]
    return clusters


_Group = tuple[str, str, set[int]]


def _by_base(request: Request, rows: Sequence[Row]) -> Iterator[_Group]:
    if request.graph is None or not rows:
        return
    symbols = np.array(sorted({row.symbol for row in rows}), np.int32)
    edges = request.graph().neighbours.out(symbols)
    owners = np.repeat(symbols, np.diff(edges.starts))
    shared: dict[int, set[int]] = defaultdict(set)
    for place in np.flatnonzero(np.isin(edges.kinds, _codes(_BASES))).tolist():
        shared[int(edges.others[place])].add(int(owners[place]))
    bases = np.array(sorted(base for base, members in shared.items() if len(members) > 1), np.int32)
    for row in request.reader.rows(bases):
        yield "shared base", row.qualified_name or row.name, shared[row.symbol]


def _by_name(rows: Sequence[Row]) -> Iterator[_Group]:
    shared: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        parts = [part for part in split_word(row.name) if len(part) >= _SHORTEST_PART]
        if parts:
            shared[f"{parts[0]}…"].add(row.symbol)
            shared[f"…{parts[-1]}"].add(row.symbol)
    yield from (("name", key, members) for key, members in sorted(shared.items()))


def _by_folder(rows: Sequence[Row]) -> Iterator[_Group]:
    shared: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        shared[f"{row.path.rpartition('/')[0]}/"].add(row.symbol)
    yield from (("folder", key, members) for key, members in sorted(shared.items()))


def sides(request: Request) -> list[Request]:
    """Return a search for each of the two things that a query about a relationship names, none if it does not name two."""
    text = _LEAD.sub("", request.query.text.strip(), count=1)
    parts = [part for part in _SIDES.split(text, maxsplit=1) if part.strip()]
    if len(parts) != 2:
        return []
    policy = policy_of("symbol-exact")
    return [
        make_request(
            query=read_query(part, policy),
            reader=request.reader,
            corpus=request.corpus,
            selection=request.selection,
            fields=request.fields,
            policy=policy,
            wanted=5,
        )._replace(graph=request.graph)
        for part in parts
    ]


def connect(neighbours: Neighbours, starts: Sequence[int], ends: Sequence[int], files: Ids) -> Path:
    """Return a shortest path from any start to any end, at most six edges, not through hubs and not through whole files.

    Of equally short ones that over the lowest ids is taken; where there is none, the path is that of the first start and end
    without steps. `files` are the ids of the rows of files, ascending.
    """
    steps = shortest_chain(starts, ends, _LONGEST, partial(_uses, neighbours, files)).steps
    if not steps:
        return Path(starts[0], ends[0], ())
    path = tuple(Step(step.far, EDGE_KINDS[step.edge[0]], step.edge[1]) for step in steps)
    return Path(steps[0].near, steps[-1].far, path)


def _uses(neighbours: Neighbours, files: Ids, symbols: Sequence[int]) -> Iterator[tuple[int, int, tuple[int, bool]]]:
    """Yield the edges of symbols with their kind, and whether they are followed forward."""
    front = np.array(symbols, np.int32)
    for edges, forward in ((neighbours.out(front, _HUB), True), (neighbours.into(front, _HUB), False)):
        for near, far, kind in _used(edges, front, files):
            yield near, far, (kind, forward)


def _used(edges: Adjacency, front: Ids, files: Ids) -> Iterator[tuple[int, int, int]]:
    kept = np.isin(edges.kinds, _codes(_USES))
    place = np.minimum(np.searchsorted(files, edges.others), max(len(files) - 1, 0))
    kept &= files[place] != edges.others if len(files) else True
    owners = np.repeat(front, np.diff(edges.starts))
    for at in np.flatnonzero(kept).tolist():
        yield int(owners[at]), int(edges.others[at]), int(edges.kinds[at])


def _codes(kinds: Sequence[str]) -> list[int]:
    return [EDGE_KINDS.index(kind) for kind in kinds]
