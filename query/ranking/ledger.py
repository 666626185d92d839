"""Scores that remember how they came about: every part by name, and their running sum."""

from __future__ import annotations

import numpy as np

from ..readers.arrays import Array, Floats

__all__ = ["DIGITS", "Ledger", "norm"]

DIGITS = 9
"""Scores are rounded to so many decimals before they are compared, so that no machine orders them otherwise."""


class Ledger:
    """The scores of some candidates as a sum of named parts.

    Multiplying is written down as the difference it makes, so the parts always add up.
    """

    __slots__ = ("_parts", "total")

    def __init__(self, count: int) -> None:
        self.total: Floats = np.zeros(count)
        self._parts: dict[str, Floats] = {}

    def add(self, name: str, amount: Array) -> None:
        """Add an amount to each score."""
        part = np.asarray(amount, np.float64)
        self._parts[name] = self._parts[name] + part if name in self._parts else part
        self.total = self.total + part

    def scale(self, name: str, factor: Array) -> None:
        """Multiply each score by a factor."""
        self.add(name, self.total * (factor - 1.0))

    def rounded(self) -> Floats:
        """Return the scores to be compared and shown; never -0."""
        return np.round(self.total, DIGITS) + 0.0

    def parts(self, place: int) -> dict[str, float]:
        """Return the parts of one score that are not 0, in the order they were written down."""
        return {name: float(part[place]) for name, part in self._parts.items() if part[place] != 0.0}


def norm(values: Array) -> Floats:
    """Return values divided by their maximum; all 0 where nothing is positive."""
    top = float(values.max(initial=0.0))
    return np.asarray(values, np.float64) / top if top > 0.0 else np.zeros(len(values))
