"""After a parse error: judge it, try a repaired text, and find the declarations that the grammar swallowed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache

from tree_sitter import Query, QueryCursor, Tree

from ..languages import Language
from ._parse import grammar, parse
from ._query import Item

__all__ = ["best_tree", "is_harmless", "top_level"]

_ERRORS = "(ERROR) @error (MISSING) @error"
_MAX_FOUND = 1_000
"""Declarations recovered in one file: a tree is searched from its root for each, and no file that people write has more."""

_OPAQUE = ("comment", "string", "heredoc", "template", "regex", "text", "char")
"""Parts of node type names inside of which a line is no declaration, whatever it looks like."""


@cache
def _cursor(name: str, source: str) -> QueryCursor:
    return QueryCursor(Query(grammar(name), source))


def best_tree(data: bytes, row: Language) -> Tree:
    """Parse a text, with the language's expansion, and after errors its repair, where these have no more errors.

    Offsets are those of `data` in every case, since both keep the length.
    """
    tree = _changed(data, row, row.expand)
    if tree is None or tree.root_node.has_error:
        tree = _better(tree, parse(data, row.id), row)
    if tree.root_node.has_error:
        tree = _better(tree, _changed(data, row, row.repair) or tree, row)
    return tree


def _changed(data: bytes, row: Language, change: Callable[[bytes], bytes | None] | None) -> Tree | None:
    text = change(data) if change is not None else None
    assert text is None or len(text) == len(data)
    return None if text is None else parse(text, row.id)


def _better(tree: Tree | None, other: Tree, row: Language) -> Tree:
    """Return the tree with fewer errors, the first if there are as many."""
    return tree if tree is not None and _error_count(tree, row) <= _error_count(other, row) else other


def is_harmless(tree: Tree, row: Language) -> bool:
    """Say whether every error costs no symbol: it is hidden inside a token, or comes from a known gap of the grammar."""
    errors = _errors(tree, row, _ERRORS)
    return not errors or (row.harmless_errors != "" and errors <= _errors(tree, row, row.harmless_errors))


def top_level(data: bytes, row: Language, tree: Tree | None, known: list[Item]) -> list[Item]:
    """Return declarations that begin in column 0 and are not among `known`; by line patterns, without a grammar."""
    taken = {item.name_start for item in known}
    starts = sorted({item.start for item in known if item.name_start >= 0})
    found: list[Item] = []
    for rule in row.recovery:
        ends: list[int] | None = None
        for match in rule.pattern.finditer(data):
            at, after = match.span("name")
            if at in taken or len(found) >= _MAX_FOUND or (tree is not None and _is_opaque(tree, at, after)):
                continue
            taken.add(at)
            ends = ends if ends is not None else [end.end() for end in rule.end.finditer(data)]
            end = min(_next(ends, after, len(data)), _next(starts, after, len(data)))
            end = after + len(data[after:end].rstrip())
            line = data.find(b"\n", after, end)
            found.append(Item(match.start(), -end, at, after, line, -1, -1, rule.kind))
    return found


def _error_count(tree: Tree, row: Language) -> int:
    return len(_errors(tree, row, _ERRORS)) if tree.root_node.has_error else 0


def _errors(tree: Tree, row: Language, source: str) -> set[tuple[int, int]]:
    assert row.grammar is not None
    captured = _cursor(row.grammar, source).captures(tree.root_node)
    return {node.byte_range for nodes in captured.values() for node in nodes}


def _is_opaque(tree: Tree, start: int, end: int) -> bool:
    node = tree.root_node.descendant_for_byte_range(start, end)
    return node is not None and any(part in node.type for part in _OPAQUE)


def _next(offsets: list[int], at: int, otherwise: int) -> int:
    """Return the first of the ascending offsets that is beyond `at`."""
    place = bisect_right(offsets, at)
    return offsets[place] if place < len(offsets) else otherwise
