"""Pack files: batches of facts one after the other, and an index of the files in them.

    batches | keys 16 B, batch int32, row int32 for each file | offset, bytes, sha256 for each batch | tail

A batch is stored as a worker returns it (pipeline.batch), uncompressed: a reader maps it and copies nothing. The tail gives the numbers of
files and of batches and the sha256 of the index. A pack is named by that digest, is written under another name first, and never changes.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..batch import FactsBatch, decode
from ..mapped import MappedFile
from ._files import write_whole
from .keys import KEY_BYTES

__all__ = ["SUFFIX", "DamagedPackError", "Pack", "Segment", "write_pack"]

SUFFIX = ".pack"

_TAIL = struct.Struct("<8sII32s")
_MAGIC = b"CQPACK\x00\x01"
_FILE = np.dtype([("key", f"V{KEY_BYTES}"), ("batch", "<i4"), ("row", "<i4")])
_BATCH = np.dtype([("offset", "<i8"), ("bytes", "<i8"), ("sha256", "V32")])


class DamagedPackError(Exception):
    """A pack is not what was written."""


class Segment(NamedTuple):
    """A batch to be stored: its bytes, and for each of its rows the key, None for facts that are not to be found again."""

    data: bytes | pa.Buffer
    keys: Sequence[bytes | None]


class Pack:
    """An opened pack, mapped into memory.

    `keys` are the keys of its files, `batches` and `rows` where each one's facts are; `sizes` the bytes of each batch.
    """

    def __init__(self, path: Path) -> None:
        """Map the file and check its index; raises OSError, and DamagedPackError."""
        self.path = path
        self._mapped = MappedFile(path)
        self._data = self._mapped.buffer
        files, batches = _index(self._data)
        self.keys: NDArray[np.void] = files["key"]
        self.batches: NDArray[np.int32] = files["batch"]
        self.rows: NDArray[np.int32] = files["row"]
        self._places = batches
        self.sizes: NDArray[np.int64] = batches["bytes"]

    def batch(self, number: int) -> FactsBatch:
        """Return a batch, whose columns are pages of the file; DamagedPackError if its hash is wrong."""
        return decode(self._bytes(number))

    def release(self) -> None:
        """Give back the memory that the pages of the file took."""
        self._mapped.release()

    def whole(self) -> list[Segment]:
        """Return the batches that are not damaged."""
        segments = []
        for number in range(len(self._places)):
            with suppress(DamagedPackError):
                data = self._bytes(number).to_pybytes()
                mine = self.batches == number
                rows = dict(zip(self.rows[mine].tolist(), (key.tobytes() for key in self.keys[mine]), strict=True))
                segments.append(Segment(data, [rows.get(row) for row in range(decode(data).files.num_rows)]))
        return segments

    def _bytes(self, number: int) -> pa.Buffer:
        offset, size, digest = self._places[number]
        data = self._data.slice(int(offset), int(size))
        if hashlib.sha256(data).digest() != digest.tobytes():
            raise DamagedPackError(f"batch {number} of {self.path} is damaged")
        return data


def write_pack(folder: Path, segments: Sequence[Segment]) -> Path:
    """Write a pack into `folder` and return its path; raises OSError."""
    rows = [(n, row, key) for n, segment in enumerate(segments) for row, key in enumerate(segment.keys) if key is not None]
    files = np.zeros(len(rows), _FILE)
    files["key"] = np.frombuffer(b"".join(key for _, _, key in rows), f"V{KEY_BYTES}")
    files["batch"], files["row"] = [number for number, _, _ in rows], [row for _, row, _ in rows]
    sizes = [len(segment.data) for segment in segments]
    starts = (sum(sizes[:i]) for i in range(len(sizes)))
    digests = (np.void(hashlib.sha256(segment.data).digest()) for segment in segments)
    batches = np.array(list(zip(starts, sizes, digests, strict=True)), _BATCH)
    index = files.tobytes() + batches.tobytes()
    digest = hashlib.sha256(index).digest()
    path = folder / f"{digest.hex()[:32]}{SUFFIX}"
    write_whole(path, *(s.data for s in segments), index, _TAIL.pack(_MAGIC, len(files), len(batches), digest))
    return path


def _index(data: pa.Buffer) -> tuple[NDArray[np.void], NDArray[np.void]]:
    end = data.size - _TAIL.size
    if end < 0:
        raise DamagedPackError("it is too short")
    magic, files, batches, digest = _TAIL.unpack(data.slice(end).to_pybytes())
    start = end - files * _FILE.itemsize - batches * _BATCH.itemsize
    if magic != _MAGIC or start < 0:
        raise DamagedPackError("it does not end like a pack")
    index = data.slice(start, end - start).to_pybytes()
    if hashlib.sha256(index).digest() != digest:
        raise DamagedPackError("its index is damaged")
    split = files * _FILE.itemsize
    return np.frombuffer(index[:split], _FILE), np.frombuffer(index[split:], _BATCH)
