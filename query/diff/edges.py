"""Edges that differ between two snapshots, by the keys of their ends and their kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..connection import EDGE_ENDS, Connection
from ..readers.arrays import Array, distinct

__all__ = ["Edge", "EdgeChanges", "compare_edges"]


class Edge(NamedTuple):
    """An edge by the keys of its ends; confidence is rounded to two places, of `sites` there are as many in the source."""

    src: str
    kind: str
    dst: str
    confidence: float
    sites: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeChanges:
    """Edges in the order of their sources; `changed` ones have another confidence or number of sites, as they are now."""

    added: tuple[Edge, ...]
    removed: tuple[Edge, ...]
    changed: tuple[Edge, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {name: [edge._asdict() for edge in getattr(self, name)] for name in ("added", "removed", "changed")}


def compare_edges(old: Connection, new: Connection, moved: Mapping[str, str]) -> EdgeChanges:
    """Compare the tables `edges`, without `contains`, which symbols tell; `moved` maps keys of before to those of now.

    A hash an edge is compared first, so that of a million equal edges none becomes a Python object.
    """
    before, after = _hashes(old), _hashes(new)
    was = _edges(old, before[~np.isin(before["hash"], after["hash"])], moved)
    now = _edges(new, after[~np.isin(after["hash"], before["hash"])], {})
    return EdgeChanges(
        added=tuple(now[ends] for ends in sorted(now.keys() - was.keys())),
        removed=tuple(was[ends] for ends in sorted(was.keys() - now.keys())),
        changed=tuple(now[ends] for ends in sorted(was.keys() & now.keys()) if was[ends] != now[ends]),
    )


_HASH = np.dtype([("hash", np.uint64), ("src", np.int32), ("dst", np.int32)])


def _hashes(connection: Connection) -> Array:
    columns = connection.columns(
        f"SELECT hash(s.key, e.kind, d.key, round(e.confidence, 2), e.sites) AS hash, e.src, e.dst "
        f"FROM {connection.source('edges')} e {EDGE_ENDS} WHERE e.kind <> 'contains'"
    )
    found = np.zeros(len(columns["src"]), _HASH)
    for name in _HASH.names or ():
        found[name] = columns[name]
    return found


def _edges(connection: Connection, wanted: Array, moved: Mapping[str, str]) -> dict[tuple[str, str, str], Edge]:
    ends: Sequence[int] = distinct(wanted["src"]).tolist()
    if not ends:
        return {}
    pairs = set(zip(wanted["src"].tolist(), wanted["dst"].tolist(), strict=True))
    rows = connection.rows(
        f"SELECT e.src, e.dst, s.key, e.kind, d.key, round(e.confidence, 2), e.sites FROM {connection.source('edges')} e {EDGE_ENDS} "
        f"WHERE e.kind <> 'contains' AND e.src BETWEEN {ends[0]} AND {ends[-1]}"
    )
    found = {}
    for src, dst, source, kind, target, confidence, sites in rows:
        if (src, dst) in pairs:
            edge = Edge(moved.get(source, source), kind, moved.get(target, target), round(confidence, 2), sites)
            found[edge[:3]] = edge
    return found
