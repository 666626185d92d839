"""Run a language's query over a tree and reduce the matches to plain tuples.

A pattern of a `.scm` file names its symbol by one capture that is a word of KINDS (`@function`), or plays a role:

    @wrap       widens the declarations directly inside it to its own start (export statement, template head)
    @decorated  the same, for a node that holds decorators, which are no part of the signature
    @attribute  a decorator that stands as a sibling before its declaration
    @scope      no symbol, but its `@name` owns the declarations inside its `@body` (a Rust impl block)
    @member     a method if a type, an object or a module owns it, nothing inside a function or on its own
    @prototype  a function unless inside one
    @access     no symbol, but the access (`public:`) of the members that follow it in the same owner
    @ignored    no symbol; takes the name from the patterns after it

Beside it may stand `@name` (for every symbol), `@body` (where the head ends and inner declarations begin) and `@owner`
(the type that a declaration belongs to, where it is not the enclosing one: a Go receiver). Captures for predicates
begin with `_`. Where two patterns name the same bytes, the earlier one in the file wins: put the exact ones first.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from tree_sitter import Node, Query, QueryCursor, Tree

from ..languages import KINDS, LANGUAGES, query_source
from ._parse import grammar, parse

__all__ = ["ROLES", "Item", "items"]

ROLES = frozenset({"wrap", "decorated", "attribute", "scope", "access"})
_CONDITIONAL = frozenset({"member", "prototype", "ignored"})


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


class _Part(NamedTuple):
    """Some patterns of a language in one cursor, with the kind and the rank of each."""

    cursor: QueryCursor
    kinds: tuple[str, ...]
    ranks: tuple[int, ...]


@cache
def _prepared(language: str) -> tuple[_Part, ...]:
    """Compile the query of a language in two parts.

    Patterns that begin at the root of the tree see only its top levels: a cursor that starts no match below it does not
    descend into bodies, which takes a twentieth of the time. All others share one full walk.
    """
    row = LANGUAGES[language]
    assert row.grammar is not None
    source, root = query_source(row), parse(b"", language).root_node.type
    query, text = Query(grammar(row.grammar), source), source.encode()
    spans = [(query.start_byte_for_pattern(i), query.end_byte_for_pattern(i)) for i in range(query.pattern_count)]
    patterns = [text[start:end].decode() for start, end in spans]
    shallow = [i for i, pattern in enumerate(patterns) if re.match(rf"\(+\s*{root}\b", pattern)]
    parts = []
    for ranks in (shallow, [i for i in range(len(patterns)) if i not in shallow]):
        if ranks:
            cursor = QueryCursor(Query(grammar(row.grammar), "\n".join(patterns[i] for i in ranks)))
            if ranks is shallow:
                cursor.set_max_start_depth(0)
            parts.append(_Part(cursor, tuple(_kind(patterns[i], language) for i in ranks), tuple(ranks)))
    return tuple(parts)


def _kind(pattern: str, language: str) -> str:
    captures = {str(found[1]) for found in _CAPTURE.finditer(pattern) if found[1]}
    kinds = sorted(name for name in captures if name in KINDS or name in ROLES or name in _CONDITIONAL)
    if len(kinds) != 1:
        raise ValueError(
            f"each pattern of {language} must have one capture that is a kind or a role, not {kinds}: {pattern}"
        )
    return kinds[0]


def items(tree: Tree, language: str) -> list[Item]:
    """Return the matches of the language's query, sorted, one for each name: that of the earliest pattern."""
    named: dict[int, tuple[int, Item]] = {}
    roles: list[Item] = []
    root = tree.root_node
    for cursor, kinds, ranks in _prepared(language):
        for pattern, captures in cursor.matches(root):
            kind, rank = kinds[pattern], ranks[pattern]
            name = captures.get("name")
            if name is None:
                node = captures[kind][0]
                body = captures.get("body")
                roles.append(Item(node.start_byte, -node.end_byte, -1, -1, body[0].start_byte if body else -1, -1, -1, kind))
                continue
            at = name[0].start_byte
            seen = named.get(at)
            if seen is None or rank < seen[0]:
                named[at] = rank, _item(kind, captures)
    found = [item for _, item in named.values() if item.kind != "ignored"]
    found += roles
    found.sort()
    return found


def _item(kind: str, captures: dict[str, list[Node]]) -> Item:
    node, name = captures[kind][0], captures["name"][0]
    body, owner = captures.get("body"), captures.get("owner")
    return Item(
        node.start_byte,
        -node.end_byte,
        name.start_byte,
        name.end_byte,
        body[0].start_byte if body else -1,
        owner[0].start_byte if owner else -1,
        owner[0].end_byte if owner else -1,
        kind,
    )
