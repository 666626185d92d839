"""Compile a language's query, each pattern once: compiling is a matter of milliseconds a pattern in large grammars."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tree_sitter import Query, QueryCursor

from ..graph.references.shared import Pattern, query_text, settings
from ..languages import KINDS, LANGUAGES, query_source
from ..languages._grammar import grammar
from ._parse import parse

__all__ = ["ROLES", "Part", "prepared", "split"]

ROLES = frozenset({"wrap", "decorated", "attribute", "scope", "package", "access"})
"""Captures of items that are no symbols themselves, see _query."""

_CONDITIONAL = frozenset({"member", "prototype", "ignored"})
"""Captures of items that are symbols of another kind, or none."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|;[^\n]*|[()\[\]]')
_CAPTURE = re.compile(r'"(?:[^"\\]|\\.)*"|;[^\n]*|@([\w.]+)')


class Part(NamedTuple):
    """Some patterns of a language in one cursor, with the kind and the rank of each.

    Behind them may be those of references: then `settings` has a row for every pattern, else none.
    """

    cursor: QueryCursor
    kinds: tuple[str, ...]
    ranks: tuple[int, ...]
    settings: tuple[Pattern, ...]


@cache
def prepared(language: str, *, references: bool = False) -> tuple[Part, ...]:
    """Compile the query of a language in two parts; `references` joins the query of pipeline.graph.references to the first.

    Patterns that begin at the root of the tree see only its top levels: a cursor that starts no match below it does not
    descend into bodies, which takes a twentieth of the time. All others share one full walk.
    """
    row = LANGUAGES[language]
    assert row.grammar is not None
    root = re.compile(rf"\(+\s*{parse(b'', language).root_node.type}\b")
    patterns = list(enumerate(split(query_source(row))))
    shallow = [(rank, pattern) for rank, pattern in patterns if root.match(pattern)]
    deep = [(rank, pattern) for rank, pattern in patterns if not root.match(pattern)]
    joined = query_text(language) if references else ""
    parts = [_part(deep, language, row.grammar, joined)] if deep or joined else []
    if shallow:
        parts.append(_part(shallow, language, row.grammar))
        parts[-1].cursor.set_max_start_depth(0)
    return tuple(parts)


def _part(chosen: list[tuple[int, str]], language: str, name: str, joined: str = "") -> Part:
    text = "\n".join([*(pattern for _, pattern in chosen), joined])
    query = Query(grammar(name), text)
    kinds = tuple(_kind(pattern, language) for _, pattern in chosen)
    return Part(QueryCursor(query), kinds, tuple(rank for rank, _ in chosen), settings(query, text) if joined else ())


def split(source: str) -> Iterator[str]:
    """Yield the patterns of a query's text."""
    depth, start = 0, -1
    for token in _TOKEN.finditer(source):
        if token[0] in "([":
            if depth == 0:
                if start >= 0:
                    yield source[start : token.start()]
                start = token.start()
            depth += 1
        elif token[0] in ")]":
            depth -= 1
    if start >= 0:
        yield source[start:]


def _kind(pattern: str, language: str) -> str:
    captures = {str(found[1]) for found in _CAPTURE.finditer(pattern) if found[1]}
    kinds = sorted(name for name in captures if name in KINDS or name in ROLES or name in _CONDITIONAL)
    if len(kinds) != 1:
        raise ValueError(f"each pattern of {language} must capture one kind or role, not {kinds}: {pattern}")
    return kinds[0]
