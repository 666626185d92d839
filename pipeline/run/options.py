"""What an index run is asked to do, in one frozen value."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

from ..extract import Limits
from ..pool import PoolLimits
from ..shards import CutRule
from ..sources import ListingOptions, SourceRequest
from .memory import Memory, default_memory

__all__ = ["IndexOptions", "default_jobs"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexOptions:
    """One run: what to index, where to, and how.

    `keep` keeps the sources of the last snapshot that are not named, but for those of `remove`; `fresh` takes nothing
    from earlier runs, not even to tell what changed; `with_sources` stores the texts; `wait` is in seconds for another
    writer of the store; `model` makes the vectors (vectors.choose_model), and `adapt` fine-tunes it on
    what is indexed before it does; `cache` is the folder of what runs keep for
    later runs, None to keep nothing; `extract_only` fills it and publishes nothing; `scheduler` is the address of that of a Dask
    cluster whose workers extract, None for `jobs` processes of this machine; `memory` is what all processes of this machine
    may take together, for which there may be fewer than `jobs`.
    """

    requests: tuple[SourceRequest, ...]
    out: Path
    listing: ListingOptions = field(default_factory=ListingOptions)
    jobs: int = 1
    keep: bool = False
    remove: tuple[str, ...] = ()
    with_sources: bool = True
    fresh: bool = False
    wait: float = 0.0
    model: str = "auto"
    adapt: bool = False
    cache: Path | None = None
    extract_only: bool = False
    scheduler: str | None = None
    memory: Memory = field(default_factory=default_memory)
    extraction: Limits = field(default_factory=Limits)
    cut: CutRule = field(default_factory=CutRule)

    @property
    def workers(self) -> int:
        """Return how many processes of this machine extract or link at once."""
        return self.memory.jobs(self.jobs)

    @property
    def pool(self) -> PoolLimits:
        """Bounds of the workers: about 30 times what a batch of hand-written code takes, more where files may be larger."""
        megabytes = self.listing.max_file_size / 1e6
        return PoolLimits(
            workers=self.workers,
            cpu_seconds=10 * max(1.0, megabytes),
            memory_bytes=int((512 + 256 * megabytes) * (1 << 20)),
        )

    def recorded(self) -> dict[str, bool | int]:
        """Return the options that decide content, as the manifest holds them."""
        return {
            "allow_secrets": self.listing.allow_secrets,
            "max_file_size": self.listing.max_file_size,
            "sources": self.with_sources,
            "tracked_only": self.listing.tracked_only,
        }


def default_jobs() -> int:
    """Return how many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
