"""What a group was linked from and what that gave, so that after a small change only the changed files are linked again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...schemas.tables import EDGE_KINDS
from ..graph.facts import decode
from ..graph.link import RELINKED, RULE_NAMES, Change, Edge, Known, Links, Open, change, unseen
from ..graph.places import moved_lines
from .linked import STATED, encoded, moved_edges

__all__ = ["Before"]

_MOST_CHANGED = 0.25
"""Of the files: with more of them changed it is not worth while to compare outlines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """A group when it was last linked: the encoded facts of each file, None where it has none, and what came of it.

    `shared` is a digest of all else that counts: repositories, paths, configurations; `key` that under which the links were kept.
    The rest, what Links says of the files one by one, stays encoded until it is asked for.
    """

    shared: str
    key: str
    data: Sequence[bytes | None]
    rest: bytes

    @classmethod
    def of(cls, shared: str, key: str, data: Sequence[bytes | None], links: Links) -> Before:
        """Return the value of a group that has just been linked."""
        rest = json.dumps([links.open, links.imports]).encode() + b"\n" + encoded(links.stated, STATED).tobytes()
        return cls(shared=shared, key=key, data=data, rest=rest)

    def changed(self, data: Sequence[bytes | None]) -> frozenset[int]:
        """Return the files whose facts differ from `data`, those of the same files now."""
        return frozenset(n for n, (old, new) in enumerate(zip(self.data, data, strict=True)) if old != new)

    def lines(self, data: Sequence[bytes | None]) -> dict[int, dict[int, int]] | None:
        """Return where the lines of the changed files are now; None if one of them changed in more than places."""
        found: dict[int, dict[int, int]] = {}
        for number in sorted(self.changed(data)):
            old, new = self.data[number], data[number]
            lines = moved_lines(old, new) if old is not None and new is not None else None
            if lines is None:
                return None
            found[number] = lines
        return found

    def moved(self, key: str, data: Sequence[bytes | None], lines: Mapping[int, Mapping[int, int]]) -> Before:
        """Return the value after a change of places only; `lines` are those of the changed files, `key` that of the new links."""
        head, _, rows = self.rest.partition(b"\n")
        opened, imports = json.loads(head)
        places = [(file, lines[file][line] if file in lines else line, *more) for file, line, *more in imports]
        stated = moved_edges(np.frombuffer(rows, STATED), lines)
        rest = json.dumps([opened, places]).encode() + b"\n" + stated.tobytes()
        return Before(shared=self.shared, key=key, data=data, rest=rest)

    def known(self, family: str, data: Sequence[bytes | None]) -> Known | None:
        """Return what still holds of files whose facts did not change; None if another file could see what changed."""
        changed = self.changed(data)
        changes = self._changes(family, data, changed) if family in RELINKED else None
        if changes is None or not unseen(
            list(changes.values()), (d for n, d in enumerate(data) if d is not None and n not in changed)
        ):
            return None
        head, _, rows = self.rest.partition(b"\n")
        opened, imports = json.loads(head)
        stated = [
            self._moved(edge, changes.get(edge.target_file))
            for edge in _decoded(np.frombuffer(rows, STATED))
            if edge.source_file not in changed
        ]
        whole = [edge for edge in stated if edge is not None]
        if len(whole) < len(stated):
            return None
        return Known(
            changed=changed,
            stated=whole,
            open=[Open(*row) for row in opened if row[0] not in changed],
            imports=[(file, line, module, target) for file, line, module, target in imports if file not in changed],
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
        """Return the value as bytes, in the order: a line of JSON, the facts, the rest."""
        sizes = [-1 if one is None else len(one) for one in self.data]
        head = json.dumps([self.shared, self.key, sizes]).encode()
        return b"".join([head, b"\n", *(one for one in self.data if one is not None), self.rest])

    @classmethod
    def loads(cls, value: bytes) -> Before:
        """Return what `dumps` made bytes of."""
        at = value.index(b"\n") + 1
        shared, key, sizes = json.loads(value[:at])
        data: list[bytes | None] = []
        for length in sizes:
            data.append(None if length < 0 else value[at : at + length])
            at += max(length, 0)
        return cls(shared=shared, key=key, data=data, rest=value[at:])


def _decoded(rows: np.ndarray[tuple[int], np.dtype[np.void]]) -> list[Edge]:
    columns = [rows[name].tolist() for name in Edge._fields]
    kinds, rules = Edge._fields.index("kind"), Edge._fields.index("rule")
    columns[kinds] = [EDGE_KINDS[code] for code in columns[kinds]]
    columns[rules] = [RULE_NAMES[code] for code in columns[rules]]
    return list(map(Edge._make, zip(*columns, strict=True)))
