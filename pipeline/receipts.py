"""Facts that workers leave in a folder, and the receipts by which the main process finds them.

So no facts travel between processes where both see the folder: from a child of this machine, or from a worker of a cluster
with a shared disk. A mark in the folder, under a name that nobody else could have, tells a worker whether it does.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

from ..schemas.errors import StoreError
from .extract import Limits
from .mapped import MappedFile
from .vectors import NO_MODEL, Model
from .worker import Extracted, Task, extract

__all__ = ["Parts", "Receipt", "extract_into", "taken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A folder for facts on their way; `mark` is the name of the file in it by which it is known."""

    folder: Path
    mark: str

    @classmethod
    def at(cls, folder: Path) -> Parts:
        """Return the parts of a folder that is there, marked."""
        mark = f"mark-{secrets.token_hex(16)}"
        (folder / mark).touch()
        return cls(folder=folder.resolve(), mark=mark)


class Receipt(NamedTuple):
    """Where the facts of a run of files lie: the file's name, its bytes and their hash; `seconds` as in worker.Extracted."""

    name: str
    size: int
    sha256: bytes
    seconds: tuple[float, ...]


def extract_into(parts: Parts, tasks: Sequence[Task], limits: Limits, model: Model = NO_MODEL) -> Receipt | Extracted:
    """Extract the facts of some files and leave them among the parts, whole; return them where that cannot be."""
    found = extract(tasks, limits, model)
    name = secrets.token_hex(16)
    partial = parts.folder / f"{name}.partial"
    try:
        if not (parts.folder / parts.mark).exists():
            return found
        partial.write_bytes(found.facts)
        os.replace(partial, parts.folder / name)
    except OSError:  # the folder belongs to another user, or its disk is full: the main process may do better
        return found
    return Receipt(name, len(found.facts), hashlib.sha256(found.facts).digest(), found.seconds)


def taken(parts: Parts, receipt: Receipt) -> Extracted:
    """Return the facts of a receipt as pages of their file, whose name is gone then; raises StoreError if it is not what was left."""
    path = parts.folder / receipt.name
    try:
        data: pa.Buffer = MappedFile(path).buffer
        path.unlink()
    except OSError as error:
        raise StoreError(f"{path}, where a worker left facts, cannot be read ({error.strerror}): run again") from None
    if data.size != receipt.size or hashlib.sha256(data).digest() != receipt.sha256:
        raise StoreError(f"{path} does not hold the facts that a worker left there: check the disk, and run again")
    return Extracted(data, receipt.seconds)
