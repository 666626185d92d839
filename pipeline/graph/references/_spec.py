"""The row of facts that the collector needs of a language beside its query file."""

from __future__ import annotations

from dataclasses import dataclass

from .chains import ChainSpec

__all__ = ["LanguageSpec"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageSpec:
    """`grammar` names the parser, `queries` the `.scm` files, read as one.

    `self_names` begin an assignment to a field of the enclosing class; `patterns` are node kinds that bind several names
    by position, `records` those that bind members by name, `inside` those around one name; assigning to a member of
    `exports` defines a name of the file. `grouped`: one parameter node may declare several names. `header`
    is a pattern for the condition, at the head of a file, under which it is compiled.
    """

    grammar: str
    queries: tuple[str, ...]
    chains: ChainSpec
    self_names: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()
    records: frozenset[str] = frozenset()
    exports: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    grouped: bool = False
    header: bytes = b""
