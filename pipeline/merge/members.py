"""What each repository has of a family of languages, as linking sees it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import groupby
from typing import Any, NamedTuple

import pyarrow as pa

from ...schemas.tables import ROLES
from .._arrow import compute
from ..graph.facts import decode, language_of
from ..graph.link import LinkFile, family_of, is_configuration, told
from .placing import PlacedShard, release

__all__ = ["Member", "families_of", "members_of"]

_HEAD = 48
"""Bytes of encoded facts that name their language."""

_TEST = 1 << ROLES.index("test")


class _File(NamedTuple):
    """A file before its facts are read: `data` are they, encoded, None for files of other families."""

    number: int
    path: str
    is_test: bool
    data: bytes | None
    text: str | None


class Member:
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


def members_of(shards: Sequence[PlacedShard], family: str) -> list[Member]:
    """Return the parts that repositories have in a family, of those that have one."""
    repos = (list(placed) for _, placed in groupby(shards, key=lambda placed: placed.source))
    members = [member for placed in repos if (member := _member(placed, family)) is not None]
    release(shards)
    return members


def _member(placed: Sequence[PlacedShard], family: str) -> Member | None:
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
    return Member(repo, files, family, shared, own.hexdigest())


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
