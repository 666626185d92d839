"""What linking a group of files gives, as columns and as bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...schemas.tables import EDGE_KINDS
from ..graph.link import RULE_NAMES, Edge, SymbolEdge

__all__ = ["ENDS", "STATED", "ImportRow", "Linked", "encoded", "moved_edges"]

_FIELDS = [
    ("source_file", "<i4"), ("source", "<i4"), ("target_file", "<i4"), ("target", "<i4"), ("kind", "u1"),
    ("confidence", "<f4"), ("rule", "u1"), ("line", "<i4"), ("sites", "<i4"),
]  # fmt: skip
ENDS = np.dtype(_FIELDS)
"""An edge: files by number, symbols by position in their file or -1 for the file's own row, kind and rule by code."""

STATED = np.dtype([(name, "<f8" if name == "confidence" else word) for name, word in _FIELDS])
"""An edge as linking stated it, whose confidence is not rounded yet."""


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


def encoded(
    edges: Sequence[Edge] | Sequence[SymbolEdge], row: np.dtype[np.void] = ENDS
) -> np.ndarray[tuple[int], np.dtype[np.void]]:
    """Return edges as rows of ENDS, or of a type with the same fields."""
    rows = np.zeros(len(edges), row)
    if edges:
        kinds = {name: code for code, name in enumerate(EDGE_KINDS)}
        rules = {name: code for code, name in enumerate(RULE_NAMES)}
        columns = dict(zip(Edge._fields, zip(*edges, strict=True), strict=True))
        for name in ("source_file", "source", "target_file", "target", "confidence", "line", "sites"):
            rows[name] = columns[name]
        rows["kind"] = [kinds[kind] for kind in columns["kind"]]
        rows["rule"] = [rules[rule] for rule in columns["rule"]]
    return rows
