"""The lines of a range that matter, within a number of characters."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from ..snippets import MAX_LINES, MAX_WIDTH
from .values import Block

__all__ = ["GAP", "excerpt"]

GAP = "... line {}"
"""Stands between two blocks and names the line that goes on."""

_GAP_COST = len(GAP.format(100000)) + 1
_HEAD = 2
"""Lines that an excerpt begins with, whatever matches: the declaration itself."""

_AROUND = 1
"""Lines shown before and behind a line that matters."""


def excerpt(
    lines: Sequence[str],
    start: int,
    end: int,
    room: int,
    pattern: re.Pattern[str] | None,
    focus: Collection[int] = (),
    *,
    only_focus: bool = False,
    hidden: Collection[int] = (),
) -> tuple[Block, ...]:
    """Return blocks of the lines `start` to `end` (from 1, inclusive) that take at most `room` characters, gaps included.

    All lines if they fit; else the first, then `focus` lines and those with most distinct matches, earlier ones first, each
    with a line around it; then what follows the first. Lines are cut to MAX_WIDTH. With `only_focus` nothing else is shown,
    `hidden` lines never are.
    """
    end = min(end, start + MAX_LINES - 1, len(lines))
    shown = {n: lines[n - 1][:MAX_WIDTH].rstrip("\r") for n in range(start, end + 1) if n not in hidden}
    if not only_focus and not hidden and sum(len(line) + 1 for line in shown.values()) <= room:
        return tuple(_blocks(shown, list(shown)))
    chosen = _Chosen(shown, room)
    for group in _wanted(shown, pattern, focus, only_focus=only_focus):
        chosen.add(group)
    if not only_focus:
        _ = all(chosen.add((number,)) for number in shown)  # what follows the first lines, as far as it goes
    return tuple(_blocks(shown, sorted(chosen.numbers)))


class _Chosen:
    """Lines that have been taken, and what they cost with the gaps between them."""

    def __init__(self, shown: Mapping[int, str], room: int) -> None:
        self.numbers: set[int] = set()
        self._shown = shown
        self._left = room + _GAP_COST  # the first run has no gap before it

    def add(self, group: Iterable[int]) -> bool:
        """Take all of a group, or none where they do not fit, and say which."""
        new = [number for number in group if number in self._shown and number not in self.numbers]
        left = self._left
        for number in new:
            runs = 1 - (number - 1 in self.numbers) - (number + 1 in self.numbers)
            left -= len(self._shown[number]) + 1 + runs * _GAP_COST
            self.numbers.add(number)
        if left < 0:
            self.numbers.difference_update(new)
            return False
        self._left = left
        return True


def _wanted(
    shown: Mapping[int, str], pattern: re.Pattern[str] | None, focus: Collection[int], *, only_focus: bool
) -> Iterator[Sequence[int]]:
    """Yield groups of lines in the order in which they are wanted."""
    first = min(shown, default=0)
    if not only_focus:
        yield range(first, first + 1)
        yield range(first, first + _HEAD)
    for number in sorted(focus):
        yield (number,)
        yield range(number - _AROUND, number + _AROUND + 1)
    if only_focus:
        return
    found = _matches(shown, pattern)
    for number in sorted(found, key=lambda n: (-len(found[n]), n)):
        yield range(number - _AROUND, number + _AROUND + 1)


def _matches(shown: Mapping[int, str], pattern: re.Pattern[str] | None) -> dict[int, set[str]]:
    """Return the distinct words that match, by the number of their line; one search over all lines is the fastest."""
    found: dict[int, set[str]] = {}
    if pattern is None:
        return found
    numbers = list(shown)
    ends = list(accumulate(len(line) + 1 for line in shown.values()))
    for match in pattern.finditer("\n".join(shown.values())):
        number = numbers[bisect_right(ends, match.start())]
        found.setdefault(number, set()).add(match[0].lower())
    return found


def _blocks(shown: Mapping[int, str], numbers: Sequence[int]) -> Iterator[Block]:
    """Yield runs of adjacent numbers, without blank lines at their ends."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    for run in runs:
        said = [number for number in run if shown[number].strip()]
        if said:
            yield Block(start=said[0], lines=tuple(shown[n] for n in range(said[0], said[-1] + 1)))
