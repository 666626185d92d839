"""Shards: contiguous runs of one repository's sorted files, the unit of work, of checkpoints and of merging.

A shard's file holds its facts with local ids, nothing of other shards, of the repository's name or of absolute paths: nine
Arrow IPC streams one after the other, and the sha256 of their bytes. Postings are in the order (term, id), with sorted
terms, so that the merge takes any range of terms from all shards without sorting.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

__all__ = ["CutRule", "Shard", "ShardFile", "cut", "intact", "read", "write"]

_DIGEST_BYTES = 32


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
    and, in `path_symbols`, how many symbols hold it by their path alone.
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
    sink = pa.BufferOutputStream()
    for field in fields(shard):
        table = getattr(shard, field.name)
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    data = sink.getvalue()
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        file.write(data)
        file.write(hashlib.sha256(data).digest())
    os.replace(partial, path)


def read(path: Path) -> Shard:
    """Map a shard's file into memory; its columns are pages of the file."""
    with pa.memory_map(str(path)) as source:
        return Shard(**{field.name: pa.ipc.open_stream(source).read_all() for field in fields(Shard)})


def intact(path: Path) -> bool:
    """Say whether a shard's file is there and holds what was written."""
    try:
        with pa.memory_map(str(path)) as source:
            data = source.read_buffer(max(0, source.size() - _DIGEST_BYTES))
            return hashlib.sha256(data).digest() == source.read()
    except (OSError, pa.ArrowInvalid):
        return False


def _chosen(folder: str, odds: int) -> bool:
    digest = hashlib.sha256(folder.encode()).digest()
    return int.from_bytes(digest[:8], "little") % odds == 0
