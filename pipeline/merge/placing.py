"""A shard with its place among all others."""

from __future__ import annotations

from dataclasses import dataclass

from ..shards import Shard

__all__ = ["PlacedShard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedShard:
    """A shard, mapped into memory, and what its local ids are added to; `source` is the number of its repository."""

    repo: str
    source: int
    shard: Shard
    first_file: int
    first_symbol: int

    @property
    def files(self) -> int:
        """Files of the shard, skipped ones included."""
        return int(self.shard.files.num_rows)

    @property
    def symbols(self) -> int:
        """Rows of the shard in `symbols`, those that stand for files included."""
        return int(self.shard.symbols.num_rows)
