"""Two versions of one file's facts that say the same in other places: a remark was added, a text changed, lines were broken."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from .facts import ROWS, columns_of

__all__ = ["moved_lines"]


def moved_lines(old: bytes, new: bytes) -> dict[int, int] | None:
    """Return where each line of `old` that holds a fact is in `new`; None if the facts differ in more than their places.

    Both are facts that `encode` made bytes of. What is written earlier is so in both, since the order of definitions counts.
    """
    was, now = columns_of(old), columns_of(new)
    places: dict[str, set[tuple[int, int]]] = {"line": set(), "byte": set()}
    if was["language"] != now["language"]:
        return None
    for name, row in ROWS:
        before, after = was[name], now[name]
        if len(before) != len(after):
            return None
        for field, one, other in zip(row._fields if before else (), before, after, strict=True):
            if field in places and len(one) == len(other):
                places[field].update(zip(one, other, strict=True))
            elif field not in ("start", "end") and one != other:  # where a scope ends plays no part in linking
                return None
    told = _ascending(places["line"], 0) and _ascending(places["byte"], 1)
    return dict(places["line"]) if told else None


def _ascending(places: Iterable[tuple[int, int]], least: int) -> bool:
    """Return whether each old place has one new one, at least so far behind that of the place before."""
    return all(a[0] < b[0] and a[1] + least <= b[1] for a, b in pairwise(sorted(places)))
