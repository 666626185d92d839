"""Grammars, loaded once a process, for all that parse or query."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar

__all__ = ["grammar"]


@cache
def grammar(name: str) -> Grammar:
    """Return a grammar by its name in tree-sitter-language-pack."""
    from tree_sitter_language_pack import get_language  # 20 MB of grammars: only where something is parsed

    return get_language(name)  # type: ignore[arg-type]  # its stub lists the names as literals
