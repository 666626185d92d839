"""Parse text into a syntax tree; the tree is shared by every query that runs over it."""

from __future__ import annotations

from functools import cache

from tree_sitter import Language as Grammar
from tree_sitter import Parser, Tree

from ..languages import LANGUAGES

__all__ = ["grammar", "parse"]


@cache
def grammar(name: str) -> Grammar:
    """Return a grammar by its name in tree-sitter-language-pack; loaded once a process."""
    from tree_sitter_language_pack import get_language  # 20 MB of grammars: only where something is parsed

    return get_language(name)  # type: ignore[arg-type]  # its stub lists the names as literals


@cache
def _parser(name: str) -> Parser:
    return Parser(grammar(name))


def parse(data: bytes, language: str) -> Tree:
    """Parse UTF-8 bytes as `language`, the id of a row with a grammar.

    Native code: a hostile input can kill the process, so this runs in child processes only.
    """
    row = LANGUAGES[language]
    if row.grammar is None:
        raise ValueError(f"{language} has no grammar")
    if row.final_newline and not data.endswith(b"\n"):
        data += b"\n"
    return _parser(row.grammar).parse(data)
