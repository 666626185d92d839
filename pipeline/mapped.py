"""Files mapped into memory whose pages can be given back: what a run has read of them does not add up to its memory."""

from __future__ import annotations

import mmap
from pathlib import Path

import pyarrow as pa

__all__ = ["MappedFile"]

_GIVE_BACK = getattr(mmap, "MADV_DONTNEED", None)
"""Not on Windows, where the system takes pages by itself."""


class MappedFile:
    """A file that nobody changes, as a buffer; raises OSError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            empty = file.seek(0, 2) == 0
            self._pages = None if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.buffer: pa.Buffer = pa.py_buffer(b"" if self._pages is None else self._pages)

    def release(self) -> None:
        """Give back the pages that were read; those that are read again come from the system's cache of the file."""
        if self._pages is not None and _GIVE_BACK is not None:
            self._pages.madvise(_GIVE_BACK)
