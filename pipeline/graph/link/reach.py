"""Which repositories could see each other, family of languages by family: what cannot is linked apart, with the same edges.

A repository *offers* names by which others could find something of it: packages, crates, modules. It *mentions* the names by
which it looks beyond itself. Where no name is both, nothing of one has any part in what names mean in the other. Languages
whose files share namespaces without importing them offer and mention EVERYTHING.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

from ..facts import FileReferences
from .dialects import dialect_of
from .ecmascript_modules import EcmascriptModules, package_name
from .go_modules import GoModules
from .python_modules import PythonModules
from .rust_modules import RustModules
from .world import LinkFile, World

__all__ = ["EVERYTHING", "Reach", "components", "family_of", "reach_of"]

EVERYTHING = "*"


class _Offering(Protocol):
    """The imports of a family whose repositories find each other by the names of what they import."""

    def offered(self) -> frozenset[str]:
        """Return the names by which others find something."""


_FINDERS: dict[str, Callable[[World], _Offering]] = {
    "python": PythonModules,
    "ecmascript": EcmascriptModules,
    "go": GoModules,
    "rust": RustModules,
}
_ALONE = frozenset({"c"})
"""Families whose names stay in their repository."""

_WORD = re.compile(r"[^\W\d]\w*")
_REQUIRED = re.compile(r"`require ([^`]*)`")


class Reach(NamedTuple):
    """The names by which one repository's files of one family can be found, and by which they look for others."""

    offers: frozenset[str]
    mentions: frozenset[str]


def family_of(language: str) -> str:
    """Return the family of a grammar's language: files of different ones never share an edge."""
    dialect = dialect_of(language)
    return "c" if dialect.shared == "includes" else dialect.space or dialect.name


def reach_of(family: str, files: Sequence[LinkFile]) -> Reach:
    """Return the reach of one repository's files; those of other families among them have no facts."""
    if family in _ALONE:
        return Reach(frozenset(), frozenset())
    finder = _FINDERS.get(family)
    if finder is None:
        return Reach(frozenset({EVERYTHING}), frozenset({EVERYTHING}))
    bare = World.of([LinkFile(repo=file.repo, path=file.path, text=file.text) for file in files])
    mentioned = (name for file in files if file.facts is not None for name in _mentioned(family, file.facts))
    return Reach(finder(bare).offered(), frozenset(mentioned))


def components(reaches: Sequence[Reach]) -> list[list[int]]:
    """Return the positions of the reaches in groups, each ascending: those of two groups cannot see each other."""
    offering: dict[str, list[int]] = {}
    for position, reach in enumerate(reaches):
        for name in reach.offers:
            offering.setdefault(name, []).append(position)
    group = list(range(len(reaches)))

    def first(position: int) -> int:
        while group[position] != position:
            group[position] = group[group[position]]
            position = group[position]
        return position

    for position, reach in enumerate(reaches):
        for name in reach.mentions:
            for other in offering.get(name, ()):
                low, high = sorted((first(position), first(other)))
                group[high] = low
    found: dict[int, list[int]] = {}
    for position in range(len(reaches)):
        found.setdefault(first(position), []).append(position)
    return list(found.values())


def _mentioned(family: str, facts: FileReferences) -> Iterator[str]:
    for i in facts.imports:
        if family == "ecmascript":
            yield package_name(i.module)
        elif family == "rust":
            yield from _WORD.findall(f"{i.module} {i.name}")
        else:
            yield from _prefixes(i.module, "." if family == "python" else "/")
    if family == "ecmascript":
        yield from (package_name(text) for chain in _chains(facts) for text in _REQUIRED.findall(chain))
    if family == "rust":  # a crate's name needs no import
        yield from (word for chain in _chains(facts) for word in _WORD.findall(chain))


def _prefixes(text: str, between: str) -> Iterator[str]:
    while text:
        yield text
        text = text.rpartition(between)[0]


def _chains(facts: FileReferences) -> Iterator[str]:
    """Yield all texts that are looked up."""
    yield from (reference.chain for reference in facts.references)
    yield from (base.type for base in facts.bases)
    for d in facts.definitions:
        yield from (text for text in (d.name, d.type, d.value, d.owner, d.flags) if text)
