"""What a group was linked from and what that gave, so that after a small change only the changed files are linked again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ...schemas.tables import EDGE_KINDS
from ..graph.facts import decode
from ..graph.link import RULE_NAMES, Change, Edge, Known, Open, SymbolEdge, change, unseen

__all__ = ["ENDS", "Before", "encoded"]

_MOST_CHANGED = 0.25
"""Of the files: with more of them changed it is not worth while to compare outlines."""

_FIELDS = [
    ("source_file", "<i4"), ("source", "<i4"), ("target_file", "<i4"), ("target", "<i4"), ("kind", "u1"),
    ("confidence", "<f4"), ("rule", "u1"), ("line", "<i4"), ("sites", "<i4"),
]  # fmt: skip
ENDS = np.dtype(_FIELDS)
"""An edge: files by number, symbols by position in their file or -1 for the file's own row, kind and rule by code."""

_STATED = np.dtype([(name, "<f8" if name == "confidence" else word) for name, word in _FIELDS])
"""An edge as linking stated it, whose confidence is not rounded yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """A group when it was last linked: the encoded facts of each file, None where it has none, and what Links says.

    `shared` is a digest of all else that counts: repositories, paths, configurations.
    """

    shared: str
    data: Sequence[bytes | None]
    stated: Sequence[Edge]
    open: Sequence[Open]
    imports: Sequence[tuple[int, int, str, int]]

    def known(self, family: str, data: Sequence[bytes | None]) -> Known | None:
        """Return what still holds of files whose facts did not change; None if another file could see what changed.

        `data` are the facts of the same files now.
        """
        changed = frozenset(n for n, (old, new) in enumerate(zip(self.data, data, strict=True)) if old != new)
        changes = self._changes(family, data, changed)
        if changes is None or not unseen(
            list(changes.values()), (d for n, d in enumerate(data) if d is not None and n not in changed)
        ):
            return None
        stated = [
            self._moved(edge, changes.get(edge.target_file)) for edge in self.stated if edge.source_file not in changed
        ]
        whole = [edge for edge in stated if edge is not None]
        if len(whole) < len(stated):
            return None
        return Known(
            changed=changed,
            stated=whole,
            open=[row for row in self.open if row.file not in changed],
            imports=[row for row in self.imports if row[0] not in changed],
        )

    def _changes(self, family: str, data: Sequence[bytes | None], changed: frozenset[int]) -> dict[int, Change] | None:
        if len(changed) > _MOST_CHANGED * len(data):
            return None
        changes: dict[int, Change] = {}
        for number in changed:
            old, new = self.data[number], data[number]
            found = change(family, decode(old), decode(new)) if old is not None and new is not None else None
            if found is None:
                return None
            changes[number] = found
        return changes

    @staticmethod
    def _moved(edge: Edge, how: Change | None) -> Edge | None:
        """Return an edge with the position that its target has now, None if that is not known."""
        if how is None or edge.target < 0:
            return edge
        place = how.moved.get(edge.target)
        return None if place is None else edge._replace(target=place)

    def dumps(self) -> bytes:
        """Return the value as compressed bytes."""
        sizes = [-1 if one is None else len(one) for one in self.data]
        head = json.dumps([self.shared, sizes, self.open, self.imports]).encode()
        facts = b"".join(one for one in self.data if one is not None)
        plain = b"\n".join([head, facts + encoded(self.stated, _STATED).tobytes()])
        packed: bytes = pa.compress(plain, codec="zstd", asbytes=True)
        return len(plain).to_bytes(8, "little") + packed

    @classmethod
    def loads(cls, value: bytes) -> Before:
        """Return what `dumps` made bytes of."""
        size = int.from_bytes(value[:8], "little")
        plain: bytes = pa.decompress(value[8:], size, codec="zstd", asbytes=True)
        end = plain.index(b"\n")
        shared, sizes, opened, imports = json.loads(plain[:end])
        at = end + 1
        data: list[bytes | None] = []
        for length in sizes:
            data.append(None if length < 0 else plain[at : at + length])
            at += max(length, 0)
        return cls(
            shared=shared,
            data=data,
            stated=_decoded(np.frombuffer(plain, _STATED, offset=at)),
            open=[Open(*row) for row in opened],
            imports=[(file, line, module, target) for file, line, module, target in imports],
        )


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


def _decoded(rows: np.ndarray[tuple[int], np.dtype[np.void]]) -> list[Edge]:
    columns = [rows[name].tolist() for name in Edge._fields]
    kinds, rules = Edge._fields.index("kind"), Edge._fields.index("rule")
    columns[kinds] = [EDGE_KINDS[code] for code in columns[kinds]]
    columns[rules] = [RULE_NAMES[code] for code in columns[rules]]
    return list(map(Edge._make, zip(*columns, strict=True)))
