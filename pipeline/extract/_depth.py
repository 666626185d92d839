"""Tell a tree that is too deep to search, before any query runs over it."""

from __future__ import annotations

from tree_sitter import Tree

__all__ = ["MAX_TREE_DEPTH", "is_too_deep"]

MAX_TREE_DEPTH = 49_152
"""Levels of a tree that is searched. Queries of tree-sitter keep depths in 16 bits: from 65,536 levels on they miss matches
and take quadratic time. Deep without brackets are chains of operators; code that people write has under 600 levels."""

_STEP = 16_384


def is_too_deep(tree: Tree) -> bool:
    """Say whether a tree may be deeper than `MAX_TREE_DEPTH`; never so if it has less than two thirds of these levels.

    In preorder, a node is at most one level below the node before it, so a look at every `_STEP`-th bounds all between.
    """
    count = tree.root_node.descendant_count
    if count <= MAX_TREE_DEPTH:
        return False
    cursor = tree.walk()
    for index in range(0, count, _STEP):
        cursor.goto_descendant(index)
        if cursor.depth > MAX_TREE_DEPTH - _STEP:
            return True
    return False
