"""What linking a group of files gives, as columns and as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schemas.tables import EDGE_KINDS
from ..graph.link import RULE_NAMES, Edge, Links, symbols_around
from ..terms.segments import changes

__all__ = ["ENDS", "STATED", "ImportRow", "Linked", "encoded", "moved_edges", "symbol_edges"]

_FIELDS = [
    ("source_file", "<i4"), ("source", "<i4"), ("target_file", "<i4"), ("target", "<i4"), ("kind", "u1"),
    ("confidence", "<f4"), ("rule", "u1"), ("line", "<i4"), ("sites", "<i4"),
]  # fmt: skip
ENDS = np.dtype(_FIELDS)
"""An edge: files by number, symbols by position in their file or -1 for the file's own row, kind and rule by code."""

STATED = np.dtype([(name, "<f8" if name == "confidence" else word) for name, word in _FIELDS])
"""An edge as linking stated it, whose confidence is not rounded yet."""


_AT_ONCE = 1 << 16
"""Edges made into columns at a time."""


class ImportRow(NamedTuple):
    """One import: the importing file, the module as it is written, its line, and the file that it leads to, -1 if outside."""

    file: int
    line: int
    module: str
    target: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """Edges in no order with the numbers of all files, imports in theirs, open calls by (language, kind, reason)."""

    edges: NDArray[Any]
    imports: tuple[ImportRow, ...]
    unresolved: tuple[tuple[str, str, str, int], ...]

    def moved(self, lines: Mapping[int, Mapping[int, int]]) -> Linked:
        """Return the same with other lines in some files: `lines` has for each of these where each old line is now."""
        rows = (row._replace(line=lines[row.file][row.line]) if row.file in lines else row for row in self.imports)
        return replace(self, edges=moved_edges(self.edges, lines), imports=tuple(sorted(set(rows))))

    def dumps(self) -> bytes:
        """Return a line of JSON and the edges behind it."""
        return json.dumps([self.imports, self.unresolved]).encode() + b"\n" + self.edges.tobytes()

    @classmethod
    def loads(cls, data: bytes) -> Linked:
        """Return what `dumps` made bytes of."""
        head, _, edges = data.partition(b"\n")
        imports, unresolved = json.loads(head)
        return cls(
            edges=np.frombuffer(edges, ENDS),
            imports=tuple(ImportRow(*row) for row in imports),
            unresolved=tuple((language, kind, reason, calls) for language, kind, reason, calls in unresolved),
        )


def moved_edges(edges: NDArray[Any], lines: Mapping[int, Mapping[int, int]]) -> NDArray[Any]:
    """Return edges, of ENDS or STATED, with the lines that they have now; `lines` is as in Linked.moved."""
    moved = edges.copy()
    for at in np.flatnonzero(np.isin(edges["source_file"], list(lines))).tolist():
        moved["line"][at] = lines[int(edges["source_file"][at])][int(edges["line"][at])]
    return moved


def symbol_edges(links: Links) -> NDArray[Any]:
    """Return the edges between rows of the symbol table (ENDS), one a (source, target, kind).

    An edge to something without a row is left out; one from something without begins at what is around it. Where several become
    one, the surest of them counts, the first line, and all sites.
    """
    edges, world = encoded(links.edges, STATED), links.world
    symbols = np.fromiter((item.symbol for item in world.definitions), np.int32, len(world.definitions))
    symbols = np.append(symbols, np.int32(-1))  # where there is no definition
    own, other = edges["source"].copy(), edges["target"].copy()
    bare = np.unique(own[(own >= 0) & (symbols[own] < 0)])
    starts = symbols.copy()
    starts[bare] = symbols_around(world, bare.tolist())
    edges["source"], edges["target"] = starts[own], symbols[other]
    inside = (edges["source"] == edges["target"]) & (edges["source_file"] == edges["target_file"]) & (own != other)
    edges = edges[((other < 0) | (edges["target"] >= 0)) & ~inside]
    names = ("source_file", "source", "target_file", "target", "kind")
    edges = edges[np.lexsort([edges[name] for name in ("rule", "confidence", *reversed(names))])]
    first = np.flatnonzero(np.any([changes(edges[name]) for name in names], axis=0))
    rows = np.zeros(len(first), ENDS)
    if len(first):
        best = edges[np.append(first[1:], len(edges)) - 1]
        for name in (*names, "confidence", "rule"):
            rows[name] = best[name]
        rows["line"] = np.minimum.reduceat(edges["line"], first)
        rows["sites"] = np.add.reduceat(edges["sites"], first)
    return rows


def encoded(edges: Sequence[Edge], row: np.dtype[np.void] = ENDS) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Return edges as rows of ENDS, or of a type with the same fields."""
    rows = np.zeros(len(edges), row)
    kinds = {name: code for code, name in enumerate(EDGE_KINDS)}
    rules = {name: code for code, name in enumerate(RULE_NAMES)}
    for start in range(0, len(edges), _AT_ONCE):
        columns = dict(zip(Edge._fields, zip(*edges[start : start + _AT_ONCE], strict=True), strict=True))
        part = rows[start : start + _AT_ONCE]
        for name in ("source_file", "source", "target_file", "target", "confidence", "line", "sites"):
            part[name] = columns[name]
        part["kind"] = [kinds[kind] for kind in columns["kind"]]
        part["rule"] = [rules[rule] for rule in columns["rule"]]
    return rows
