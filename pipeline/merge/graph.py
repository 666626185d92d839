"""The code graph of all shards: references linked across files and repositories, ends as global ids, in a total order."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schemas.tables import EDGE_KINDS, EVIDENCE, ROLES
from .._arrow import compute
from ..graph.facts import decode
from ..graph.link import LinkFile, Links, is_configuration, link, symbol_edges
from .deep import Shared, deep_edges
from .placing import PlacedShard, shards_of

__all__ = ["Edges", "Graph", "ImportRow", "link_shards"]

_KIND = {name: code for code, name in enumerate(EDGE_KINDS)}
_TEST = 1 << ROLES.index("test")
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


class ImportRow(NamedTuple):
    """One import: the importing file, the module as it is written, its line, and the file that it leads to, -1 if outside."""

    file: int
    line: int
    module: str
    target: int


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
    """Edges and imports of a snapshot; `unresolved` counts calls that lead nowhere by (language, kind, reason)."""

    edges: Edges
    imports: tuple[ImportRow, ...]
    unresolved: tuple[tuple[str, str, str, int], ...]


def link_shards(shards: Sequence[PlacedShard]) -> Graph:
    """Resolve the references of all shards against each other.

    Holds the references of all files at once, about 1.5 KB for each kilobyte of source in a language with references.
    """
    rows = [_contained(placed) for placed in shards]
    first_rows = [placed.shard.files["symbol"].to_numpy() + placed.first_symbol for placed in shards]
    file_rows = np.concatenate([np.zeros(0, np.int64), *first_rows])
    with _no_cycles():
        links = link([file for placed in shards for file in _files(placed)])
        resolved, rules = _resolved(links, file_rows)
        imports = tuple(sorted({ImportRow(*row) for row in links.imports}))
        unresolved = links.unresolved
        del links
    shared = deep_edges(shards, resolved)
    rules = (*rules, "group", "mention")
    more, details = _deep(shared, rules)
    edges = _ordered(np.concatenate([*rows, resolved, more]), rules, details, shards)
    return Graph(edges=edges, imports=imports, unresolved=unresolved)


_EDGE = np.dtype([
    ("src", np.int32), ("dst", np.int32), ("kind", np.uint8), ("confidence", np.float32), ("rule", np.uint8),
    ("line", np.int32), ("sites", np.int32), ("detail", np.int32),
])  # fmt: skip


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


def _files(placed: PlacedShard) -> Iterator[LinkFile]:
    """Yield the files of a shard as linking sees them."""
    shard = placed.shard
    references = dict(zip(shard.references["file"].to_pylist(), shard.references["data"], strict=True))
    roles = shard.files["roles"].to_numpy()
    paths: list[Any] = shard.files["path"].to_pylist()
    texts = {int(file): i for i, file in enumerate(shard.texts["file"].to_numpy()) if is_configuration(paths[file])}
    for number, path in enumerate(paths):
        data = references.get(number)
        row = texts.get(number)
        yield LinkFile(
            repo=placed.repo,
            path=path,
            facts=decode(data.as_buffer().to_pybytes()) if data is not None else None,
            is_test=bool(roles[number] & _TEST),
            text=None if row is None else shard.texts["text"][row].as_py(),
        )


def _resolved(links: Links, file_rows: NDArray[np.int64]) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Return linked edges with global ids, and the words that their rules index; rule 0 is that of `contains`."""
    found = symbol_edges(links)
    rules = ("syntax", *sorted({edge.rule for edge in found}))
    codes = {rule: code for code, rule in enumerate(rules)}
    edges = np.zeros(len(found), _EDGE)
    source_file, source, target_file, target, kinds, confidence, names, line, sites = (
        zip(*found, strict=True) if found else [()] * 9
    )
    edges["src"] = file_rows[np.array(source_file, np.int64)] + np.array(source, np.int64) + 1
    edges["dst"] = file_rows[np.array(target_file, np.int64)] + np.array(target, np.int64) + 1
    edges["kind"] = [_KIND[kind] for kind in kinds]
    edges["confidence"] = confidence
    edges["rule"] = [codes[rule] for rule in names]
    edges["line"] = line
    edges["sites"] = sites
    edges["detail"] = -1
    return edges, rules


def _deep(shared: Sequence[Shared], rules: Sequence[str]) -> tuple[NDArray[Any], tuple[str, ...]]:
    """Return edges between what shares something, and the words that their details index."""
    details = tuple(sorted({edge.detail for edge in shared if edge.detail is not None}))
    places = {detail: place for place, detail in enumerate(details)}
    edges = np.zeros(len(shared), _EDGE)
    for name in ("src", "dst", "kind", "confidence", "line"):
        edges[name] = [getattr(edge, name) for edge in shared]
    edges["rule"] = np.where(edges["kind"] == _KIND["mentions"], rules.index("mention"), rules.index("group"))
    edges["sites"] = 1
    edges["detail"] = [-1 if edge.detail is None else places[edge.detail] for edge in shared]
    return edges, details


def _ordered(edges: NDArray[Any], rules: tuple[str, ...], details: tuple[str, ...], shards: Sequence[PlacedShard]) -> Edges:
    edges = edges[np.lexsort((edges["dst"], edges["kind"], edges["src"]))]
    evidence = _PROFILE[edges["kind"]]
    evidence[edges["confidence"] <= _GUESS] = EVIDENCE.index("incidental")
    sources, firsts = np.array([placed.source for placed in shards]), [placed.first_symbol for placed in shards]
    if len(edges):
        ends = [sources[shards_of(firsts, edges[end])] for end in ("src", "dst")]
        evidence[ends[0] != ends[1]] = EVIDENCE.index("boundary")
    columns = {name: np.ascontiguousarray(edges[name]) for name in edges.dtype.names or ()}
    return Edges(evidence=evidence, rules=rules, details=details, **columns)


@contextmanager
def _no_cycles() -> Iterator[None]:
    """Facts hold no cycles, and a collector that walks millions of them costs more than linking."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
