"""Symbols that differ between two snapshots: matched by key, and then by an equal body.

The body of a symbol is its text without its head (the signature) and without the symbols inside it, so that a changed method
does not change its class. How deep it stands as a whole does not count, so that code may be indented anew when it moves.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent
from typing import Any, NamedTuple

from ..connection import Connection

__all__ = ["SymbolChange", "SymbolRow", "compare_symbols", "read_symbols"]


class SymbolRow(NamedTuple):
    """One symbol of a file that differs; `body` is a digest, None where the text is not stored."""

    symbol: int
    key: str
    repo: str
    path: str
    kind: str
    name: str
    qualified_name: str
    signature: str | None
    line: int
    body: str | None

    def to_json(self) -> dict[str, Any]:
        """Return what a reader elsewhere understands."""
        row = self._asdict()
        del row["symbol"], row["body"], row["name"]
        return row


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolChange:
    """A symbol that is not as it was.

    `change` is `added` (no `before`), `removed` (no `after`), or both are there: `signature`, `body`, `signature, body`, or
    `moved`, which means that the same body has another key.
    """

    change: str
    before: SymbolRow | None
    after: SymbolRow | None

    @property
    def row(self) -> SymbolRow:
        """The symbol as it is now, or as it was."""
        row = self.after or self.before
        assert row is not None
        return row

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "change": self.change,
            "before": self.before.to_json() if self.before else None,
            "after": self.after.to_json() if self.after else None,
        }


def read_symbols(connection: Connection, files: Sequence[int]) -> dict[str, SymbolRow]:
    """Return the symbols of some files by key, those that stand for files aside."""
    if not files:
        return {}
    wanted = f"file BETWEEN {files[0]} AND {files[-1]} AND file IN ({','.join(map(str, files))})"
    texts: Mapping[int, str] = {}
    if connection.has("sources"):
        texts = dict(connection.rows(f"SELECT file, text FROM sources WHERE {wanted}"))
    rows = connection.rows(
        "SELECT symbol, key, repo, path, kind, name, coalesce(qualified_name, name), signature, start_line, name_line, file, "
        f"parent, start_byte, end_byte FROM symbols WHERE {wanted} AND kind <> 'file' ORDER BY symbol"
    )
    inner: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for *_, parent, start, end in rows:
        inner[parent].append((start, end))
    encoded = {file: text.encode() for file, text in texts.items()}
    found = {}
    for *columns, name_line, file, _, start, end in rows:
        symbol, key, signature, line = *columns[:2], *columns[-2:]
        body = None
        if file in encoded:
            body = _digest(_own(encoded[file], start, end, inner.get(symbol, [])), signature, name_line - line)
        found[key] = SymbolRow._make([*columns, body])
    return found


def compare_symbols(was: Mapping[str, SymbolRow], now: Mapping[str, SymbolRow]) -> tuple[SymbolChange, ...]:
    """Return what changed, in the order of the keys as they are now, or were."""
    changes = [
        SymbolChange(change=how, before=was[key], after=now[key])
        for key in was.keys() & now.keys()
        if (how := _how(was[key], now[key]))
    ]
    moves = list(_moved([was[k] for k in was.keys() - now.keys()], [now[k] for k in now.keys() - was.keys()]))
    gone, come = {a.key for a, _ in moves}, {b.key for _, b in moves}
    changes += [SymbolChange(change="moved", before=before, after=after) for before, after in moves]
    changes += [SymbolChange(change="removed", before=was[k], after=None) for k in was.keys() - now.keys() - gone]
    changes += [SymbolChange(change="added", before=None, after=now[k]) for k in now.keys() - was.keys() - come]
    return tuple(sorted(changes, key=lambda change: (change.row.key, change.change)))


def _how(before: SymbolRow, after: SymbolRow) -> str:
    differs = {"signature": before.signature != after.signature, "body": before.body != after.body}
    return ", ".join(name for name, yes in differs.items() if yes)


def _moved(removed: Sequence[SymbolRow], added: Sequence[SymbolRow]) -> Iterator[tuple[SymbolRow, SymbolRow]]:
    """Pair symbols of one name and body where there are as many before as after; a function may have become a method."""
    sides: list[dict[tuple[str, str], list[SymbolRow]]] = []
    for rows in (removed, added):
        side = defaultdict(list)
        for row in sorted(rows, key=lambda row: row.key):
            if row.body is not None:
                side[row.name, row.body].append(row)
        sides.append(side)
    for what in sides[0].keys() & sides[1].keys():
        if len(sides[0][what]) == len(sides[1][what]):
            yield from zip(sides[0][what], sides[1][what], strict=True)


def _own(text: bytes, start: int, end: int, inner: Sequence[tuple[int, int]]) -> bytes:
    """Return the text of a symbol without that of the symbols inside it."""
    pieces = []
    for first, last in sorted(inner):
        if start <= first and last <= end:
            pieces.append(text[start:first])
            start = max(start, last)
    return b"".join([*pieces, text[start:end]])


def _digest(own: bytes, signature: str | None, lines_before: int) -> str:
    """Return a digest of a symbol's text without its head, which stands after so many lines of decorators and the like."""
    lines = own.decode("utf-8", "replace").split("\n")
    head = "\n".join(lines[lines_before:])
    body = "\n".join([*lines[:lines_before], head[_head_length(head, signature or "") :]])
    first, _, rest = body.partition("\n")
    kept = (line for line in [first, *dedent(rest).split("\n")] if line.strip())
    return hashlib.sha256("\n".join(kept).encode()).hexdigest()


def _head_length(text: str, signature: str) -> int:
    """Return how far the signature, which is on one line, reaches in the text, which may break it; 0 if it is not there."""
    at = 0
    for character in signature:
        if character.isspace():
            continue
        while at < len(text) and text[at].isspace():
            at += 1
        if text[at : at + 1] != character:
            return 0
        at += 1
    return at
