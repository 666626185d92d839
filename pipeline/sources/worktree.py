"""List a git work tree: tracked files, untracked ones that git does not ignore, and the files of its submodules.

Whether a tracked file still has the bytes of its blob is told by comparing the stat data of git's index with the file,
as git itself does, and where that does not settle it by hashing the file. git is never asked, because it would run
the repository's filters to find out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from ...schemas.errors import SourceError
from .discovery import registered_submodules, submodule_place
from .disk import Tree
from .git import Place, call, git_answer, lines
from .listing import Found, examine
from .model import Stamp

__all__ = ["WorkTree", "list_worktree"]

_TRACKED = re.compile(
    rb"(?P<tag>[A-Za-z?]) (?P<mode>\d{6}) (?P<oid>[0-9a-f]{40,64}) (?P<stage>[0-3])\t(?P<path>[^\0]+)\0"
    rb"(?:  ctime: (\d+):(\d+)\n  mtime: (\d+):(\d+)\n  dev: \d+\tino: (\d+)\n  uid: \d+\tgid: \d+\n"
    rb"  size: (\d+)\tflags: [0-9a-f]+\n)?"
)
_GITLINK, _LINK = b"160000", b"120000"
_CUT = 0xFFFFFFFF
"""git's index keeps 32 bits of a size and of an inode."""

_ATTRIBUTES_LIMIT = 1 << 20
_CONVERTING = re.compile(rb"(?:filter|working-tree-encoding)=(?!lfs\b)")
"""Attributes by which a file of a blob's size may still hold other bytes than the blob."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkTree:
    """What a work tree holds, paths relative to the root; `submodules` are those whose files are among `found`."""

    found: tuple[Found, ...]
    staged: bool
    submodules: tuple[bytes, ...]


class _Tracked(NamedTuple):
    """One path of git's index; `stamp` is that of the file when git last saw it, its size and inode cut to 32 bits."""

    path: bytes
    mode: bytes
    oid: str
    sparse: bool
    stamp: Stamp | None


def list_worktree(place: Place, tree: Tree, *, tracked_only: bool, prefix: bytes = b"") -> WorkTree:
    """List `place.folder`, which is `prefix` (empty, or with a final slash) below the root that `tree` has open."""
    index = _index(place)
    written = _time_ns(place.git_dir / "index")
    found = [_examined(t, tree, prefix, written) for t in index if t.mode != _GITLINK]
    found = _with_sure_blobs(place, tree, found)
    if not tracked_only:
        others = lines(call(place, "ls-files", "-o", "-z", "--exclude-standard"))
        found += [_untracked(prefix + path, tree) for path in others]
    links = [t for t in index if t.mode == _GITLINK]
    below = list(_submodules(place, tree, links, tracked_only=tracked_only, prefix=prefix))
    return WorkTree(
        found=(*found, *(f for b in below for f in b.found)),
        staged=_staged(place) or any(b.staged for b in below),
        submodules=tuple(s for b in below for s in b.submodules),
    )


def _index(place: Place) -> list[_Tracked]:
    """Read git's index; of the stages of an unmerged path the first stands for all."""
    paths: dict[bytes, _Tracked] = {}
    for match in _TRACKED.finditer(call(place, "ls-files", "-s", "-t", "-z", "--debug")):
        tag, mode, oid, stage, path, *numbers = match.groups()
        stamp = None
        if numbers[0] and stage == b"0":
            cs, cn, ms, mn, inode, size = map(int, numbers)
            stamp = (size, ms * 10**9 + mn, cs * 10**9 + cn, inode)
        paths.setdefault(path, _Tracked(path=path, mode=mode, oid=oid.decode(), sparse=tag == b"S", stamp=stamp))
    return list(paths.values())


def _examined(tracked: _Tracked, tree: Tree, prefix: bytes, written: int) -> Found:
    """Look at a tracked path; its blob is the index's when the file still is what git saw before `written` (ns)."""
    found = examine(tree, prefix + tracked.path, sparse=tracked.sparse)
    if found.stamp is None:
        return found._replace(changed=found.reason != "not_checked_out")
    size, modified, created, inode = found.stamp
    if tracked.stamp == (size & _CUT, modified, created, inode & _CUT) and modified < written:
        return found._replace(blob=tracked.oid)
    return _compared(tracked, found, tree)


def _compared(tracked: _Tracked, found: Found, tree: Tree) -> Found:
    """Settle by its bytes whether a file differs from its blob; line ends that git would convert do not count."""
    algorithm = "sha1" if len(tracked.oid) == 40 else "sha256"
    try:
        digest, unix = tree.digests(found.path, algorithm, link=tracked.mode == _LINK)
    except OSError:
        return found._replace(changed=True)
    if digest == tracked.oid:
        return found._replace(blob=tracked.oid)
    return found._replace(changed=unix != tracked.oid)


def _with_sure_blobs(place: Place, tree: Tree, found: list[Found]) -> list[Found]:
    """Drop the blobs of files that hold other bytes than their blob because git converted them on checkout."""
    known = [f for f in found if f.blob is not None]
    out = git_answer(place, "cat-file", "--batch-check=%(objectsize)", stdin="\n".join(f.blob or "" for f in known).encode())
    sizes = out.out.split(b"\n")
    converting = _converting(place, tree, found)
    sure = {
        f.path
        for f, size in zip(known, sizes, strict=False)
        if not converting and size == b"%d" % (f.size or 0) and len(f.blob or "") == 40
    }
    return [f if f.blob is None or f.path in sure else f._replace(blob=None) for f in found]


def _converting(place: Place, tree: Tree, found: list[Found]) -> bool:
    """Tell whether attributes may change the bytes of a file but not their number."""
    texts = [_attributes(folder / "info" / "attributes") for folder in (place.git_dir, place.common_dir)]
    for f in found:
        if f.path.rpartition(b"/")[2] == b".gitattributes" and f.reason is None:
            with suppress(OSError):
                texts.append(tree.read(f.path, _ATTRIBUTES_LIMIT)[0])
    return any(_CONVERTING.search(text) for text in texts)


def _attributes(path: Path) -> bytes:
    """Read the attributes that belong to the repository and not to its tree."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return b""


def _submodules(place: Place, tree: Tree, links: list[_Tracked], *, tracked_only: bool, prefix: bytes) -> Iterator[WorkTree]:
    """List the files of each submodule that is checked out; the others become one skipped path each."""
    registered = registered_submodules(place) if links else frozenset()
    for link in links:
        path = prefix + link.path
        try:
            inner = submodule_place(place, tree, path, link.path, registered=link.path in registered)
            below = list_worktree(inner, tree, tracked_only=tracked_only, prefix=path + b"/")
        except SourceError as error:
            yield WorkTree(found=(Found(path=path, reason=f"submodule: {error}", folder=True),), staged=False, submodules=())
            continue
        moved = git_answer(inner, "rev-parse", "-q", "--verify", "HEAD").out.strip() != link.oid.encode()
        yield replace(below, staged=below.staged or moved, submodules=(path, *below.submodules))


def _untracked(path: bytes, tree: Tree) -> Found:
    if path.endswith(b"/"):
        return Found(path=path[:-1], reason="submodule: a repository of its own, not tracked", folder=True, changed=True)
    return examine(tree, path)._replace(changed=True)


def _staged(place: Place) -> bool:
    """Tell whether the index differs from the commit below the folder; an unborn branch has no commit to differ from."""
    return git_answer(place, "diff-index", "--cached", "--quiet", "--ignore-submodules=dirty", "HEAD", "--", ".").code == 1


def _time_ns(path: Path) -> int:
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return 0
