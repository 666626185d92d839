"""A difference as lines for a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..console import clean
from .comparing import Difference
from .edges import Edge
from .symbols import SymbolChange

__all__ = ["difference_lines"]

_MARKS = {"added": "+", "removed": "-", "moved": ">"}


def difference_lines(difference: Difference, *, most: int = 20) -> Iterator[str]:
    """Yield lines, clean for a terminal; at most `most` of each kind are named."""
    yield f"from snapshot {difference.before} to {difference.after}"
    if difference.empty:
        yield "nothing has changed"
    for title, rows in (
        ("files", _files(difference)),
        ("symbols", [_symbol(change) for change in difference.symbols]),
        ("edges", _edges(difference)),
        ("may break", [clean(f"  {f.score:.2f} {_short(f.place.key)} (by {_short(f.cause)})") for f in difference.impact]),
    ):
        yield from _block(title, rows, most)
    for note in difference.notes:
        yield f"note: {clean(note)}"


def _block(title: str, rows: Sequence[str], most: int) -> Iterator[str]:
    if rows:
        yield f"{title}: {len(rows):,}"
        yield from rows[:most]
    if len(rows) > most:
        yield f"  and {len(rows) - most:,} more (--json has all)"


def _files(difference: Difference) -> list[str]:
    files = difference.files
    rows = [clean(f"  > {move.before} is now {move.after}") for move in files.moved]
    rows += [clean(f"  + {name}") for name in files.added]
    rows += [clean(f"  - {name}") for name in files.removed]
    return rows + [clean(f"  ~ {name}") for name in files.changed]


def _symbol(change: SymbolChange) -> str:
    row = change.row
    shown = f"  {_MARKS.get(change.change, '~')} {row.kind} {row.qualified_name}  {row.path}:{row.line}"
    if change.change == "moved" and change.before:
        shown += f" (was {_short(change.before.key)})"
    elif change.change not in _MARKS and change.before:
        shown += f" ({change.change})"
        if "signature" in change.change:
            shown += f": {change.before.signature or 'nothing'} is now {row.signature or 'nothing'}"
    return clean(shown)


def _edges(difference: Difference) -> list[str]:
    def lines(mark: str, edges: Iterable[Edge]) -> list[str]:
        return [clean(f"  {mark} {_short(edge.src)} {edge.kind} {_short(edge.dst)}") for edge in edges]

    edges = difference.edges
    return [*lines("+", edges.added), *lines("-", edges.removed), *lines("~", edges.changed)]


def _short(key: str) -> str:
    """Return a key without its repository."""
    return key.partition(":")[2]
