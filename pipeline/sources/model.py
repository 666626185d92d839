"""The values of this room: what is asked for, what a listing found, and what reading gave."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .git import Place

__all__ = ["Content", "Entry", "ListingOptions", "Source", "SourceRequest", "Stamp"]

Stamp = tuple[int, int, int, int]
"""Size in bytes, times of modification and of change in ns, inode: while they stay equal, the file did not change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRequest:
    """One source to index; `rev` None means the work tree, or the current commit where there is no work tree.

    `include` and `exclude` hold gitignore patterns: a file stays when it, or a folder above it, matches an include
    pattern (or there is none) and nothing of `exclude`. `named` says that the user gave the name.
    """

    name: str
    location: Path
    named: bool = True
    rev: str | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListingOptions:
    """What a listing leaves out.

    `max_file_size` in bytes; `tracked_only` leaves untracked files out of git work trees; `allow_secrets` keeps
    likely secrets; `leave_out` are folders that are never listed, such as the store that is being written.
    """

    max_file_size: int = 1_000_000
    tracked_only: bool = False
    allow_secrets: bool = False
    leave_out: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One path of a source that gets a row in `files`.

    `path` is relative, with `/`, and valid Unicode; `size` in bytes, None where unknown; `reason` is set when the file is
    skipped unread, a slug of SPEC.md, then perhaps `: detail`; `blob` is the hex SHA-1 of the git blob with these bytes,
    where git knows it. `oid` and `stamp` belong to the reader.
    """

    path: str
    size: int | None
    reason: str | None = None
    vendored: bool = False
    blob: str | None = None
    oid: str | None = field(default=None, repr=False)
    stamp: Stamp | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The bytes of an entry, from one read, or the reason why there are none.

    `blob` is the hex SHA-1 of the git blob with exactly these bytes, whatever the listing said.
    """

    entry: Entry
    data: bytes | None
    reason: str | None = None
    blob: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A listed source; `entries` are in the order of the bytes of their UTF-8 paths, no path twice.

    `commit` is the checked-out or named commit, `branch` the branch it was reached by, `dirty` whether the listed
    files differ from that commit; each None where unknown. `plain` says that it is a folder without git. `notes` are
    sentences for the summary of a run. `place` is the repository that holds `commit`, None where there is none.
    """

    name: str
    commit: str | None
    branch: str | None
    dirty: bool | None
    entries: tuple[Entry, ...]
    plain: bool = False
    notes: tuple[str, ...] = ()
    place: Place | None = None
    reader: Callable[[Iterable[Entry]], Iterator[Content]] = field(repr=False)

    def read(self, entries: Iterable[Entry]) -> Iterator[Content]:
        """Yield the content of `entries` in their order; those skipped unread give their reason."""
        return self.reader(entries)
