"""Many strings in one buffer: a resident column costs its bytes and four or eight more a value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

import numpy as np

from .arrays import Ids, Places

__all__ = ["LAST", "Strings", "StringsBuilder"]

LAST = "\U0010ffff"
"""Ends the range of strings that begin with a prefix: no term holds it."""


class Strings:
    """An immutable sequence of strings as UTF-8 in one buffer."""

    __slots__ = ("_buffer", "_ends")

    def __init__(self, buffer: bytearray, ends: Places) -> None:
        self._buffer = buffer
        self._ends = ends

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, index: int) -> str:
        return self.encoded(index).decode()

    def encoded(self, index: int) -> bytes:
        """Return the UTF-8 of one string; indexes count from 0 only."""
        start = int(self._ends[index - 1]) if index else 0
        return bytes(self._buffer[start : int(self._ends[index])])

    def place(self, text: str) -> int:
        """Return the place of the first string that is not before a text, where the strings ascend by their bytes."""
        return bisect_left(_Encoded(self), text.encode())

    def find(self, text: str) -> int | None:
        """Return the place of a string where the strings ascend by their bytes, None if it is not there."""
        place = self.place(text)
        return place if place < len(self) and self.encoded(place) == text.encode() else None


class _Encoded(Sequence[bytes]):
    """The strings as bytes, for `bisect`."""

    def __init__(self, strings: Strings) -> None:
        self._strings = strings

    def __len__(self) -> int:
        return len(self._strings)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]  # bisect asks for single places only
        return self._strings.encoded(index)


class StringsBuilder:
    """Collects strings piece by piece without ever holding them twice."""

    __slots__ = ("_buffer", "_lengths")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._lengths: list[Ids] = []

    def extend(self, texts: Iterable[str]) -> None:
        """Append strings."""
        encoded = [text.encode() for text in texts]
        self._lengths.append(np.fromiter(map(len, encoded), np.int32, len(encoded)))
        self._buffer += b"".join(encoded)

    def build(self) -> Strings:
        """Return all that was appended."""
        lengths = np.concatenate([np.zeros(0, np.int32), *self._lengths])
        ends = np.cumsum(lengths, dtype=np.int64)
        return Strings(self._buffer, ends.astype(np.uint32) if len(self._buffer) < 1 << 32 else ends)
