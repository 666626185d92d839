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
from ..terms.segments import changes
from .graph import Edges, Graph
from .placing import PlacedShard, column, ranges, shards_of
from .postings import binary, id_blobs

__all__ = ["degrees", "write_graph"]

_ROWS = 1 << 20
"""Edges made into rows at a time."""

_CONTAINS, _CALLS = EDGE_KINDS.index("contains"), EDGE_KINDS.index("calls")


def write_graph(graph: Graph, shards: Sequence[PlacedShard], snapshot: Path) -> dict[str, TableInfo]:
    """Write `edges`, `edges_out`, `edges_in` and `imports`."""
    repos = _Repos(shards, [placed.first_symbol for placed in shards])
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
    """Names of repositories by the ids of symbols or files."""

    def __init__(self, shards: Sequence[PlacedShard], firsts: list[int]) -> None:
        self._firsts = firsts
        self._names = pa.array([placed.repo for placed in shards], pa.string())

    def of(self, ids: NDArray[Any]) -> pa.Array[Any]:
        return _words(self._names, shards_of(self._firsts, ids))


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
                        "detail": _words(edges.details, edges.detail[part]),
                    }
                )
            )
    return writer.info


def _write_adjacency(table: Table, edges: Edges, repos: _Repos, snapshot: Path) -> TableInfo:
    """Write one row a symbol that has edges, in the order (symbol, other, kind)."""
    symbols, others = (edges.src, edges.dst) if table is EDGES_OUT else (edges.dst, edges.src)
    order = np.lexsort((edges.kind, others, symbols)).astype(np.int32)
    counts = np.bincount(symbols)
    start = 0
    with TableWriter(snapshot, table) as writer:
        for low, high in ranges(counts, _ROWS):
            part = order[start : start + int(counts[low:high].sum())]
            start += len(part)
            if len(part):
                writer.append(_adjacency(edges, symbols[part], others[part], part, repos))
    return writer.info


def _adjacency(edges: Edges, symbols: NDArray[Any], others: NDArray[Any], order: NDArray[Any], repos: _Repos) -> pa.Table:
    """Return one row a symbol; `order` are the places of its edges."""
    first = np.flatnonzero(changes(symbols))
    return pa.table(
        {
            "symbol": symbols[first],
            "repo": repos.of(symbols[first]),
            "degree": np.diff(np.append(first, len(symbols))).astype(np.int32),
            "others": id_blobs(others, first),
            "kinds": binary(edges.kind[order], first, 1),
            "evidence": binary(edges.evidence[order], first, 1),
            "confidences": binary(np.rint(edges.confidence[order] * 100).astype(np.uint8), first, 1),
        }
    )


def _write_imports(graph: Graph, shards: Sequence[PlacedShard], snapshot: Path) -> TableInfo:
    repos = _Repos(shards, [placed.first_file for placed in shards])
    with TableWriter(snapshot, IMPORTS) as writer:
        if graph.imports.num_rows:
            paths = column(shards, "files", "path")
            files, targets = graph.imports["file"], graph.imports["target"]
            target = compute.if_else(compute.less(targets, 0), None, targets)
            writer.append(
                pa.table(
                    {
                        "src": files,
                        "repo": repos.of(files.to_numpy()),
                        "src_path": paths.take(files),
                        "module": graph.imports["module"],
                        "line": graph.imports["line"],
                        "target": target,
                        "target_path": paths.take(target),
                    }
                )
            )
    return writer.info


def _words(words: Sequence[str] | pa.Array[Any], places: NDArray[Any]) -> pa.Array[Any]:
    """Return the words at some places, null where a place is negative."""
    known = words if isinstance(words, pa.Array) else pa.array(words, pa.string())
    return compute.take(known, pa.array(places, mask=places < 0))  # type: ignore[no-any-return]  # see _arrow
