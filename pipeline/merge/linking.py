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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..graph.facts import decode
from ..graph.link import (
    Links,
    Reach,
    components,
    link,
    reach_of,
)
from .linked import ENDS, ImportRow, Linked, symbol_edges
from .members import Member, members_of
from .placing import PlacedShard
from .relinking import Before

__all__ = ["Kept", "known_family", "link_family"]

log = logging.getLogger(__name__)

LINKS, REACH, BEFORE = "links", "reach", "linked"
"""Kinds of what is kept: the links of a group, what a repository reaches, and the files of a group with their links."""


class Kept(Protocol):
    """Where values of earlier runs are found, and new ones put (cache.Values)."""

    def get(self, kind: str, key: str) -> bytes | None:
        """Return a value, or None."""

    def put(self, kind: str, key: str, value: bytes) -> None:
        """Keep a value."""


def link_family(shards: Sequence[PlacedShard], family: str, kept: Kept | None = None, code: str = "") -> Linked:
    """Resolve the references of a family of languages in all shards; `code` is a digest of the code that does.

    Holds all references of the family at once. The files are numbered as in the snapshot.
    """
    with _no_cycles():
        members = members_of(shards, family)
        reaches = [_reach(member, kept, code) for member in members] if len(members) > 1 else []
        return _together((group, _linked(group, kept, code)) for group in _groups(members, reaches))


def known_family(shards: Sequence[PlacedShard], family: str, kept: Kept, code: str) -> Linked | None:
    """Return the same if nothing of the family has to be linked for it, else None; holds the family's encoded references."""
    with _no_cycles():
        members = members_of(shards, family)
        reaches = [_known_reach(member, kept, code) for member in members] if len(members) > 1 else []
        found = [reach for reach in reaches if reach is not None]
        if len(found) < len(reaches):
            return None
        groups = list(_groups(members, found))
        parts = [(group, linked) for group in groups if (linked := _known(group, kept, code)) is not None]
        return _together(parts) if len(parts) == len(groups) else None


def _together(parts: Iterable[tuple[Sequence[Member], Linked]]) -> Linked:
    """Put the links of groups together; the files get the numbers of the snapshot."""
    edges: list[NDArray[Any]] = [np.zeros(0, ENDS)]
    imports: set[ImportRow] = set()
    unresolved: Counter[tuple[str, str, str]] = Counter()
    for group, part in parts:
        numbers = np.array([file.number for member in group for file in member.files], np.int32)
        moved = part.edges.copy()
        moved["source_file"], moved["target_file"] = (numbers[moved[end]] for end in ("source_file", "target_file"))
        edges.append(moved)
        at = [*numbers.tolist(), -1]
        imports.update(ImportRow(at[row.file], row.line, row.module, at[row.target]) for row in part.imports)
        unresolved.update({key[:3]: key[3] for key in part.unresolved})
    rows = tuple((*key, calls) for key, calls in sorted(unresolved.items()))
    return Linked(edges=np.concatenate(edges), imports=tuple(sorted(imports)), unresolved=rows)


def _groups(members: Sequence[Member], reaches: Sequence[Reach]) -> Iterator[list[Member]]:
    """Yield what is to be linked together; `reaches` are those of the members if there are several."""
    for group in components(reaches) if reaches else [list(range(len(members)))]:
        yield [members[i] for i in group]


def _reach(member: Member, kept: Kept | None, code: str) -> Reach:
    known = _known_reach(member, kept, code) if kept is not None else None
    if known is not None:
        return known
    reach = reach_of(member.family, member.link_files)
    if kept is not None:
        kept.put(REACH, _key(REACH, code, [member]), json.dumps([sorted(names) for names in reach]).encode())
    return reach


def _known_reach(member: Member, kept: Kept, code: str) -> Reach | None:
    known = kept.get(REACH, _key(REACH, code, [member]))
    return None if known is None else Reach(*map(frozenset, json.loads(known)))


def _linked(group: Sequence[Member], kept: Kept | None, code: str) -> Linked:
    """Link a group, or find what linking it gave; files are numbered within it."""
    if kept is None:
        return _columns(link([file for member in group for file in member.link_files]))
    known = _known(group, kept, code)
    if known is not None:
        return known
    before, data = _before(group, kept, code), _data(group)
    links = _again(before, group, data) if before is not None else None
    links = links or link([file for member in group for file in member.link_files])
    key = _key(LINKS, code, group)
    return _kept(group, _columns(links), Before.of(_shared(group), key, data, links), kept, code)


def _known(group: Sequence[Member], kept: Kept, code: str) -> Linked | None:
    """Return the links of a group if it does not have to be linked for them."""
    key = _key(LINKS, code, group)
    known = kept.get(LINKS, key)
    if known is not None:
        return Linked.loads(known)
    before = _before(group, kept, code)
    moved = _moved(before, key, group, _data(group), kept) if before is not None else None
    return None if moved is None else _kept(group, *moved, kept, code)


def _before(group: Sequence[Member], kept: Kept, code: str) -> Before | None:
    """Return what is known of the group when it was last linked, if all but facts is as it was."""
    held = kept.get(BEFORE, _group_key(group, code))
    before = Before.loads(held) if held is not None else None
    return before if before is not None and before.shared == _shared(group) else None


def _kept(group: Sequence[Member], linked: Linked, before: Before, kept: Kept, code: str) -> Linked:
    """Keep the links of a group and what the next run compares with."""
    kept.put(LINKS, before.key, linked.dumps())
    kept.put(BEFORE, _group_key(group, code), before.dumps())
    return linked


def _columns(links: Links) -> Linked:
    imports = tuple(sorted({ImportRow(*row) for row in links.imports}))
    return Linked(edges=symbol_edges(links), imports=imports, unresolved=links.unresolved)


def _moved(
    before: Before, key: str, group: Sequence[Member], data: Sequence[bytes | None], kept: Kept
) -> tuple[Linked, Before] | None:
    """Return the links of before with the lines that they have now, where files changed in nothing else."""
    lines = before.lines(data)
    links = kept.get(LINKS, before.key) if lines is not None else None
    if lines is None or links is None:
        return None
    log.debug("%s: %d files of %d say the same in other places", group[0].family, len(lines), len(data))
    return Linked.loads(links).moved(lines), before.moved(key, data, lines)


def _again(before: Before, group: Sequence[Member], data: Sequence[bytes | None]) -> Links | None:
    """Link only the files that changed, where no other file could see what changed."""
    known = before.known(group[0].family, data)
    if known is None:
        return None
    log.debug("%s: %d files of %d are linked again", group[0].family, len(known.changed), len(data))
    facts = [decode(one, references=number in known.changed) if one is not None else None for number, one in enumerate(data)]
    bare = (file for member in group for file in member.bare_files)
    return link([replace(file, facts=own) for file, own in zip(bare, facts, strict=True)], known)


def _shared(group: Sequence[Member]) -> str:
    """Return a digest of all that counts but facts."""
    return " ".join(member.shared for member in group)


def _data(group: Sequence[Member]) -> list[bytes | None]:
    """Return the encoded facts of the family, None for files without."""
    return [file.data for member in group for file in member.files]


def _group_key(group: Sequence[Member], code: str) -> str:
    names = [BEFORE, code, group[0].family, *(member.repo for member in group)]
    return hashlib.sha256(json.dumps(names).encode()).hexdigest()


def _key(kind: str, code: str, group: Sequence[Member]) -> str:
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
