"""What the layers of inference share: the world, what was answered before, and the questions they ask each other.

The layers build on one another, from names to expressions, and each may ask a later one: a name may be a class's member,
a definition's value that of an expression. So the questions are declared here.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from .dialects import dialect_of
from .values import SCOPE, Value

if TYPE_CHECKING:
    from .modules import Modules
    from .world import World

__all__ = [
    "ANY",
    "BODIES",
    "CALLABLES",
    "CALLED",
    "CLASSES",
    "DEEPEST",
    "EVERYWHERE",
    "GENERATORS",
    "NAME_ALONE",
    "NOTHING",
    "PENDING",
    "TYPES",
    "Answer",
    "Core",
    "Step",
]

Answer = tuple[Value, int]
"""A value and the rank of how it was found."""

Step = tuple[Answer, str, str]
"""What the base of a chain is worth, the steps that follow, and the dialect: equal ones lead to the same."""

NOTHING: Answer = (None, SCOPE)

PENDING: Answer = (None, *NOTHING[1:])
"""Unknown because it is just being asked: told from NOTHING by identity."""

EVERYWHERE = 1 << 60
"""In place of a byte: behind everything in the file, so that the order of definitions does not count."""

DEEPEST = 40
"""Nested questions; real code needs under 15, and generated code must not exhaust the stack."""

CALLABLES = frozenset({"function", "method", "constructor", "macro", "prototype"})
CLASSES = frozenset({"class", "interface", "enum", "namespace", "struct", "trait"})
BODIES = frozenset({"class", "object"})
ANY: frozenset[str] = frozenset()
TYPES = frozenset({"class", "interface", "enum", "type", "namespace", "struct", "trait"})
CALLED = CALLABLES | TYPES
GENERATORS = frozenset({"Iterator", "Generator", "Iterable", "AsyncIterator", "AsyncGenerator"})
NAME_ALONE = re.compile(r"[A-Z][A-Z0-9]?$")
"""Names that nobody gives but to a type parameter."""


_MARKED = 16
"""Items after which it is noted how much is known: whole answers of as many may be forgotten with one that is not."""

_Item = TypeVar("_Item")


class Core(ABC):
    """State and open questions."""

    def __init__(self, world: World, modules: Modules) -> None:
        self.world = world
        self.modules = modules
        self.dialect = dialect_of("")
        self.members_of: dict[int, dict[str, list[int]]] = {}
        self.parameter_classes: dict[tuple[str, str, str], int] = {}
        self._defined: dict[int, Answer] = {}
        self._imported: dict[int, Answer] = {}
        self._types: dict[tuple[str, int], Value] = {}
        self._paths: dict[tuple[str, int], Value] = {}
        self._named_in: dict[tuple[str, int], tuple[int, ...]] = {}
        self._returned: dict[int, Value] = {}
        self._orders: dict[int, tuple[tuple[int, ...], bool]] = {}
        self._asked: set[object] = set()
        """Questions of other kinds than values that are just being asked."""
        self._exports: dict[tuple[int, str], tuple[int, ...]] = {}
        self._walked: dict[Step, Answer] = {}
        self._targets: dict[Step, tuple[list[int], Value, int]] = {}
        self._starts: dict[tuple[int, str, bool], tuple[Answer, list[int]]] = {}
        self._outers: dict[tuple[int, str, frozenset[str]], tuple[list[int], int]] = {}
        self._members: dict[tuple[int, str], list[int]] = {}
        self._memos: tuple[dict[Any, Any], ...] = (
            *(self._defined, self._imported, self._types, self._paths, self._named_in, self._returned, self._orders),
            *(self._exports, self._walked, self._targets, self._starts, self._outers, self._members, modules.answers),
        )
        self._searching: set[tuple[int, str]] = set()
        self._depth = 0
        self._views: dict[int, int] = {}
        """Of scopes, those from which types are looked up (Typed)."""

        self._own: dict[int, Mapping[str, list[int]]] = {}
        self.whole = False
        """Whether all bodies and members have been given to their classes, so that these can be remembered."""

        self.placed = False
        """Whether an answer depended on where in its scope a name stands."""

    def settled(self, items: Iterable[_Item]) -> Iterator[_Item]:
        """Yield items whose questions stand by themselves: what a cycle cut short is forgotten before the next one.

        What is unknown within a cycle depends on where the cycle was entered. So only whole answers outlast the item that
        they were found for, and what a file's names mean does not depend on which files were linked before it.
        """
        known = self._known()
        for number, item in enumerate(items):
            if not number % _MARKED:
                known = self._known()
            yield item
            if self.modules.cut:
                self._forget(known)

    def _known(self) -> list[int]:
        return [len(memo) for memo in self._memos]

    def _forget(self, known: Sequence[int]) -> None:
        """Drop the latest answers, but for so many of each kind."""
        self.modules.cut = False
        for memo, length in zip(self._memos, known, strict=True):
            while len(memo) > length:
                memo.popitem()

    @abstractmethod
    def chain(self, scope: int, byte: int, text: str) -> Answer:
        """Return the value of a chain at `byte` in `scope`; of several alternatives, the first known one."""

    @abstractmethod
    def type_value(self, text: str, scope: int, bound: Value = None) -> Value:
        """Return an instance of the declared type `text` as written in `scope`."""

    @abstractmethod
    def first(self, values: list[Value]) -> Value:
        """Of a union, keep what is of this corpus; the rest only when there is nothing else."""

    @abstractmethod
    def member_of_class(self, d: int, name: str) -> list[int]:
        """Return the definitions of the member, its own or the nearest base's."""

    @abstractmethod
    def member(self, value: Value, name: str, rank: int) -> Answer:
        """Return the value of `.name` on a value."""

    @abstractmethod
    def members(self, value: Value, name: str, rank: int) -> tuple[list[int], int]:
        """Return the definitions behind `.name` on a value, and the rank of that step."""

    @abstractmethod
    def result(self, value: Value, step: str) -> Value:
        """Return what a call of the value gives."""
