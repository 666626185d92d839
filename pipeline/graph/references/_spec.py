"""The row of facts that the collector needs of a language beside its query file."""

from __future__ import annotations

from dataclasses import dataclass

from .chains import ChainSpec

__all__ = ["LanguageSpec"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSpec:
    """`grammar` names the parser and `query` the `.scm` file.

    `self_names` begin an assignment to a field of the enclosing class; `patterns` are node kinds that bind several names
    by position; `hoist` says whether `class` scopes keep a method's own name (as all do but for owners outside).
    """

    grammar: str
    query: str
    chains: ChainSpec
    self_names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
