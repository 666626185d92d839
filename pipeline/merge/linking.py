"""Edges of one family of languages, linked group by group; those of earlier runs stay where nothing changed.

A group is what linking looks at together: the files of one family of languages in repositories that could see each other
(graph.link.reach). What it gives is kept under a digest of all that went in, so what is kept is right or is not found.
"""

from __future__ import annotations

import gc
import hashlib
import json
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.tables import ROLES
from .._arrow import compute
from ..graph.facts import decode, language_of
from ..graph.link import (
    LinkFile,
    Links,
    Reach,
    components,
    family_of,
    is_configuration,
    link,
    reach_of,
    symbol_edges,
    told,
)
from .linked import ENDS, ImportRow, Linked, encoded
from .placing import PlacedShard, release
from .relinking import Before

__all__ = ["Kept", "families_of", "link_family"]

log = logging.getLogger(__name__)

LINKS, REACH, BEFORE = "links", "reach", "linked"
"""Kinds of what is kept: the links of a group, what a repository reaches, and the files of a group with their links."""

_HEAD = 48
"""Bytes of encoded facts that name their language."""

_TEST = 1 << ROLES.index("test")


class Kept(Protocol):
    """Where values of earlier runs are found, and new ones put (cache.Values)."""

    def get(self, kind: str, key: str) -> bytes | None:
        """Return a value, or None."""

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Keep a value."""


class _File(NamedTuple):
    """A file before its facts are read: `data` are they, encoded, None for files of other families."""

    number: int
    path: str
    is_test: bool
    data: bytes | None
    text: str | None


class _Member:
    """One repository's part in a group: all its files, of which those of the family count; `digest` is of all that counts.

    `shared` is a digest of that without the facts.
    """

    def __init__(self, repo: str, files: Sequence[_File], family: str, shared: str, digest: str) -> None:
        self.repo = repo
        self.files = files
        self.family = family
        self.shared = shared
        self.digest = digest

    @property
    def bare_files(self) -> list[LinkFile]:
        """The files without facts."""
        return [LinkFile(repo=self.repo, path=f.path, is_test=f.is_test, text=f.text) for f in self.files]

    @cached_property
    def link_files(self) -> list[LinkFile]:
        """The files as linking sees them, decoded once."""
        facts = (decode(file.data) if file.data is not None else None for file in self.files)
        return [replace(file, facts=one) for file, one in zip(self.bare_files, facts, strict=True)]


def families_of(placed: PlacedShard) -> Iterator[tuple[str, int]]:
    """Yield the family of each file with references in a shard, and the bytes of these, encoded."""
    data = placed.shard.references["data"]
    sizes = compute.binary_length(data).to_pylist()
    yield from zip(_families(data), sizes, strict=True)


def link_family(shards: Sequence[PlacedShard], family: str, kept: Kept | None = None, code: str = "") -> Linked:
    """Resolve the references of a family of languages in all shards; `code` is a digest of the code that does.

    Holds all references of the family at once. The files are numbered as in the snapshot.
    """
    edges: list[NDArray[Any]] = [np.zeros(0, ENDS)]
    imports: set[ImportRow] = set()
    unresolved: Counter[tuple[str, str, str]] = Counter()
    with _no_cycles():
        for group in _groups(shards, family, kept, code):
            part = _linked(group, kept, code)
            numbers = np.array([file.number for member in group for file in member.files], np.int32)
            moved = part.edges.copy()
            moved["source_file"], moved["target_file"] = (numbers[moved[end]] for end in ("source_file", "target_file"))
            edges.append(moved)
            at = [*numbers.tolist(), -1]
            imports.update(ImportRow(at[row.file], row.line, row.module, at[row.target]) for row in part.imports)
            unresolved.update({key[:3]: key[3] for key in part.unresolved})
    rows = tuple((*key, calls) for key, calls in sorted(unresolved.items()))
    return Linked(edges=np.concatenate(edges), imports=tuple(sorted(imports)), unresolved=rows)


def _groups(shards: Sequence[PlacedShard], family: str, kept: Kept | None, code: str) -> Iterator[list[_Member]]:
    """Yield what is to be linked together."""
    repos = (list(placed) for _, placed in groupby(shards, key=lambda placed: placed.source))
    members = [member for placed in repos if (member := _member(placed, family)) is not None]
    release(shards)
    if len(members) == 1:
        yield members
    else:
        reaches = [_reach(member, kept, code) for member in members]
        yield from ([members[i] for i in group] for group in components(reaches))


def _member(placed: Sequence[PlacedShard], family: str) -> _Member | None:
    """Return a repository's part in a family, None if it has no file of it."""
    if not any(family == other for shard in placed for other, _ in families_of(shard)):
        return None
    files = [file for shard in placed for file in _files(shard, family)]
    repo = placed[0].repo
    own = hashlib.sha256(json.dumps([repo, [(file.path, file.is_test) for file in files]]).encode())
    said = [(file.path, told(family, file.path, file.text)) for file in files if file.text is not None]
    own.update(json.dumps(said).encode())
    shared = own.hexdigest()
    for file in files:
        if file.data is not None:
            own.update(f"{file.path}\0{len(file.data)}\0".encode())
            own.update(file.data)
    return _Member(repo, files, family, shared, own.hexdigest())


def _files(placed: PlacedShard, family: str) -> Iterator[_File]:
    shard = placed.shard
    data = shard.references["data"]
    of = zip(shard.references["file"].to_pylist(), _families(data), strict=True)
    references = {file: row for row, (file, other) in enumerate(of) if other == family}
    roles = shard.files["roles"].to_numpy()
    paths: list[Any] = shard.files["path"].to_pylist()
    texts = {int(file): i for i, file in enumerate(shard.texts["file"].to_numpy()) if is_configuration(paths[file])}
    for number, path in enumerate(paths):
        found, row = references.get(number), texts.get(number)
        yield _File(
            number=placed.first_file + number,
            path=path,
            is_test=bool(roles[number] & _TEST),
            data=None if found is None else data[found].as_py(),
            text=None if row is None else shard.texts["text"][row].as_py(),
        )


def _families(data: pa.ChunkedArray[Any]) -> Iterator[str]:
    """Yield the family of each file whose encoded facts are given."""
    known: dict[bytes, str] = {}
    for head in compute.binary_slice(data, 0, _HEAD).to_pylist():
        if head not in known:
            known[head] = family_of(language_of(head))
        yield known[head]


def _reach(member: _Member, kept: Kept | None, code: str) -> Reach:
    key = _key(REACH, code, [member])
    known = kept.get(REACH, key) if kept is not None else None
    if known is not None:
        offers, mentions = json.loads(known)
        return Reach(frozenset(offers), frozenset(mentions))
    reach = reach_of(member.family, member.link_files)
    if kept is not None:
        kept.put(REACH, key, json.dumps([sorted(names) for names in reach]).encode())
    return reach


def _linked(group: Sequence[_Member], kept: Kept | None, code: str) -> Linked:
    """Link a group, or find what linking it gave; files are numbered within it."""
    if kept is None:
        return _columns(link([file for member in group for file in member.link_files]))
    key = _key(LINKS, code, group)
    known = kept.get(LINKS, key)
    if known is not None:
        return Linked.loads(known)
    place, data, shared = _group_key(group, code), _data(group), _shared(group)
    held = kept.get(BEFORE, place)
    before = Before.loads(held) if held is not None else None
    if before is not None and before.shared != shared:
        before = None
    found = _moved(before, key, group, data, kept) if before is not None else None
    if found is None:
        links = _again(before, group, data) if before is not None else None
        links = links or link([file for member in group for file in member.link_files])
        found = _columns(links), Before.of(shared, key, data, links)
    kept.put(LINKS, key, found[0].dumps())
    kept.put(BEFORE, place, found[1].dumps())
    return found[0]


def _columns(links: Links) -> Linked:
    imports = tuple(sorted({ImportRow(*row) for row in links.imports}))
    return Linked(edges=encoded(symbol_edges(links)), imports=imports, unresolved=links.unresolved)


def _moved(
    before: Before, key: str, group: Sequence[_Member], data: Sequence[bytes | None], kept: Kept
) -> tuple[Linked, Before] | None:
    """Return the links of before with the lines that they have now, where files changed in nothing else."""
    lines = before.lines(data)
    links = kept.get(LINKS, before.key) if lines is not None else None
    if lines is None or links is None:
        return None
    log.debug("%s: %d files of %d say the same in other places", group[0].family, len(lines), len(data))
    return Linked.loads(links).moved(lines), before.moved(key, data, lines)


def _again(before: Before, group: Sequence[_Member], data: Sequence[bytes | None]) -> Links | None:
    """Link only the files that changed, where no other file could see what changed."""
    known = before.known(group[0].family, data)
    if known is None:
        return None
    log.debug("%s: %d files of %d are linked again", group[0].family, len(known.changed), len(data))
    facts = [decode(one, references=number in known.changed) if one is not None else None for number, one in enumerate(data)]
    bare = (file for member in group for file in member.bare_files)
    return link([replace(file, facts=own) for file, own in zip(bare, facts, strict=True)], known)


def _shared(group: Sequence[_Member]) -> str:
    """Return a digest of all that counts but facts."""
    return " ".join(member.shared for member in group)


def _data(group: Sequence[_Member]) -> list[bytes | None]:
    """Return the encoded facts of the family, None for files without."""
    return [file.data for member in group for file in member.files]


def _group_key(group: Sequence[_Member], code: str) -> str:
    names = [BEFORE, code, group[0].family, *(member.repo for member in group)]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


def _key(kind: str, code: str, group: Sequence[_Member]) -> str:
    return hashlib.sha256(
        "\0".join([kind, code, group[0].family, *(member.digest for member in group)]).encode()
    ).hexdigest()


@contextmanager
def _no_cycles() -> Iterator[None]:
    """Facts hold no cycles, and a collector that walks millions of them costs more than linking."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
