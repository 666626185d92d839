"""The table of links between documents, and from documents to code: resolved once all paths of a repository are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ...schemas.manifest import TableInfo
from ...schemas.tables import DOC_LINKS
from .._arrow import compute
from ..links.marks import Mark, decode
from ..links.resolve import Link, Repository, resolve
from ..parquet import TableWriter, arrow_schema
from .placing import PlacedShard, column

__all__ = ["write_doc_links"]


def write_doc_links(shards: Sequence[PlacedShard], snapshot: Path) -> TableInfo:
    """Write `doc_links`; memory holds the paths of one repository, where documents of it have links."""
    first = 0
    with TableWriter(snapshot, DOC_LINKS) as writer:
        for _, group in groupby(shards, key=lambda placed: placed.source):
            placed = list(group)
            if links := _links(placed):
                writer.append(_rows(placed, links, first))
                first += len(links)
    return writer.info


def _links(placed: Sequence[PlacedShard]) -> list[Link]:
    if not any(shard.shard.marks.num_rows for shard in placed):
        return []
    columns: list[list[Any]] = [
        column(placed, "files", name).to_pylist() for name in ("path", "language", "lines", "reason")
    ]
    paths, languages, lines, reasons = columns
    return resolve(Repository(paths=paths, languages=languages, lines=lines, reasons=reasons, marks=dict(_marks(placed))))


def _marks(placed: Iterable[PlacedShard]) -> Iterator[tuple[int, tuple[Mark, ...]]]:
    """Yield the marks of each document with its number in the repository."""
    first = 0
    for shard in placed:
        files: list[Any] = shard.shard.marks["file"].to_pylist()
        blobs: list[Any] = shard.shard.marks["data"].to_pylist()
        yield from ((first + file, decode(data)) for file, data in zip(files, blobs, strict=True))
        first += shard.files


def _rows(placed: Sequence[PlacedShard], links: Sequence[Link], first: int) -> pa.Table:
    """Return the rows of a repository; `first` is the number of its first link."""
    columns = {name: list(values) for name, values in zip(Link._fields, zip(*links, strict=True), strict=True)}
    files = pa.array(columns.pop("file"), pa.int32())
    target = pa.array(columns.pop("target_file"), pa.int32())
    offset = pa.scalar(placed[0].first_file, pa.int32())
    return pa.table(
        {
            "link": pa.array(np.arange(first, first + len(links)), pa.int32()),
            "file": compute.add(files, offset),
            "repo": pa.repeat(placed[0].repo, len(links)),
            "path": column(placed, "files", "path").take(files),
            "target_file": compute.add(target, offset),
            **{name: pa.array(values, arrow_schema(DOC_LINKS).field(name).type) for name, values in columns.items()},
        }
    )
