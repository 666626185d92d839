"""Shards: contiguous runs of one repository's sorted files, the unit of work, of checkpoints and of merging.

A shard's file holds its facts with local ids, nothing of other shards, of the repository's name or of absolute paths: nine
Arrow IPC streams one after the other. Postings are in the order (term, id), with sorted terms, so that the merge takes any
range of terms from all shards without sorting.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from .mapped import MappedFile

__all__ = ["TABLES", "CutRule", "Shard", "ShardFile", "cut", "read", "write"]


class ShardFile(NamedTuple):
    """What the listing knows of a file: relative path with `/`, size in bytes, git blob, and whether it is vendored."""

    path: str
    size: int | None
    blob: str | None
    vendored: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CutRule:
    """Where a repository is cut: sizes in bytes, and one folder in `odds` may begin a shard.

    The defaults keep what the main process holds of one shard near 100 MB, and give most repositories one shard.
    """

    at_least: int = 4 << 20
    at_most: int = 16 << 20
    odds: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """The tables of one shard; ids count from 0 within it, and `symbols` begins each file with its own row.

    `files` and `symbols` hold the columns of schemas.tables that need nothing from outside, statistics besides; `texts` the
    stored sources; `references` what each file says about names (pipeline.graph.facts); `marks` the links and anchors of
    documents (pipeline.links.marks); `tokens` what code may share (pipeline.graph.tokens); `terms` how many postings each has
    and, in `path_symbols`, how many symbols hold it by their path alone. `mapped` is the file that they are pages of, if any.
    """

    files: pa.Table
    symbols: pa.Table
    texts: pa.Table
    references: pa.Table
    marks: pa.Table
    tokens: pa.Table
    terms: pa.Table
    symbol_postings: pa.Table
    file_postings: pa.Table
    mapped: MappedFile | None = None

    def release(self) -> None:
        """Give back the memory that the pages of a shard's file took."""
        if self.mapped is not None:
            self.mapped.release()


TABLES = tuple(name for name in Shard.__dataclass_fields__ if name != "mapped")
"""The names of a shard's tables, in the order of its file."""


def cut(paths: Sequence[str], sizes: Sequence[int], rule: CutRule) -> list[range]:
    """Cut sorted files into runs, so that a new or removed file changes one or two of them.

    Once a run has `at_least` bytes it ends where the folder changes to one that the hash of its name chooses; at `at_most`
    bytes it ends wherever it is. `sizes` are the bytes that will be read, 0 for files skipped unread.
    """
    runs = []
    start, held, folder = 0, 0, ""
    for i, (path, size) in enumerate(zip(paths, sizes, strict=True)):
        entered, folder = folder, path.rpartition("/")[0]
        full = held + size > rule.at_most
        if i > start and (full or (held >= rule.at_least and folder != entered and _chosen(folder, rule.odds))):
            runs.append(range(start, i))
            start, held = i, 0
        held += size
    return [*runs, range(start, len(paths))] if paths else []


def write(path: Path, shard: Shard) -> None:
    """Write a shard's file: whole and under its name, or not at all."""
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        for name in TABLES:
            table = getattr(shard, name)
            with pa.ipc.new_stream(file, table.schema) as writer:
                writer.write_table(table)
    os.replace(partial, path)


def read(path: Path) -> Shard:
    """Map a shard's file into memory; its columns are pages of the file."""
    mapped = MappedFile(path)
    source = pa.BufferReader(mapped.buffer)
    return Shard(**{name: pa.ipc.open_stream(source).read_all() for name in TABLES}, mapped=mapped)


def _chosen(folder: str, odds: int) -> bool:
    digest = hashlib.sha256(folder.encode()).digest()
    return int.from_bytes(digest[:8], "little") % odds == 0
