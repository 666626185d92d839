"""Nested spans of a text, laid flat: which is the innermost at a place."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["regions"]


def regions(spans: Sequence[tuple[int, int]]) -> tuple[list[int], list[int]]:
    """Return ascending offsets, and the number of the innermost span from each on.

    Spans are pairs of start and end in the order of their starts, an outer one before those inside it; the first begins at 0 and holds
    all others.
    """
    starts, inside, stack = [0], [0], [0]
    for number in range(1, len(spans)):
        while spans[stack[-1]][1] <= spans[number][0]:
            starts.append(spans[stack.pop()][1])
            inside.append(stack[-1])
        starts.append(spans[number][0])
        inside.append(number)
        stack.append(number)
    while len(stack) > 1:
        starts.append(spans[stack.pop()][1])
        inside.append(stack[-1])
    return starts, inside
