"""Run a language's query over a tree and reduce the matches to plain tuples.

A pattern of a `.scm` file names its symbol by one capture that is a word of KINDS (`@function`), on one node or from the
first to the last of several (a head and its body that are siblings), or plays a role:

    @wrap       widens the declarations directly inside it to its own start (export statement, template head)
    @decorated  the same, for a node that holds decorators, which are no part of the signature
    @attribute  a decorator that stands as a sibling before its declaration
    @scope      no symbol, but its `@name` owns the declarations inside its `@body` (a Rust impl block)
    @package    no symbol, but a namespace: owns its `@body`, or without one all that follows, up to the next
    @member     a method if a type, an object or a module owns it, nothing inside a function or on its own
    @prototype  a function unless inside one
    @access     no symbol, but the access (`public:`) of the members that follow it in the same owner
    @ignored    no symbol; takes the name from the patterns after it

Beside it may stand

    @name    for every symbol: the bytes of its name; of several captures, from the first to the last
    @body    where the head ends and inner declarations begin
    @value   a node whose `body` field is the body, itself if it has none (what a variable is bound to)
    @owner   the type that a declaration belongs to, where it is not the enclosing one (a Go receiver)

Captures for predicates begin with `_`. Where two patterns name the same bytes, the earlier one in the file wins: put the
exact ones first. Kinds, owners and locals are settled by the sweep: a function in a class is made a method there, and
variables in a function are dropped.
"""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node, Tree

from ..graph.references.shared import Matches, offer
from ._patterns import prepared

__all__ = ["Item", "items"]


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


def items(tree: Tree, language: str, *, references: bool = False) -> list[Item]:
    """Return the matches of the language's query, sorted, one for each name: that of the earliest pattern.

    With `references` the matches of the query for references are found on the way, and offered to who collects them.
    """
    named: dict[int, tuple[int, Item]] = {}
    found: list[Item] = []
    root = tree.root_node
    for cursor, kinds, ranks, settings in prepared(language, references=references):
        matches = cursor.matches(root)
        if settings:
            own = len(kinds)
            offer(tree, Matches(settings, [match for match in matches if match[0] >= own]))
            matches = [match for match in matches if match[0] < own]
        for pattern, captures in matches:
            name = captures.get("name")
            if name is None:
                found.append(_item(kinds[pattern], captures, None))
                continue
            at, rank = name[0].start_byte, ranks[pattern]
            seen = named.get(at)
            if seen is None or rank < seen[0]:
                named[at] = rank, _item(kinds[pattern], captures, name[0])
    found += [item for _, item in named.values() if item.kind != "ignored"]
    found.sort()
    return found


def _item(kind: str, captures: dict[str, list[Node]], name: Node | None) -> Item:
    nodes = captures[kind]
    owner = captures.get("owner")
    return Item(
        nodes[0].start_byte,
        -nodes[-1].end_byte,
        name.start_byte if name is not None else -1,
        captures["name"][-1].end_byte if name is not None else -1,
        _body(captures),
        owner[0].start_byte if owner else -1,
        owner[0].end_byte if owner else -1,
        kind,
    )


def _body(captures: dict[str, list[Node]]) -> int:
    body = captures.get("body")
    if body:
        return body[0].start_byte
    value = captures.get("value")
    if not value:
        return -1
    inner = value[0].child_by_field_name("body")
    return (value[0] if inner is None else inner).start_byte
