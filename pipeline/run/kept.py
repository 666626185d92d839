"""Sources of the live snapshot that a run keeps although they are not given again.

Their files are read from the snapshot itself: a stored text is encoded as it once was, so workers see the bytes of the
file, which its blob digest proves, and extraction gives what it would give on the source.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pyarrow.parquet as pq

from ...query.store import Snapshot
from ...schemas.errors import DamagedError, UsageError
from ...schemas.manifest import SourceInfo
from .._arrow import compute
from ..extract import Limits
from ..shards import ShardFile
from ..sources import Entry
from ..worker import row_only
from .origins import Item, Origin, file_task

__all__ = ["check_digests", "kept_origin", "original_bytes"]


class _Row(NamedTuple):
    """The columns of `files` that a kept file needs."""

    file: int
    path: str
    language: str | None
    status: str
    reason: str | None
    size: int
    generated: bool
    vendored: bool
    encoding: str | None
    blob: str | None


def check_digests(snapshot: Snapshot) -> None:
    """Raise DamagedError unless the tables that kept sources are read from are as they were written.

    Raises UsageError if the snapshot was made without the texts.
    """
    if not snapshot.has("sources"):
        repos = ", ".join(source.repo for source in snapshot.manifest.sources)
        raise UsageError(f"{repos} cannot be kept, because the store does not hold their texts: name every source again")
    for table in ("files", "sources"):
        for path, part in zip(snapshot.paths(table), snapshot.manifest.tables[table].parts, strict=True):
            with path.open("rb") as file:
                whole = hashlib.file_digest(file, "sha256").hexdigest() == part.sha256
            if not whole:
                raise DamagedError(f"{path} is damaged, so its sources cannot be kept: index all of them again")


def kept_origin(snapshot: Snapshot, info: SourceInfo, limits: Limits) -> Origin:
    """Return a source of `snapshot` as an origin; the snapshot holds the texts."""
    rows = {row.path: row for row in _rows(snapshot, info.repo)}

    def read(entries: Sequence[Entry]) -> Iterator[Item]:
        wanted = [rows[entry.path] for entry in entries]
        texts = _texts(snapshot, wanted[0].file, wanted[-1].file) if wanted else iter(())
        return (_item(row, texts) for row in wanted)

    return Origin(
        name=info.repo,
        commit=info.commit,
        branch=info.branch,
        dirty=info.dirty,
        entries=tuple(map(_entry, rows.values())),
        limits=limits,
        kept=True,
        read=read,
    )


def _rows(snapshot: Snapshot, repo: str) -> Iterator[_Row]:
    for path in snapshot.paths("files"):
        # Without a thread, not even for reading ahead: workers are yet to be forked (pipeline.pool).
        with pq.ParquetFile(path, pre_buffer=False) as parquet:
            table = parquet.read(columns=["repo", *_Row._fields], use_threads=False)
        rows = table.filter(compute.equal(table["repo"], repo)).select(list(_Row._fields))
        yield from map(_Row._make, zip(*(column.to_pylist() for column in rows.columns), strict=True))


def _entry(row: _Row) -> Entry:
    reason = row.reason if row.status == "skipped" else None
    return Entry(path=row.path, size=row.size, reason=reason, vendored=row.vendored, blob=row.blob)


def _item(row: _Row, texts: Iterator[tuple[int, str]]) -> Item:
    file = ShardFile(path=row.path, size=row.size, blob=row.blob, vendored=row.vendored)
    if row.status == "skipped":
        known = row_only(row.language, row.reason or "", encoding=row.encoding, generated=row.generated)
        return Item(file, known)
    text = next(text for number, text in texts if number == row.file)
    return Item(file, file_task(row.path, original_bytes(text, row.encoding or "utf-8", row.blob)))


def _texts(snapshot: Snapshot, first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield the stored texts of the files `first` to `last`, with their numbers, one row group at a time in memory."""
    for path in snapshot.paths("sources"):
        with pq.ParquetFile(path, pre_buffer=False) as parquet:
            for group in range(parquet.num_row_groups):
                numbers = parquet.read_row_group(group, columns=["file"])["file"].to_numpy()
                if numbers[0] <= last and numbers[-1] >= first:
                    texts = parquet.read_row_group(group, columns=["text"])["text"].to_pylist()
                    yield from zip(numbers.tolist(), texts, strict=True)


def original_bytes(text: str, encoding: str, blob: str | None) -> bytes:
    """Return the bytes of a file from its stored text, which lost its byte order mark and is UTF-8.

    `encoding` is what they were decoded by; `blob`, the digest of the bytes, decides where several are possible.
    """
    if encoding == "utf-16":
        forms = [codecs.BOM_UTF16_LE + text.encode("utf-16-le"), codecs.BOM_UTF16_BE + text.encode("utf-16-be")]
    else:
        forms = [text.encode(encoding)]
    return next((data for data in forms if _blob(data) == blob), forms[0])


def _blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
