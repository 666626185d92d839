"""What other files could see of a file, and whether a change of it could matter to any of them.

The *outline* of a file are its definitions, imports and bases without places, and without what is inside of functions whose
result is declared: nobody looks in there from elsewhere. When outlines differ, linking another file again gives something
else only if a name that differs is looked up, and a name is looked up only where it is written: in the facts of a file
that is as it was, or in the outline of one that changed. So a name that is in neither is a change that nobody sees.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..facts import FileReferences

__all__ = ["RELINKED", "Change", "change"]

RELINKED = frozenset({"go", "rust"})
"""Families where a function's result is declared and parameters have types, so that outlines say little of bodies."""

_PRIVATE_IMPORTS = frozenset({"go"})
"""Families where no other file sees what a file imports."""

_PLAIN = re.compile(r"[^\W\d]\w*")
_UNWRITTEN = frozenset(
    "return yield exports default constructor this self Self super crate new init main __call__ __getitem__ __iter__ "
    "__enter__ __aenter__ __init__ __new__".split()
)
"""Names that are looked up without being written."""

_TYPES = frozenset({"class", "interface", "enum", "namespace", "type", "struct", "trait", "object", "impl"})
_BOUND = frozenset({"import", "from"})
"""Kinds of imports that bind one name and do nothing else."""


class _Item(NamedTuple):
    """One thing that others see: the names it is found by, what it says, and its position if it is a definition, else -1."""

    name: str
    said: tuple[str, ...]
    position: int


class Change(NamedTuple):
    """How a file's outline changed: names that differ, the text of all that is as it was, and where definitions went."""

    names: frozenset[str]
    private: frozenset[str]
    same: str
    moved: dict[int, int]


def change(family: str, old: FileReferences, new: FileReferences) -> Change | None:
    """Compare two versions of one file; None when something changed that names don't tell.

    `private` are names that differ which only the file itself could look up.
    """
    before, after = list(_outline(old)), list(_outline(new))
    kept, differing = _split(before, after)
    others, more = _split(after, before)
    differing += more
    if [item[:2] for item in kept] != [item[:2] for item in others]:
        return None  # of several definitions of one name, the order counts
    if not all(map(_is_told, differing)):
        return None
    private = {item.name for item in differing if item.position < 0 and family in _PRIVATE_IMPORTS}
    names = {item.name for item in differing if item.position >= 0 or family not in _PRIVATE_IMPORTS}
    moved = {a.position: b.position for a, b in zip(kept, others, strict=True)}
    return Change(frozenset(names), frozenset(private), "\0".join(text for item in kept for text in item.said), moved)


def unseen(changes: Sequence[Change], others: Iterable[bytes]) -> bool:
    """Return whether no name that differs is written in the facts of the other files, or in an outline as it was."""
    outlines = "\0".join(change.same for change in changes)
    names = {name for change in changes for name in change.names}
    if any(name in outlines for name in names) or any(p in c.same for c in changes for p in c.private):
        return False
    wanted = [name.encode() for name in sorted(names)]
    return not any(name in data for data in others for name in wanted)


def _split(items: Sequence[_Item], others: Sequence[_Item]) -> tuple[list[_Item], list[_Item]]:
    """Return the items that the others have too, as often as they do, and the rest."""
    left = Counter(item[:2] for item in others)
    both: list[_Item] = []
    rest: list[_Item] = []
    for item in items:
        left[item[:2]] -= 1
        (both if left[item[:2]] >= 0 else rest).append(item)
    return both, rest


def _is_told(item: _Item) -> bool:
    """Return whether the item's name is all that another file could be led to it by; type parameters count by place."""
    plain = _PLAIN.fullmatch(item.name) is not None and item.name not in _UNWRITTEN
    return plain and (item.position < 0 or item.said[2] != "type")


def _outline(facts: FileReferences) -> Iterator[_Item]:
    hidden, paths = _hidden(facts), _paths(facts)
    first: dict[int, str] = {}
    for d in facts.definitions:
        if d.kind == "parameter":
            first.setdefault(d.scope, d.type)
    for position, d in enumerate(facts.definitions):
        if not hidden[d.scope]:
            opened = f"{hidden[d.inner]} {first.get(d.inner, '')}" if d.inner >= 0 else ""
            said = (paths[d.scope], d.name, d.kind, d.type, d.value, d.flags, str(d.arity), d.owner, opened)
            yield _Item(d.name, said, position)
    for i in facts.imports:
        plain = i.kind in _BOUND and i.name != "*" and not hidden[i.scope]
        bound = i.alias or i.name or re.split(r"::|[./]", i.module)[-1]
        if not hidden[i.scope]:
            yield _Item(bound if plain else "", (paths[i.scope], i.kind, i.module, i.name, i.alias), -1)
    for b in facts.bases:
        if not hidden[b.scope]:
            yield _Item("", (paths[b.scope], b.relation, b.type), -1)


def _hidden(facts: FileReferences) -> list[bool]:
    """Return for each scope whether no other file looks into it."""
    opened = {d.scope for d in facts.definitions if d.kind in _TYPES} | {i.scope for i in facts.imports}
    opened |= {d.scope for d in facts.definitions if d.kind == "return" and not _declares(facts, d.scope)}
    fields = any(d.owner[:1] == "@" and d.owner[1:2].isdigit() for d in facts.definitions)
    hidden: list[bool] = []
    for number, scope in enumerate(facts.scopes):
        inside = scope.parent >= 0 and hidden[scope.parent]
        body = scope.kind == "function" and number not in opened and not fields
        hidden.append(inside or body)
    return hidden


def _declares(facts: FileReferences, scope: int) -> bool:
    """Return whether the function that opens the scope says what it returns."""
    d = facts.scopes[scope].definition
    return d >= 0 and bool(facts.definitions[d].type)


def _paths(facts: FileReferences) -> list[str]:
    """Return for each scope the names and kinds of those around it, numbered among equals."""
    paths: list[str] = []
    seen: Counter[str] = Counter()
    for scope in facts.scopes:
        name = facts.definitions[scope.definition].name if scope.definition >= 0 else ""
        path = f"{paths[scope.parent] if scope.parent >= 0 else ''}/{scope.kind} {name}"
        seen[path] += 1
        paths.append(path if seen[path] == 1 else f"{path} {seen[path]}")
    return paths
