"""Show what is extracted from a file, and what its grammar sees there that is not.

    scripts/grammar.py FILE [--language ID]

First the symbols, with their lines; then the kinds of named nodes in the syntax tree from which nothing is extracted, the most
frequent first, each with the number of such nodes and the line of the first. Most of them are expressions and statements; a
declaration among them is what the query of the language misses.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from codequarry.pipeline.extract import Limits, facts_and_tree
from codequarry.pipeline.extract._patterns import prepared
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.languages import LANGUAGES, detect
from tree_sitter import Node, Tree

__all__ = ["Unused", "report", "unused"]


class Unused(NamedTuple):
    """A kind of named node, the number of its nodes in a tree, and the line of the first, from 1."""

    kind: str
    nodes: int
    line: int


def unused(tree: Tree, language: str) -> list[Unused]:
    """Return the kinds of named nodes of which no node is captured by the language's query, the most frequent first."""
    captured = {
        node.type
        for cursor, *_ in prepared(language)
        for _, captures in cursor.matches(tree.root_node)
        for name, nodes in captures.items()
        if not name.startswith("_")  # these serve predicates only
        for node in nodes
    }
    found: dict[str, Unused] = {}
    for node in _named(tree):
        if node.type not in captured:
            seen = found.get(node.type, Unused(node.type, 0, node.start_point.row + 1))
            found[node.type] = seen._replace(nodes=seen.nodes + 1)
    return sorted(found.values(), key=lambda one: (-one.nodes, one.kind))


def _named(tree: Tree) -> Iterator[Node]:
    """Yield the named nodes below the root, in the order of the text."""
    cursor = tree.walk()
    down = cursor.goto_first_child()
    while down:
        if cursor.node is not None and cursor.node.is_named:
            yield cursor.node
        down = cursor.goto_first_child() or cursor.goto_next_sibling()
        while not down and cursor.goto_parent():
            down = cursor.goto_next_sibling()


def report(facts: FileFacts, tree: Tree | None) -> Iterator[str]:
    """Yield the lines of the report."""
    yield f"{facts.language or 'no language'}, {facts.status}{f' ({facts.reason})' if facts.reason else ''}"
    yield ""
    yield f"{len(facts.symbols)} symbols"
    for symbol in facts.symbols:
        yield f"{symbol.start_line:>6}-{symbol.end_line:<6} {symbol.kind:<12} {symbol.qualified_name}"
    yield ""
    if tree is None or facts.language is None:
        yield "no syntax tree: read by a scanner of lines, as text, or in parts of other languages"
        return
    kinds = unused(tree, facts.language)
    yield f"{len(kinds)} kinds of named nodes from which nothing is extracted"
    for kind, nodes, line in kinds:
        yield f"{nodes:>6} {kind}, first in line {line}"


def main() -> None:
    """Read the file, print the report."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--language", help="an id, where the name of the file does not tell")
    args = arguments.parse_args()
    try:
        data = args.file.read_bytes()
    except OSError as error:
        sys.exit(f"grammar: cannot read {args.file}: {error.strerror}; name a file")
    language = args.language or detect(args.file.as_posix(), data[:65536])
    if language not in LANGUAGES:
        sys.exit(f"grammar: the language of {args.file} is {language or 'unknown'}; name one with --language")
    for line in report(*facts_and_tree(data, language, args.file.name, Limits())):
        print(line)


if __name__ == "__main__":
    main()
