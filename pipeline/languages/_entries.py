"""Declarations that each last until the next one: keys of a settings file, stages, headings of plain text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from ._facts import Found

__all__ = ["entries", "first_line"]

Start = tuple[int, int, int, str]
"""Where a declaration starts, where its name starts and ends, and its kind."""


def entries(
    data: bytes, starts: Iterable[Start], comment: bytes | tuple[bytes, ...] = (), stops: Sequence[int] = ()
) -> Iterator[Found]:
    """Yield declarations given in order; each ends before the next start or the next of the ascending `stops`.

    Blank lines at its end, and comment lines in column 0 there, which are about what follows, are no part of it.
    """
    known = list(starts)
    for number, (start, name, after, kind) in enumerate(known):
        end = known[number + 1][0] if number + 1 < len(known) else len(data)
        place = bisect_right(stops, start)
        end = _trimmed(data, after, min(end, stops[place]) if place < len(stops) else end, comment)
        line = first_line(data, after, end)
        yield Found(kind, start, end, name, after, line if line < end else -1)


def first_line(data: bytes, at: int, end: int) -> int:
    """Return where the line of `at` ends, its line end left out; `end` at the latest."""
    found = data.find(b"\n", at, end)
    return found if found >= 0 else end


def _trimmed(data: bytes, least: int, end: int, comment: bytes | tuple[bytes, ...]) -> int:
    while end > least:
        start = data.rfind(b"\n", least, end - 1) + 1
        line = data[start or least : end].strip(b"\r\n\t ")
        if not start or (line and not (comment and data.startswith(comment, start))):
            break
        end = start
    while end > least and data[end - 1] in b" \t\r\n":
        end -= 1
    return end
