"""After a parse error: judge it, try a repaired text, and find the declarations that the grammar swallowed."""

from __future__ import annotations

from functools import cache

from tree_sitter import Query, QueryCursor, Tree

from ..languages import Language
from ._parse import grammar, parse
from ._query import Item, items

__all__ = ["after_errors", "top_level"]

_ERRORS = "(ERROR) @error (MISSING) @error"
_OPAQUE = ("comment", "string", "heredoc", "template", "regex", "text", "char")
"""Parts of node type names inside of which a line is no declaration, whatever it looks like."""


@cache
def _cursor(name: str, source: str) -> QueryCursor:
    return QueryCursor(Query(grammar(name), source))


def after_errors(data: bytes, row: Language, tree: Tree) -> tuple[Tree, list[Item], str | None]:
    """Return the best tree for a text with errors, its items with those of the light scan, and the file's reason.

    The reason is None where every error comes from a known gap of the grammar and costs no symbol.
    """
    errors = _errors(tree, row, _ERRORS)
    if errors and row.harmless_errors and errors <= _errors(tree, row, row.harmless_errors):
        return tree, items(tree, row.id), None
    tree = _repaired(data, row, tree, len(errors))
    found = items(tree, row.id)
    return tree, sorted(found + top_level(data, row, tree, found)), "parse_errors"


def top_level(data: bytes, row: Language, tree: Tree | None, known: list[Item]) -> list[Item]:
    """Return declarations that begin in column 0 and are not among `known`; by line patterns, without a grammar."""
    taken = {item.name_start for item in known}
    starts = sorted({item.start for item in known if item.name_start >= 0})
    found: list[Item] = []
    for rule in row.recovery:
        for match in rule.pattern.finditer(data):
            at, end_of_name = match.span("name")
            if at in taken or (tree is not None and _is_opaque(tree, at, end_of_name)):
                continue
            taken.add(at)
            ending = rule.end.search(data, end_of_name)
            end = min((ending.end() if ending else len(data)), _next(starts, at, len(data)))
            found.append(Item(match.start(), -_trimmed(data, end_of_name, end), at, end_of_name, -1, -1, -1, rule.kind))
    return found


def _repaired(data: bytes, row: Language, tree: Tree, errors: int) -> Tree:
    """Return the tree of the repaired text if it has fewer errors, else `tree`."""
    text = row.repair(data) if row.repair is not None else None
    if text is None:
        return tree
    assert len(text) == len(data)
    other = parse(text, row.id)
    return other if len(_errors(other, row, _ERRORS)) < errors else tree


def _errors(tree: Tree, row: Language, source: str) -> set[tuple[int, int]]:
    assert row.grammar is not None
    captured = _cursor(row.grammar, source).captures(tree.root_node)
    return {node.byte_range for nodes in captured.values() for node in nodes}


def _is_opaque(tree: Tree, start: int, end: int) -> bool:
    node = tree.root_node.descendant_for_byte_range(start, end)
    return node is not None and any(part in node.type for part in _OPAQUE)


def _next(starts: list[int], at: int, otherwise: int) -> int:
    return next((s for s in starts if s > at), otherwise)


def _trimmed(data: bytes, low: int, end: int) -> int:
    return low + len(data[low:end].rstrip())
