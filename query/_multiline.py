"""Matches that may span lines: where they begin, text by text, within a bounded time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .connection import Connection
from .patterns import Pattern

__all__ = ["SECONDS", "WINDOW", "Lines", "first_lines"]

WINDOW = 16384
"""Characters that are searched at once. To find all matches can cost the square of a text's length, however fast each is
found; a longer text is searched in overlapping windows, so a match of more than half a window may be cut or missed, and where
`^`, `$` or `\\b` decide, the next may begin elsewhere than it would."""

SECONDS = 10.0
"""A last resort, looked at between windows: the squares of many windows add up."""

_BATCH = 64
"""Texts fetched at once."""


class Lines(NamedTuple):
    """The first lines of matches as (file, line), ascending; `stopped` says that time ran out."""

    found: list[tuple[int, int]]
    stopped: bool


def first_lines(connection: Connection, pattern: Pattern, within: str) -> Lines:
    """Return the lines on which matches begin, in the texts that the condition `within` allows."""
    until = time.monotonic() + SECONDS
    condition, wanted = pattern.may_match("text")
    files = connection.rows(f"SELECT file FROM sources WHERE {within} AND {condition} ORDER BY file", wanted)
    found: list[tuple[int, int]] = []
    for start in range(0, len(files), _BATCH):
        ids = ",".join(str(file) for (file,) in files[start : start + _BATCH])
        for file, text in connection.rows(f"SELECT file, text FROM sources WHERE file IN ({ids}) ORDER BY file"):
            if time.monotonic() > until:
                return Lines(found=found, stopped=True)
            found += ((file, line) for line in _lines(text, _starts(connection, pattern, text, until)))
    return Lines(found=found, stopped=time.monotonic() > until)


def _lines(text: str, starts: Iterator[int]) -> Iterator[int]:
    """Yield the numbers of the lines that hold ascending offsets, each once; what ends the text is no line."""
    line, seen, last = 1, 0, 0
    for start in starts:
        line, seen = line + text.count("\n", seen, start), max(seen, start)
        if line != last and (start < len(text) or not text.endswith("\n")):
            yield line
            last = line


def _starts(connection: Connection, pattern: Pattern, text: str, until: float) -> Iterator[int]:
    """Yield where matches begin, ascending but for repetitions on one line."""
    place = 0
    while True:
        window = text[place : place + WINDOW]
        is_last = place + len(window) == len(text)
        done = WINDOW // 2
        for start, end in _matches(connection, pattern, window):
            if start >= WINDOW // 2 and not is_last:
                break
            yield place + start
            done = max(done, end)
        if is_last or time.monotonic() > until:
            return
        line = text.rfind("\n", place, place + done) + 1 if pattern.sees_context else 0  # `\b` needs what stands before
        place = line if line > place else place + done


def _matches(connection: Connection, pattern: Pattern, text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each match; all of them are found by DuckDB at once.

    Where the text around decides, each is found with the gap before it. Elsewhere a match is the first place behind the
    one before that reads the same, which is twenty times faster: RE2 need not keep groups.
    """
    place = 0
    if pattern.sees_context:
        every = "SELECT regexp_extract_all($1, $2, 0), regexp_extract_all($1, $2, 1)"
        for whole, gap in zip(*connection.rows(every, [text, pattern.behind_gap])[0], strict=True):
            yield place + len(gap), place + len(whole)
            place += len(whole) or 1
        return
    found: Sequence[str] = connection.rows("SELECT regexp_extract_all($1, $2)", [text, pattern.in_text])[0][0]
    for match in found:
        start = text.index(match, place)
        yield start, start + len(match)
        place = start + (len(match) or 1)
