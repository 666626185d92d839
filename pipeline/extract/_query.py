"""Run a language's query over a tree and reduce the matches to plain tuples.

A pattern of a `.scm` file names its symbol by one capture that is a word of KINDS (`@function`), or plays a role:

    @wrap       widens the declarations directly inside it to its own start (export statement, template head)
    @decorated  the same, for a node that holds decorators, which are no part of the signature
    @attribute  a decorator that stands as a sibling before its declaration
    @scope      no symbol, but its `@name` owns the declarations inside it (a Rust impl block)

Beside it may stand `@name` (required but for the first three), `@body` (where the head ends and inner declarations
begin) and `@owner` (the type that a declaration belongs to, where it is not the enclosing one: a Go receiver).
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from tree_sitter import Query, QueryCursor, Tree

from ..languages import KINDS, LANGUAGES, query_source
from ._parse import grammar

__all__ = ["ROLES", "Item", "items"]

ROLES = ("wrap", "decorated", "attribute", "scope")


class Item(NamedTuple):
    """One match: sorted by start, then the larger first; offsets are bytes, -1 where there is no such capture."""

    start: int
    minus_end: int
    name_start: int
    name_end: int
    body: int
    owner_start: int
    owner_end: int
    kind: str


_CAPTURE = re.compile(r'"(?:[^"\\]|\\.)*"|;[^\n]*|@([\w.]+)')


@cache
def _prepared(language: str) -> tuple[QueryCursor, tuple[str, ...]]:
    """Return the language's cursor and, for each pattern, its kind or role."""
    row = LANGUAGES[language]
    assert row.grammar is not None
    source = query_source(row)
    query, text = Query(grammar(row.grammar), source), source.encode()
    spans = [(query.start_byte_for_pattern(i), query.end_byte_for_pattern(i)) for i in range(query.pattern_count)]
    return QueryCursor(query), tuple(_kind(text[start:end].decode(), language) for start, end in spans)


def _kind(pattern: str, language: str) -> str:
    captures = {found for found in _CAPTURE.findall(pattern) if found}
    kinds = sorted(name for name in captures if name in KINDS or name in ROLES)
    if len(kinds) != 1:
        raise ValueError(f"each pattern of {language} must have one capture that is a kind or a role, not {kinds}: {pattern}")
    return kinds[0]


def items(tree: Tree, language: str) -> list[Item]:
    """Return the matches of the language's query, sorted, one for each name: that of the earliest pattern."""
    cursor, kinds = _prepared(language)
    found: list[Item] = []
    rank: dict[int, int] = {}
    place: dict[int, int] = {}
    for pattern, captures in cursor.matches(tree.root_node):
        kind = kinds[pattern]
        node = captures[kind][0]
        name = captures.get("name")
        if name is None:
            found.append(Item(node.start_byte, -node.end_byte, -1, -1, -1, -1, -1, kind))
            continue
        at = name[0].start_byte
        seen = rank.get(at)
        if seen is not None and seen <= pattern:
            continue
        body, owner = captures.get("body"), captures.get("owner")
        item = Item(
            node.start_byte,
            -node.end_byte,
            at,
            name[0].end_byte,
            body[0].start_byte if body else -1,
            owner[0].start_byte if owner else -1,
            owner[0].end_byte if owner else -1,
            kind,
        )
        rank[at] = pattern
        if seen is None:
            place[at] = len(found)
            found.append(item)
        else:
            found[place[at]] = item
    found.sort()
    return found
