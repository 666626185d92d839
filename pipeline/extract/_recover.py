"""After a parse error: judge it, try a repaired text, and find the declarations that the grammar swallowed."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache
from typing import NamedTuple

from tree_sitter import Query, QueryCursor, Tree

from ..languages import Language
from ..languages._grammar import grammar
from ._depth import errors
from ._parse import OVER_BUDGET, Refused, parse
from ._query import Item

__all__ = ["Parsed", "best_parse", "is_harmless", "top_level"]

_MAX_FOUND = 1_000
"""Declarations recovered in one file: a tree is searched from its root for each, and no file that people write has more."""

_OPAQUE = ("comment", "string", "heredoc", "template", "regex", "text", "char")
"""Parts of node type names inside of which a line is no declaration, whatever it looks like."""


@cache
def _cursor(name: str, source: str) -> QueryCursor:
    return QueryCursor(Query(grammar(name), source))


@cache
def _first_line(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.M)


class Parsed(NamedTuple):
    """A tree, and the byte ranges of its error nodes; errors hidden inside a token have none and cost no symbol."""

    tree: Tree
    errors: frozenset[tuple[int, int]]


def best_parse(data: bytes, row: Language) -> Parsed:
    """Parse a text with the language's expansion, and after errors as it is and repaired; the fewest errors win.

    Offsets are those of `data` in every case, since both changes keep the length. Raises Refused if the first is refused.
    """
    expanded = row.expand(data) if row.expand is not None else None
    first = data if expanded is None else expanded
    best = _parsed(first, row)
    like = best.tree, first
    if best.errors and expanded is not None:
        best = _better(best, data, row, like)
    repaired = row.repair(data) if best.errors and row.repair is not None else None
    return best if repaired is None else _better(best, repaired, row, like)


def _parsed(text: bytes, row: Language, like: tuple[Tree, bytes] | None = None) -> Parsed:
    tree = parse(text, row.id, like)
    found = errors(tree)
    if found is None:
        raise Refused(OVER_BUDGET)
    return Parsed(tree, found)


def _better(first: Parsed, text: bytes, row: Language, like: tuple[Tree, bytes]) -> Parsed:
    """Return the parse of a text if it has fewer errors than the first; `like` is a tree of most of it, see `parse`."""
    try:
        second = _parsed(text, row, like)
    except Refused:
        return first
    return first if len(first.errors) <= len(second.errors) else second


def is_harmless(parsed: Parsed, row: Language) -> bool:
    """Say whether every error comes from a known gap of the grammar and costs no symbol."""
    if not parsed.errors:
        return True
    return row.harmless_errors != "" and parsed.errors <= _harmless(parsed.tree, row)


def top_level(data: bytes, row: Language, tree: Tree | None, known: list[Item]) -> list[Item]:
    """Return declarations that begin in column 0 and are not among `known`; by line patterns, without a grammar."""
    taken = {item.name_start for item in known}
    starts = sorted({item.start for item in known if item.name_start >= 0})
    found: list[Item] = []
    for rule in row.recovery:
        ends: list[int] | None = None
        for match in _first_line(rule.pattern).finditer(data):
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


def _harmless(tree: Tree, row: Language) -> frozenset[tuple[int, int]]:
    """Return the byte ranges of the errors that the language knows as harmless."""
    assert row.grammar is not None
    captured = _cursor(row.grammar, row.harmless_errors).captures(tree.root_node)
    return frozenset(node.byte_range for nodes in captured.values() for node in nodes)


def _is_opaque(tree: Tree, start: int, end: int) -> bool:
    node = tree.root_node.descendant_for_byte_range(start, end)
    return node is not None and any(part in node.type for part in _OPAQUE)


def _next(offsets: list[int], at: int, otherwise: int) -> int:
    """Return the first of the ascending offsets that is beyond `at`."""
    place = bisect_right(offsets, at)
    return offsets[place] if place < len(offsets) else otherwise
