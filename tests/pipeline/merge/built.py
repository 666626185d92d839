"""Snapshots of facts made by hand, merged and read back."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from codequarry.pipeline.assemble import assemble
from codequarry.pipeline.batch import facts_batch
from codequarry.pipeline.extract import Limits
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.languages import detect
from codequarry.pipeline.merge import Kept, Merged, MergeSource, merge
from codequarry.pipeline.shards import Shard, ShardFile
from codequarry.pipeline.vectors import NO_MODEL, Model, field_vectors
from codequarry.pipeline.worker import FileTask, facts_of
from codequarry.schemas.tables import BLOCK_ROWS

SHOP = {
    "cart.py": "from pricing import total\n\n\ndef checkout(items):\n    return total(items) + total([])\n",
    "pricing.py": "class Rate:\n    def apply(self, x):\n        return x\n\n\ndef total(items):\n    return Rate().apply(1)\n",
    "tests/test_cart.py": "import os\nfrom cart import checkout\n\n\ndef test_checkout():\n    checkout([])\n",
}
"""Three files that call, import and test each other."""

Repos = Mapping[str, Mapping[str, FileFacts]]


def in_order(files: Mapping[str, FileFacts]) -> list[tuple[str, FileFacts]]:
    """Return the files of a repository in the order of their paths' bytes."""
    return sorted(files.items(), key=lambda item: item[0].encode())


def shards_of(
    files: Mapping[str, FileFacts], bounds: Sequence[int] = (), batches: int = 1000, model: Model = NO_MODEL
) -> tuple[Shard, ...]:
    """Assemble a repository in slices that end at `bounds`, in batches of so many files."""
    rows = in_order(files)
    ends = [0, *sorted(min(b, len(rows)) for b in bounds), len(rows)]
    return tuple(_shard(rows[start:stop], batches, model) for start, stop in pairwise(ends) if stop > start)


def _shard(rows: Sequence[tuple[str, FileFacts]], batches: int, model: Model) -> Shard:
    parts = [[f for _, f in rows[i : i + batches]] for i in range(0, len(rows), batches)]
    made = [facts_batch(part, field_vectors(part, model.vectorizer) if model.vectorizer else None) for part in parts]
    return assemble([ShardFile(path, _size(f), hashlib.sha1(path.encode()).hexdigest(), False) for path, f in rows], made)


def _size(facts: FileFacts) -> int:
    return len((facts.text or "x").encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A merged snapshot: its folder and what the merge said of it."""

    folder: Path
    merged: Merged

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Return the rows of a table."""
        return [row for path in sorted((self.folder / table).iterdir()) for row in pq.read_table(path).to_pylist()]

    def digests(self) -> dict[str, str]:
        """Return the sha256 of every file."""
        paths = sorted(path for path in self.folder.rglob("*") if path.is_file())
        return {str(p.relative_to(self.folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in paths}


def build(
    folder: Path,
    repos: Repos,
    bounds: Sequence[int] = (),
    batches: int = 1000,
    model: Model = NO_MODEL,
    kept: Kept | None = None,
) -> Built:
    """Merge repositories given as name to path to facts; the order of the mapping must not matter."""
    folder.mkdir(parents=True)
    sources = [MergeSource(repo=name, shards=shards_of(files, bounds, batches, model)) for name, files in repos.items()]
    return Built(folder=folder, merged=merge(sources, folder, model, kept=kept))


def ids(blob: bytes) -> list[int]:
    """Return the ids of a postings blob."""
    return [int(i) for i in np.cumsum(np.frombuffer(blob, "<i4"))]


def planes(blob: bytes, fields: int) -> list[list[int]]:
    """Return the frequencies of a postings blob, one list a field."""
    return [plane.tolist() for plane in np.frombuffer(blob, "u1").reshape(fields, -1)]


def blocks(rows: Sequence[dict[str, Any]], column: str, dtype: str, width: int = 1) -> list[Any]:
    """Return a statistics column over all blocks: a list of values, or of lists where it has several planes."""
    assert [row["block"] for row in rows] == list(range(len(rows)))
    arrays = [np.frombuffer(row[column], dtype).reshape(width, -1) for row in rows]
    assert all(a.shape[1] == BLOCK_ROWS for a in arrays[:-1])
    joined: list[list[Any]] = np.concatenate([np.zeros((width, 0), dtype), *arrays], axis=1).tolist()
    return joined if width > 1 else joined[0]


def facts(files: dict[str, str]) -> dict[str, FileFacts]:
    """Extract files as a worker does."""
    made = {}
    for path, text in files.items():
        data = text.encode()
        task = FileTask(language=detect(path, data), basename=path.rpartition("/")[2], data=data)
        made[path] = facts_of(task, Limits())
    return made


def named(built: Built) -> dict[int, str]:
    """Return the qualified name of each symbol, of a file its path."""
    return {r["symbol"]: r["qualified_name"] or r["path"] for r in built.rows("symbols")}
