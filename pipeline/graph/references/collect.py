"""Turn the matches of a language's query into the facts of one file, in one pass and without recursion."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from tree_sitter import Node, Tree

from ...facts import SymbolFact
from .._regions import regions
from ..facts import FileReferences
from ._calls import Call, Uses
from ._patterns import Pattern
from ._state import Captures
from .languages import LANGUAGES
from .shared import Matches, matches_of

__all__ = ["collect", "supported"]

_SCOPES = frozenset({"function", "lambda", "class"})
_NAMING = frozenset({"value", "type"})
_Match = tuple[Pattern, Captures]


def supported(language: str) -> bool:
    """Return whether references are known for the language."""
    return language in LANGUAGES


def collect(tree: Tree, source: bytes, language: str, symbols: Sequence[SymbolFact] = ()) -> FileReferences:
    """Return what the file says about names; `source` is the UTF-8 whose offsets `tree` has.

    Definitions point to the `symbols` that they are; a symbol that no pattern found, as after a parse error, becomes one.
    """
    return _Collector(source, language, symbols).run(tree.root_node, matches_of(tree, language))


class _Collector(Uses):
    """The sweep of one file."""

    def run(self, root: Node, matches: Matches) -> FileReferences:
        scopes, others, names, calls = self._sort(matches)
        if self._spec.header:
            self._read_header()
        self._open_scopes(root, scopes)
        starts, inside = regions([scope[3:] for scope in self._scopes])
        handlers: dict[str, Callable[[Pattern, Captures], None]] = {
            "bind": self._bind,
            "import": self._import,
            "use": self._use,
            "return": self._return,
            "decorator": self._decorator,
            "base": self._base,
            "outer": self._declare_outer,
        }
        for pattern, captures in others:
            self._scope = inside[bisect_right(starts, captures[pattern.first][0].start_byte) - 1]
            handlers[pattern.role](pattern, captures)
        self._called = {call[:2] for call in calls}
        self._values(names, starts, inside)
        self._add_calls(calls, starts, inside)
        return self._facts()

    def _sort(self, matches: Matches) -> tuple[list[_Match], list[_Match], list[tuple[Pattern, list[Node]]], list[Call]]:
        """Return scopes and all else as matches, named values, and calls, which need the matches' own order."""
        scopes: list[_Match] = []
        others: list[_Match] = []
        names: list[tuple[Pattern, list[Node]]] = []
        calls: list[Call] = []
        patterns = matches.patterns
        for number, captures in matches.found:
            pattern = patterns[number]
            role = pattern[0]
            if role == "call":
                calls.append(self._call(captures))
            elif role in _NAMING:
                names.append((pattern, captures["value"]))
            elif role == "tokens":
                calls.extend(self._token_call(captures))
            elif role in _SCOPES:
                scopes.append((pattern, captures))
            else:
                others.append((pattern, captures))
                if role == "import" or pattern.kind == "prototype":
                    self._announce(pattern, captures)
        return scopes, others, names, calls

    def _announce(self, pattern: Pattern, captures: Captures) -> None:
        """Note names that later steps must not define once more."""
        if pattern.role == "import":
            self._taken.update(nodes[0].start_byte for name, nodes in captures.items() if name in ("name", "alias"))
        else:
            self._declared.add(bisect_left(self._newlines, captures["name"][0].start_byte) + 1)
