"""Tell a tree that queries cannot search in linear time, before any of them runs over it."""

from __future__ import annotations

from tree_sitter import Tree

__all__ = ["MAX_TREE_DEPTH", "is_tangled", "is_too_deep"]

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


def is_tangled(tree: Tree) -> bool:
    """Say whether errors left a node with too many children under each other, so that a query takes quadratic time.

    The children of a node are the leaves of a balanced tree of hidden nodes, which every step of a query climbs. Below an error
    node, and where many children are broken, it is not balanced but a list.
    """
    root = tree.root_node
    if not root.has_error or root.descendant_count <= MAX_BROKEN:
        return False
    cursor, broken = tree.walk(), [0]
    while True:
        node = cursor.node
        if node is not None and node.has_error:
            broken[-1] += not node.is_error
            if broken[-1] > MAX_BROKEN or (node.is_error and node.child_count > MAX_IN_ERROR):
                return True
            if cursor.goto_first_child():
                broken.append(0)
                continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
            broken.pop()
