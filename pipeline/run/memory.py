"""What the memory of a run is for: workers, batches that wait, the size of shards, and linking.

The sizes are measured on made-up code and on real code of like size (scripts/bench/monorepo.py); they bound what a run begins,
and only linking is held to what it was given.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from ...query.text import size
from ...schemas.errors import UsageError
from ..shards import CutRule

__all__ = ["LEAST", "Memory", "default_memory"]

_FIXED = 320_000_000
"""The main process and the template of the workers with all that they import, and the tables that are being written."""

_WORKER = 240_000_000
"""One worker whose lexicon is full."""

_BATCH = 8_000_000
"""A batch with its facts, on its way and decoded."""

_SHARD = 12
"""Times the bytes of source: what a shard takes while its batches are put together."""

_SMALLEST_SHARD = 2 << 20
_AHEAD = 4
"""Batches that are read ahead of each worker or wait for their turn, where there is memory for them."""

LEAST = _FIXED + _WORKER + 2 * _BATCH + _SHARD * _SMALLEST_SHARD
"""With less nothing can be indexed: one worker, a batch for it and one that waits, and the smallest shards."""

_PART = 0.75
"""Of the memory of the machine."""

_CONTROL_GROUP = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """The bytes that all processes of a run may take together; raises UsageError if nothing can be indexed with them."""

    limit: int

    def __post_init__(self) -> None:
        if self.limit < LEAST:
            raise UsageError(f"a run cannot work within {size(self.limit)}: give --memory-limit at least {size(LEAST)}")

    def jobs(self, wanted: int) -> int:
        """Return how many workers of this machine there is memory for, at most those that are wanted."""
        left = self.limit - LEAST + _WORKER
        return max(1, min(wanted, left // (_WORKER + 2 * _BATCH)))

    def ahead(self, workers: int, here: int) -> int:
        """Return how many batches may be under way for so many workers, of which `here` are on this machine."""
        left = self.limit - _FIXED - here * _WORKER - _SHARD * _SMALLEST_SHARD
        return max(2, min(_AHEAD * workers, left // _BATCH))

    def cut(self, rule: CutRule, workers: int, here: int) -> CutRule:
        """Return the rule with shards that there is memory for; what a snapshot holds does not depend on it."""
        left = self.limit - _FIXED - here * _WORKER - self.ahead(workers, here) * _BATCH
        most = max(_SMALLEST_SHARD, left // _SHARD)
        return replace(rule, at_least=min(rule.at_least, most // 4), at_most=min(rule.at_most, most))

    @property
    def linking(self) -> int:
        """Return the bytes that are left for linking, when there are no workers."""
        return self.limit - _FIXED


def default_memory() -> Memory:
    """Return three quarters of what the machine has, or the control group that this process is in."""
    least = [Path(path).read_text() for path in _CONTROL_GROUP if Path(path).exists()]
    bounds = [int(text) for text in least if text.strip().isdigit()]
    if hasattr(os, "sysconf"):  # not on Windows
        bounds.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return Memory(limit=max(LEAST, int(_PART * min(bounds))) if bounds else 1 << 40)
