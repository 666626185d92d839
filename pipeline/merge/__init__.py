"""Merge: shards of all sources into the global tables of one snapshot, streaming."""

from .linking import Kept
from .merging import Merged, MergeSource, merge

__all__ = ["Kept", "MergeSource", "Merged", "merge"]
