"""Merge: shards of all sources into the global tables of one snapshot, streaming."""

from .families import Apart
from .linking import Kept
from .merging import Merged, MergeSource, merge

__all__ = ["Apart", "Kept", "MergeSource", "Merged", "merge"]
