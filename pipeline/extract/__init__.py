"""From the bytes of one file to the facts that are known of it; pure, and the only place that parses."""

from __future__ import annotations

from ..content import inspect
from ..facts import FileFacts, SymbolFact
from ..languages import LANGUAGES, Language, detect
from ._docs import module_doc
from ._limits import Limits, nesting
from ._parse import parse
from ._query import items
from ._recover import best_tree, is_harmless, top_level
from ._sweep import Sweep

__all__ = ["Limits", "file_facts", "parse"]

_TELLING = 65536
"""Characters that decide between languages of one extension; a licence and many includes fit."""


def file_facts(data: bytes, language: str | None, basename: str, limits: Limits) -> FileFacts:
    """Return what is known of a file from its bytes.

    `language` is what `languages.detect` said; `basename` serves only to tell generated and lock files. Never raises
    for any content; a skipped file has a reason and no text.
    """
    seen = inspect(data, basename)
    if seen.text is None:
        return FileFacts(
            status="skipped", reason=seen.reason, encoding=seen.encoding, generated=seen.generated, lines=None, text=None, symbols=(),
            language=language,
        )
    language = _refined(language, seen.text, basename)
    row = LANGUAGES.get(language or "")
    reason, symbols, doc = None, (), ""
    if row is not None and row.grammar is not None and seen.text:
        reason, symbols, doc = _symbols(seen.text.encode("utf-8", "replace"), row, limits)
    return FileFacts(
        status="partial" if reason else "indexed",
        reason=reason,
        encoding=seen.encoding,
        generated=seen.generated,
        lines=seen.text.count("\n") + (not seen.text.endswith("\n") and seen.text != ""),
        text=seen.text,
        symbols=symbols,
        language=language,
        doc=doc,
    )


def _symbols(data: bytes, row: Language, limits: Limits) -> tuple[str | None, tuple[SymbolFact, ...], str]:
    """Return the reason why a file is partial or None, its symbols, and the doc comment of the file."""
    doc = module_doc(data, row.doc, limits.max_doc)
    sweep = Sweep(data, row, limits)
    deepest = min(limits.max_depth, row.max_depth or limits.max_depth)
    if nesting(data, deepest) > deepest:
        return "too_deep", tuple(sweep.run(top_level(data, row, None, []))), doc
    tree = best_tree(data, row)
    found = items(tree, row.id)
    reason = None
    if tree.root_node.has_error and not is_harmless(tree, row):
        reason = "parse_errors"
        found = sorted(found + top_level(data, row, tree, found))
    symbols = tuple(sweep.run(found)) if found else ()
    return reason, symbols, "" if symbols and symbols[0].doc == doc else doc


def _refined(language: str | None, text: str, basename: str) -> str | None:
    """Look further into a text whose file name alone does not tell its language."""
    if language is None or not detect.is_ambiguous(basename):
        return language
    return detect(basename, text[:_TELLING].encode("utf-8", "replace")) or language
