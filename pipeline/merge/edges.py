"""The tables of the code graph: one row an edge, one a symbol with its neighbours as blobs, one an import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.manifest import TableInfo
from ...schemas.tables import EDGE_KINDS, EDGES, EDGES_IN, EDGES_OUT, EVIDENCE, IMPORTS, Table
from .._arrow import compute
from ..parquet import TableWriter
from .graph import Edges, Graph
from .placing import PlacedShard
from .postings import binary

__all__ = ["degrees", "write_graph"]

_ROWS = 1 << 20
"""Edges made into rows at a time."""

_CONTAINS, _CALLS = EDGE_KINDS.index("contains"), EDGE_KINDS.index("calls")


def write_graph(graph: Graph, shards: Sequence[PlacedShard], snapshot: Path) -> dict[str, TableInfo]:
    """Write `edges`, `edges_out`, `edges_in` and `imports`."""
    repos = _Repos(shards)
    return {
        "edges": _write_edges(graph.edges, repos, snapshot),
        "edges_out": _write_adjacency(EDGES_OUT, graph.edges, repos, snapshot),
        "edges_in": _write_adjacency(EDGES_IN, graph.edges, repos, snapshot),
        "imports": _write_imports(graph, shards, snapshot),
    }


def degrees(edges: Edges, symbols: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return for each symbol how many call it, and how many edges but `contains` it has at either end."""
    other = edges.kind != _CONTAINS
    callers = np.bincount(edges.dst[edges.kind == _CALLS], minlength=symbols)
    both = np.bincount(edges.src[other], minlength=symbols) + np.bincount(edges.dst[other], minlength=symbols)
    return callers.astype(np.int32), both.astype(np.int32)


class _Repos:
    """Names of repositories by the ids of symbols."""

    def __init__(self, shards: Sequence[PlacedShard]) -> None:
        self._starts = np.array([placed.first_symbol for placed in shards], np.int64)
        self._names = pa.array([placed.repo for placed in shards], pa.string())

    def of(self, symbols: NDArray[np.int32]) -> pa.Array[Any]:
        return compute.take(self._names, pa.array(np.searchsorted(self._starts, symbols, side="right") - 1))  # type: ignore[no-any-return]  # see _arrow


def _write_edges(edges: Edges, repos: _Repos, snapshot: Path) -> TableInfo:
    with TableWriter(snapshot, EDGES) as writer:
        for start in range(0, len(edges.src), _ROWS):
            part = slice(start, start + _ROWS)
            writer.append(
                pa.table(
                    {
                        "src": edges.src[part],
                        "dst": edges.dst[part],
                        "repo": repos.of(edges.src[part]),
                        "kind": _words(EDGE_KINDS, edges.kind[part]),
                        "evidence": _words(EVIDENCE, edges.evidence[part]),
                        "confidence": edges.confidence[part],
                        "rule": _words(edges.rules, edges.rule[part]),
                        "line": edges.line[part],
                        "sites": edges.sites[part],
                        "detail": _details(edges, part),
                    }
                )
            )
    return writer.info


def _write_adjacency(table: Table, edges: Edges, repos: _Repos, snapshot: Path) -> TableInfo:
    """Write one row a symbol that has edges, in the order (symbol, other, kind)."""
    symbols, others = (edges.src, edges.dst) if table is EDGES_OUT else (edges.dst, edges.src)
    order = np.lexsort((edges.kind, others, symbols))
    symbols, others = symbols[order], others[order]
    first = np.flatnonzero(np.append(True, symbols[1:] != symbols[:-1])[: len(symbols)])
    steps = np.diff(others, prepend=np.int32(0))
    steps[first] = others[first]
    hundredths = np.rint(edges.confidence[order] * 100).astype(np.uint8)
    with TableWriter(snapshot, table) as writer:
        if len(first):
            writer.append(
                pa.table(
                    {
                        "symbol": symbols[first],
                        "repo": repos.of(symbols[first]),
                        "degree": np.diff(np.append(first, len(symbols))).astype(np.int32),
                        "others": binary(steps, first, 4),
                        "kinds": binary(np.ascontiguousarray(edges.kind[order]), first, 1),
                        "evidence": binary(np.ascontiguousarray(edges.evidence[order]), first, 1),
                        "confidences": binary(hundredths, first, 1),
                    }
                )
            )
    return writer.info


def _write_imports(graph: Graph, shards: Sequence[PlacedShard], snapshot: Path) -> TableInfo:
    starts = np.array([placed.first_file for placed in shards], np.int64)
    names = pa.array([placed.repo for placed in shards], pa.string())
    with TableWriter(snapshot, IMPORTS) as writer:
        if graph.imports:
            paths = pa.chunked_array([c for placed in shards for c in placed.shard.files["path"].chunks]).combine_chunks()
            files, lines, modules, targets = zip(*graph.imports, strict=True)
            src = pa.array(files, pa.int32())
            target = pa.array([t if t >= 0 else None for t in targets], pa.int32())
            writer.append(
                pa.table(
                    {
                        "src": src,
                        "repo": compute.take(names, pa.array(np.searchsorted(starts, np.array(files), side="right") - 1)),
                        "src_path": paths.take(src),
                        "module": pa.array(modules, pa.string()),
                        "line": pa.array(lines, pa.int32()),
                        "target": target,
                        "target_path": paths.take(target),
                    }
                )
            )
    return writer.info


def _details(edges: Edges, part: slice) -> pa.Array[Any]:
    places = edges.detail[part]
    return compute.take(pa.array(edges.details, pa.string()), pa.array(places, mask=places < 0))  # type: ignore[no-any-return]  # see _arrow


def _words(words: Sequence[str], codes: NDArray[np.uint8]) -> pa.Array[Any]:
    return compute.take(pa.array(words, pa.string()), pa.array(codes))  # type: ignore[no-any-return]  # see _arrow
