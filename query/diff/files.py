"""Files that differ between two snapshots, told by the digest of their bytes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..connection import Connection

__all__ = ["FileChanges", "FileMove", "compare_files"]


class FileMove(NamedTuple):
    """A file that is the same at another place: `repo:path` before and after."""

    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChanges:
    """Files as `repo:path`, each list in the order of its bytes; a moved file is neither added nor removed.

    `before` and `after` are the ids of all files that differ, in either snapshot.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[str, ...]
    moved: tuple[FileMove, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


class _File(NamedTuple):
    file: int
    blob: str | None
    state: tuple[str | None, ...]


def compare_files(old: Connection, new: Connection) -> FileChanges:
    """Compare the tables `files`; without a digest, size, status and reason decide."""
    was, now = _files(old), _files(new)
    changed = sorted(name for name in was.keys() & now.keys() if was[name].state != now[name].state)
    moves = _moves({n: was[n] for n in was.keys() - now.keys()}, {n: now[n] for n in now.keys() - was.keys()})
    removed = sorted(was.keys() - now.keys() - {move.before for move in moves})
    added = sorted(now.keys() - was.keys() - {move.after for move in moves})
    return FileChanges(
        added=tuple(added),
        removed=tuple(removed),
        changed=tuple(changed),
        moved=moves,
        before=tuple(sorted(was[n].file for n in (*removed, *changed, *(move.before for move in moves)))),
        after=tuple(sorted(now[n].file for n in (*added, *changed, *(move.after for move in moves)))),
    )


def _files(connection: Connection) -> dict[str, _File]:
    rows = connection.rows("SELECT file, repo, path, blob, size, status, reason FROM files")
    return {
        f"{repo}:{path}": _File(file, blob, (blob, status, reason) if blob else (str(size), status, reason))
        for file, repo, path, blob, size, status, reason in rows
    }


def _moves(removed: dict[str, _File], added: dict[str, _File]) -> tuple[FileMove, ...]:
    """Pair files of equal bytes where there is one of each: of several, nobody can say which became which."""
    pairs = (_by_blob(removed), _by_blob(added))
    both = sorted(pairs[0].keys() & pairs[1].keys())
    moves = [FileMove(pairs[0][b][0], pairs[1][b][0]) for b in both if len(pairs[0][b]) == len(pairs[1][b]) == 1]
    return tuple(sorted(moves))


def _by_blob(files: dict[str, _File]) -> dict[str, Sequence[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name, file in files.items():
        if file.blob:
            found[file.blob].append(name)
    return dict(found)
