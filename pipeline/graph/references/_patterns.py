"""The queries of the languages, compiled once a process, and the settings of their patterns."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from tree_sitter import Query

from ...languages._grammar import grammar
from .languages import LANGUAGES

__all__ = ["Pattern", "binding_kinds", "grammar", "query", "query_text", "settings"]


_SPECIAL = frozenset({"own", "exported", "assigned", "property", "attribute", "alias"})
"""Kinds of bindings that reach out of their scope, or that count although a scope has the name already."""

_SETTINGS = ("role", "kind", "suffix", "wrap", "name", "alias", "after")


class Pattern(NamedTuple):
    """The settings of one pattern of a query, and the capture that says where it is.

    `is_plain`: it binds names of the scope that it is in, which is nearly all that patterns bind.
    """

    role: str
    kind: str
    suffix: str
    wrap: str
    name: str
    alias: str
    after: str
    first: str
    is_plain: bool = False


@lru_cache(maxsize=64)
def query(language: str) -> tuple[Query, tuple[Pattern, ...]]:
    text = query_text(language)
    compiled = Query(grammar(LANGUAGES[language].grammar), text)
    return compiled, settings(compiled, text)


def query_text(language: str) -> str:
    """Return the text of a language's query."""
    return "\n".join(files(__package__).joinpath(f"{q}.scm").read_text("utf-8") for q in LANGUAGES[language].queries)


def settings(compiled: Query, text: str) -> tuple[Pattern, ...]:
    """Return the settings of the patterns of a query that was compiled from `text`."""
    source = text.encode()
    return tuple(_pattern(compiled, source, number) for number in range(compiled.pattern_count))


def _pattern(compiled: Query, text: bytes, number: int) -> Pattern:
    """Read a pattern's `#set!` settings; its place is its name, its first value, or its module."""
    settings = compiled.pattern_settings(number)
    source = text[compiled.start_byte_for_pattern(number) : compiled.end_byte_for_pattern(number)].decode()
    first = next((c for c in ("name", "value", "module") if f"@{c}" in source), "")
    role, kind, suffix, wrap, name, alias, after = (settings.get(key) or "" for key in _SETTINGS)
    is_plain = role == "bind" and not after and kind not in _SPECIAL
    return Pattern(role, kind, suffix, wrap, name, alias, after, first, is_plain)


@lru_cache(maxsize=64)
def binding_kinds(language: str) -> tuple[frozenset[int], ...]:
    """Return the numbers of the node kinds that bind several names by position, by name, and one name inside."""
    spec = LANGUAGES[language]
    language_ = grammar(spec.grammar)
    every = (spec.patterns, spec.records, spec.inside)
    return tuple(frozenset(language_.id_for_node_kind(kind, True) or -1 for kind in kinds) for kinds in every)
