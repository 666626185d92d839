"""List a commit without a work tree, and read its files through one `cat-file --batch`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ...schemas.errors import UsageError
from .disk import link_reason
from .git import Place, blobs, call, git_answer
from .listing import Found
from .model import Content, Entry

__all__ = ["branch_of", "list_commit", "read_blobs", "resolve"]

_COMMIT = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64})\n")
_TREE_LINE = re.compile(rb"(?P<mode>\d{6}) (?P<type>\w+) (?P<oid>[0-9a-f]{40,64}) +(?P<size>\d+|-|BAD)\t(?P<path>[^\0]+)\0")


def resolve(place: Place, rev: str) -> str | None:
    """Return the commit of a revision, None for the HEAD of a repository without commits; else UsageError."""
    if rev.isprintable():
        answer = git_answer(place, "rev-parse", "-q", "--verify", "--end-of-options", f"{rev}^{{commit}}")
        if _COMMIT.fullmatch(answer.out):
            return answer.out.decode().strip()
    if rev == "HEAD" and git_answer(place, "symbolic-ref", "-q", "HEAD").code == 0:
        return None
    raise UsageError(f"{place.folder} has no revision {rev!r}: `git log --all` shows those there are")


def branch_of(place: Place, rev: str) -> str | None:
    """Return the branch that `rev` names; None when it names none, or HEAD is detached."""
    if rev == "HEAD":
        answer = git_answer(place, "symbolic-ref", "-q", "HEAD")
    else:
        answer = git_answer(place, "rev-parse", "-q", "--verify", "--symbolic-full-name", "--end-of-options", rev)
    ref = answer.out.decode("utf-8", "replace").strip()
    return ref.removeprefix("refs/heads/") if answer.code == 0 and ref.startswith("refs/heads/") else None


def list_commit(place: Place, commit: str) -> list[Found]:
    """List the files of a commit below `place.folder`."""
    out = call(place, "ls-tree", "-r", "-l", "-z", "--end-of-options", commit)
    records = [m.groups() for m in _TREE_LINE.finditer(out)]
    links = [(oid.decode(), path) for mode, _, oid, _, path in records if mode == b"120000"]
    targets = dict(zip((path for _, path in links), blobs(place, (oid for oid, _ in links)), strict=True)) if links else {}
    return [_found(*record, target=targets.get(record[4])) for record in records]


def read_blobs(place: Place, entries: Iterable[Entry]) -> Iterator[Content]:
    """Yield the contents of entries in their order."""
    wanted = tuple(entries)
    stream = blobs(place, (e.oid for e in wanted if e.reason is None and e.oid is not None))
    try:
        for entry in wanted:
            if entry.reason is not None or entry.oid is None:
                yield Content(entry=entry, data=None, reason=entry.reason)
                continue
            data = next(stream, None)
            yield Content(entry=entry, data=data, reason="missing" if data is None else None, blob=entry.blob)
    finally:
        stream.close()


def _found(mode: bytes, kind: bytes, oid: bytes, size: bytes, path: bytes, *, target: bytes | None) -> Found:
    if kind == b"commit":
        return Found(path=path, reason="submodule: not part of this commit", folder=True)
    if not size.isdigit():
        return Found(path=path, reason="missing: its object is not in this repository")
    if mode == b"120000":
        return Found(path=path, size=int(size), reason="symlink" if target is None else link_reason(path, target))
    name = oid.decode()
    return Found(path=path, size=int(size), blob=name if len(name) == 40 else None, oid=name)
