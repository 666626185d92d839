"""The code graph of all shards: references linked across files and repositories, ends as global ids, in a total order."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.tables import EDGE_KINDS, EVIDENCE
from .._arrow import compute
from ..cache import code_digest
from ..graph.link import RULE_NAMES
from .deep import SHARED, deep_edges
from .families import Apart, link_all
from .linking import Kept
from .placing import PlacedShard, shards_of

__all__ = ["Edges", "Graph", "link_shards"]

_KIND = {name: code for code, name in enumerate(EDGE_KINDS)}
_RULES = ("syntax", *RULE_NAMES, "group", "mention")
_CODE = (
    *("pipeline/graph", "schemas/tables.py"),
    *(f"pipeline/merge/{name}.py" for name in ("linked", "linking", "members", "relinking")),
)
"""All code that linking depends on."""

_EVIDENCE = {
    "contains": "structural",
    "calls": "direct",
    "imports": "structural",
    "extends": "direct",
    "implements": "direct",
    "overrides": "direct",
    "references": "reinforcing",
    "tests": "reinforcing",
    "reexports": "structural",
    "shares_type": "reinforcing",
    "shares_error_type": "reinforcing",
    "shares_data_shape": "reinforcing",
    "shares_literal": "incidental",
    "mentions": "incidental",
}
_PROFILE = np.array([EVIDENCE.index(_EVIDENCE[kind]) for kind in EDGE_KINDS], np.uint8)
_GUESS = 0.5
"""Edges at most this sure are incidental: one of several candidates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """Columns of edges, ordered by (src, kind, dst); `kind` and `evidence` are codes, `rule` an index into `rules`.

    `detail` indexes `details`, or is -1 where an edge has none.
    """

    src: NDArray[np.int32]
    dst: NDArray[np.int32]
    kind: NDArray[np.uint8]
    evidence: NDArray[np.uint8]
    confidence: NDArray[np.float32]
    rule: NDArray[np.uint8]
    line: NDArray[np.int32]
    sites: NDArray[np.int32]
    detail: NDArray[np.int32]
    rules: tuple[str, ...]
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """Edges and imports (families.IMPORTS) of a snapshot; `unresolved` counts calls that lead nowhere by (language, kind, reason)."""

    edges: Edges
    imports: pa.Table
    unresolved: tuple[tuple[str, str, str, int], ...]


def link_shards(shards: Sequence[PlacedShard], kept: Kept | None = None, apart: Apart | None = None) -> Graph:
    """Resolve the references of all shards against each other; what did not change since `kept` is not linked again.

    `apart` says from what size on that is done in processes of their own.
    """
    linked = link_all(shards, kept, _made_by() if kept is not None else "", apart)
    imports, unresolved = linked.imports, linked.unresolved
    parts, details = _parts(linked.edges, shards)
    del linked
    return Graph(edges=_ordered(parts, details, shards), imports=imports, unresolved=unresolved)


def _parts(found: NDArray[Any], shards: Sequence[PlacedShard]) -> tuple[list[NDArray[Any]], tuple[str, ...]]:
    """Return all edges, those that linking found among them, and the words that their details index."""
    first_rows = [placed.shard.files["symbol"].to_numpy() + placed.first_symbol for placed in shards]
    resolved = _resolved(found, np.concatenate([np.zeros(0, np.int64), *first_rows]))
    shared, details = deep_edges(shards, resolved)
    return [*map(_contained, shards), resolved, _deep(shared)], details


_EDGE = np.dtype([
    ("src", np.int32), ("dst", np.int32), ("kind", np.uint8), ("confidence", np.float32), ("rule", np.uint8),
    ("line", np.int32), ("sites", np.int32), ("detail", np.int32),
])  # fmt: skip


def _made_by() -> str:
    """Return what decides links beside the files: the code, and which modules of Python are its own."""
    return f"{code_digest(*_CODE)} {sys.version_info[:2]}"


def _contained(placed: PlacedShard) -> NDArray[Any]:
    """Return an edge from every symbol's owner, or else its file, to the symbol."""
    symbols = placed.shard.symbols
    file_rows = placed.shard.files["symbol"].to_numpy()[symbols["file"].to_numpy()]
    owners = compute.fill_null(symbols["parent"], -1).to_numpy()
    inside = np.flatnonzero(np.arange(placed.symbols) != file_rows)
    edges = np.zeros(len(inside), _EDGE)
    edges["src"] = np.where(owners < 0, file_rows, owners)[inside] + placed.first_symbol
    edges["dst"] = inside + placed.first_symbol
    edges["kind"] = _KIND["contains"]
    edges["confidence"] = 1
    edges["line"] = symbols["name_line"].to_numpy()[inside]
    edges["sites"] = 1
    edges["detail"] = -1
    return edges


def _resolved(found: NDArray[Any], file_rows: NDArray[np.int64]) -> NDArray[Any]:
    """Return linked edges with global ids."""
    edges = np.zeros(len(found), _EDGE)
    edges["src"] = file_rows[found["source_file"]] + found["source"] + 1
    edges["dst"] = file_rows[found["target_file"]] + found["target"] + 1
    for name in ("kind", "confidence", "line", "sites"):
        edges[name] = found[name]
    edges["rule"] = found["rule"] + 1
    edges["detail"] = -1
    return edges


def _deep(shared: NDArray[Any]) -> NDArray[Any]:
    """Return edges between what shares something as edges of the graph."""
    edges = np.zeros(len(shared), _EDGE)
    for name in SHARED.names or ():
        edges[name] = shared[name]
    edges["rule"] = np.where(edges["kind"] == _KIND["mentions"], _RULES.index("mention"), _RULES.index("group"))
    edges["sites"] = 1
    return edges


def _ordered(parts: list[NDArray[Any]], details: tuple[str, ...], shards: Sequence[PlacedShard]) -> Edges:
    """Return edges as columns in their order; takes the parts, so that no edge is held more than twice."""
    edges = np.concatenate(parts)
    parts.clear()
    order = np.lexsort((edges["dst"], edges["kind"], edges["src"]))
    columns = {name: edges[name][order] for name in edges.dtype.names or ()}
    del edges, order
    evidence = _PROFILE[columns["kind"]]
    evidence[columns["confidence"] <= _GUESS] = EVIDENCE.index("incidental")
    sources, firsts = np.array([placed.source for placed in shards]), [placed.first_symbol for placed in shards]
    if len(shards) and sources[0] != sources[-1]:
        ends = [sources[shards_of(firsts, columns[end])] for end in ("src", "dst")]
        evidence[ends[0] != ends[1]] = EVIDENCE.index("boundary")
    return Edges(evidence=evidence, rules=_RULES, details=details, **columns)
