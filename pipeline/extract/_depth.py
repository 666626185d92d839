"""Tell a tree that queries cannot search in linear time, before any of them runs over it, and find its errors."""

from __future__ import annotations

from tree_sitter import Tree

__all__ = ["MAX_TREE_DEPTH", "errors", "is_too_deep"]

MAX_TREE_DEPTH = 49_152
"""Levels of a tree that is searched. Queries of tree-sitter keep depths in 16 bits: from 65,536 levels on they miss matches
and take quadratic time. Deep without brackets are chains of operators; code that people write has under 600 levels."""

_STEP = 16_384

MAX_IN_ERROR, MAX_BROKEN = 65_536, 4_096
"""Children of an error node, and children with errors of any other node: each costs up to a second a query at its limit."""


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


def errors(tree: Tree) -> frozenset[tuple[int, int]] | None:
    """Return the byte ranges of the nodes that are errors or were missing, None if the tree is tangled.

    It is, if errors left a node with too many children under each other, so that a query takes quadratic time: the children of a
    node are the leaves of a balanced tree of hidden nodes, which every step of a query climbs. Below an error node, and where many
    children are broken, it is not balanced but a list. Only nodes with errors and their children are visited.
    """
    cursor, broken, found = tree.walk(), [0], set[tuple[int, int]]()
    while True:
        node = cursor.node
        if node is not None and (node.is_error or node.is_missing):
            found.add(node.byte_range)
        if node is not None and node.has_error:  # false of an error without children, which is a character skipped
            broken[-1] += not node.is_error
            if broken[-1] > MAX_BROKEN or (node.is_error and node.child_count > MAX_IN_ERROR):
                return None
            if cursor.goto_first_child():
                broken.append(0)
                continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return frozenset(found)
            broken.pop()
