"""Merge: shards of all sources into the global tables of one snapshot, streaming."""

from .merging import Merged, MergeSource, merge

__all__ = ["MergeSource", "Merged", "merge"]
