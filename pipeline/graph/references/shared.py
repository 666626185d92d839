"""Symbols and references are found by one query, so that a tree is walked once: what extraction saw is collected later."""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node, QueryCursor, Tree

from ._patterns import Pattern, query, query_text, settings

__all__ = ["Matches", "Pattern", "matches_of", "offer", "query_text", "settings"]


class Matches(NamedTuple):
    """The settings of all patterns, and the number of its pattern and the captures of each match, in the query's order."""

    patterns: tuple[Pattern, ...]
    found: list[tuple[int, dict[str, list[Node]]]]


_offered: list[tuple[Tree, Matches]] = []


def offer(tree: Tree, matches: Matches) -> None:
    """Keep the matches of a tree until they are asked for, or until those of the next tree are known."""
    _offered[:] = [(tree, matches)]


def matches_of(tree: Tree, language: str) -> Matches:
    """Return the matches of a tree: those offered, else of a walk of its own."""
    offered = _offered.pop() if _offered else None
    if offered is not None and offered[0] is tree:
        return offered[1]
    compiled, patterns = query(language)
    return Matches(patterns, QueryCursor(compiled).matches(tree.root_node))
