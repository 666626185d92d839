"""Links between documents, and from documents to code: what leads out of a file, what leads to it, what leads nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ..schemas.errors import CodequarryError, UsageError
from .connection import Connection

__all__ = ["AmbiguousPathError", "FileLinks", "FileName", "Link", "links_of"]

_COLUMNS = "repo, path, line, form, destination, target, anchor, broken"
_CANDIDATES = 50
"""Shown of an ambiguous path; more would not be read."""


class FileName(NamedTuple):
    """A file of the index."""

    repo: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One link: the document and line where it stands, and where it leads (SPEC.md, doc_links)."""

    repo: str
    path: str
    line: int
    form: str
    destination: str
    target: str | None
    anchor: str | None
    broken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLinks:
    """The links of one file, in the order of the index; `outgoing` and `incoming` hold broken ones too."""

    file: FileName
    outgoing: tuple[Link, ...]
    incoming: tuple[Link, ...]

    @property
    def broken(self) -> tuple[Link, ...]:
        """Return the links of the file that lead nowhere."""
        return tuple(link for link in self.outgoing if link.broken)

    def to_json(self) -> dict[str, Any]:
        """Return what `links --json` prints."""
        groups = {"outgoing": self.outgoing, "incoming": self.incoming, "broken": self.broken}
        return {"file": self.file._asdict(), **{name: [asdict(link) for link in found] for name, found in groups.items()}}


class AmbiguousPathError(UsageError):
    """A path stands for several files: `candidates` are the first of `total`."""

    def __init__(self, path: str, candidates: Sequence[FileName], total: int) -> None:
        super().__init__(f"{path!r} stands for {total} files: give one as REPO:PATH")
        self.candidates = tuple(candidates)
        self.total = total


def links_of(connection: Connection, path: str) -> FileLinks:
    """Return the links of a file.

    `path` is relative to the root of its repository, `REPO:PATH`, or the end of a path where that is clear. Raises
    AmbiguousPathError when several files fit, CodequarryError when none does.
    """
    number, name = _find(connection, path)
    return FileLinks(
        file=name,
        outgoing=_select(connection, "file", number),
        incoming=_select(connection, "target_file", number),
    )


def _find(connection: Connection, written: str) -> tuple[int, FileName]:
    path = written.strip().removeprefix("./").rstrip("/")
    repo, _, inner = path.partition(":")
    for where, parameters in (
        ("path = ?", [path]),
        ("repo = ? AND path = ?", [repo, inner]),
        ("ends_with(path, ?)", [f"/{path}"]),
        ("repo = ? AND ends_with(path, ?)", [repo, f"/{inner}"]),
    ):
        if not parameters[-1].strip("/"):
            continue
        rows = connection.rows(f"SELECT file, repo, path FROM files WHERE {where} ORDER BY file", parameters)
        if len(rows) == 1:
            return rows[0][0], FileName(*rows[0][1:])
        if rows:
            raise AmbiguousPathError(written, [FileName(*row[1:]) for row in rows[:_CANDIDATES]], len(rows))
    raise CodequarryError(
        f"the index holds no file {written!r}: give a path relative to the root of its repository, or REPO:PATH; "
        "`codequarry search` finds what is named alike"
    )


def _select(connection: Connection, column: str, file: int) -> tuple[Link, ...]:
    rows = connection.rows(f"SELECT {_COLUMNS} FROM doc_links WHERE {column} = ? ORDER BY link", [file])
    return tuple(Link(**dict(zip(_COLUMNS.split(", "), row, strict=True))) for row in rows)
