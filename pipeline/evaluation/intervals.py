"""How far a mean over questions can be trusted: bootstrap intervals, seeded, so that equal values give equal intervals.

The questions are drawn again with replacement (B. Efron, R. Tibshirani, "An Introduction to the Bootstrap", 1993); for two
systems the differences on the same questions are, which leaves out how hard the questions are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

__all__ = ["Interval", "mean_interval", "paired_interval", "relative_interval"]

RESAMPLES = 2000
SEED = 0
LEVEL = 95.0
_DIGITS = 6
"""Decimals of what is told; more would only be noise of the machine."""


class Interval(NamedTuple):
    """A mean and the 95 % interval around it."""

    mean: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Say whether the whole interval is on one side of 0."""
        return self.low > 0 or self.high < 0


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the mean of values, one a question, with its interval; all 0 without values."""
    if not len(values):
        return Interval(0.0, 0.0, 0.0)
    given = np.asarray(values, np.float64)
    drawn = np.random.default_rng(SEED).integers(0, len(given), (RESAMPLES, len(given)))
    low, high = np.percentile(given[drawn].mean(axis=1), [(100 - LEVEL) / 2, (100 + LEVEL) / 2])
    return Interval(*(round(float(v), _DIGITS) + 0.0 for v in (given.mean(), low, high)))


def paired_interval(values: Sequence[float], others: Sequence[float]) -> Interval:
    """Return the mean of `values` less `others`, question by question, with its interval."""
    return mean_interval([a - b for a, b in zip(values, others, strict=True)])


def relative_interval(values: Sequence[float], others: Sequence[float]) -> Interval:
    """Return by what share the mean of `values` exceeds that of `others`, question by question, with its interval.

    All 0 where the others have nothing that could be exceeded.
    """
    now, before = np.asarray(values, np.float64), np.asarray(others, np.float64)
    if not before.sum():
        return Interval(0.0, 0.0, 0.0)
    drawn = np.random.default_rng(SEED).integers(0, len(now), (RESAMPLES, len(now)))
    held = before[drawn].sum(axis=1)
    shares = now[drawn].sum(axis=1)[held > 0] / held[held > 0] - 1
    low, high = np.percentile(shares, [(100 - LEVEL) / 2, (100 + LEVEL) / 2])
    return Interval(*(round(float(v), _DIGITS) + 0.0 for v in (now.sum() / before.sum() - 1, low, high)))
