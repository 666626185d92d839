"""From the bytes of one file to the facts that are known of it; pure, and the only place that parses.

bytes ─► content.inspect ─► text ─► parse (with expansion and repair) ─► query ─► sweep ─► FileFacts
                              │         or scan, where a language has no grammar   ▲
                              └─► regions in other languages, each read likewise ──┘
"""

from __future__ import annotations

from tree_sitter import Tree

from ..content import inspect
from ..facts import FileFacts, SymbolFact
from ..graph.references import supported
from ..languages import LANGUAGES, Language, Region, detect
from ._docs import module_doc
from ._embedded import merged, scripts, shifted
from ._limits import Limits, nesting
from ._parse import OVER_BUDGET, Refused, parse
from ._query import Item, items
from ._recover import best_parse, is_harmless, top_level
from ._sweep import sweep

__all__ = ["Limits", "facts_and_tree", "file_facts", "parse"]

_TELLING = 65536
"""Characters that decide between languages of one extension; a licence and many includes fit."""


def file_facts(data: bytes, language: str | None, basename: str, limits: Limits) -> FileFacts:
    """Return the facts alone, see `facts_and_tree`."""
    return facts_and_tree(data, language, basename, limits, references=False)[0]


def facts_and_tree(
    data: bytes, language: str | None, basename: str, limits: Limits, *, references: bool = True
) -> tuple[FileFacts, Tree | None]:
    """Return what is known of a file from its bytes, and the syntax tree that it was read from, None where nothing was parsed.

    `language` is what `languages.detect` said; `basename` tells generated files and secrets. Raises for no content; a
    skipped file has a reason and no text. The tree's offsets are those of the UTF-8 of `FileFacts.text`, so that more
    queries can share the parse; its language is `FileFacts.embedded` or else `FileFacts.language`. Unless nobody wants
    `references`, and where they can be collected (pipeline.graph.references), their query has run beside that of the symbols.
    """
    seen = inspect(data, basename, allow_secrets=limits.allow_secrets)
    text = seen.text
    if text is None:
        facts = FileFacts(
            status="skipped", reason=seen.reason, encoding=seen.encoding, generated=seen.generated,
            lines=None, text=None, symbols=(), language=language,
        )  # fmt: skip
        return facts, None
    row = LANGUAGES.get(_refined(language, text, basename) or "")
    regions: tuple[Region, ...] = ()
    if row is not None and row.embed is not None:
        text, regions = row.embed(text)
    data = text.encode("utf-8", "replace")
    reason, symbols, doc, tree = _read(data, row, limits, references=references and row is not None and supported(row.id))
    embedded = None
    if regions:
        reason, symbols = _with_regions(data, regions, symbols, limits)
        if references:
            embedded, tree = _scripts(data, regions, limits)
    facts = FileFacts(
        status="partial" if reason else "indexed",
        reason=reason,
        encoding=seen.encoding,
        generated=seen.generated,
        lines=text.count("\n") + (text != "" and not text.endswith("\n")),
        text=text,
        symbols=symbols,
        language=row.id if row is not None else language,
        embedded=embedded,
        doc=doc,
    )
    return facts, tree


def _read(
    data: bytes, row: Language | None, limits: Limits, *, references: bool = False
) -> tuple[str | None, tuple[SymbolFact, ...], str, Tree | None]:
    """Return why a file is partial or None, its symbols, its own doc comment, and its tree."""
    if row is None or not data or data.isspace():
        return None, (), "", None
    if row.grammar is None:
        return None, _scanned(data, row, limits), module_doc(data, row.doc, limits.max_doc), None
    doc = module_doc(data, row.doc, limits.max_doc)
    deepest = min(limits.max_depth, row.max_depth or limits.max_depth)
    if nesting(data, deepest) > deepest:
        return "too_deep", _by_lines(data, row, limits), doc, None
    try:
        parsed = best_parse(data, row)
    except Refused as refused:
        return refused.reason, _by_lines(data, row, limits), doc, None
    tree = parsed.tree
    found, reason = items(tree, row.id, references=references), None
    if not is_harmless(parsed, row):
        reason = "parse_errors"
        found = sorted(found + top_level(data, row, tree, found))
    if len(found) > limits.max_symbols:
        reason, found = OVER_BUDGET, found[: limits.max_symbols]
    symbols = sweep(data, found, row, limits)
    return reason, symbols, "" if symbols and symbols[0].doc == doc else doc, tree


def _by_lines(data: bytes, row: Language, limits: Limits) -> tuple[SymbolFact, ...]:
    return sweep(data, sorted(top_level(data, row, None, [])), row, limits)


def _scanned(data: bytes, row: Language, limits: Limits) -> tuple[SymbolFact, ...]:
    if row.scan is None:
        return ()
    found = []
    for kind, start, end, name, after, body in row.scan(data):
        while end > after and data[end - 1] in b"\r\n":
            end -= 1  # so that the last of those inside an owner ends with it
        found.append(Item(start, -end, name, after, min(body, end), -1, -1, kind))
    return sweep(data, sorted(found), row, limits)


def _with_regions(
    data: bytes, regions: tuple[Region, ...], symbols: tuple[SymbolFact, ...], limits: Limits
) -> tuple[str | None, tuple[SymbolFact, ...]]:
    """Return the first reason of a region to be partial, and the symbols of all regions beside those of the file."""
    reason, found, line, at = None, [symbols], 0, 0
    for region in regions:
        line += data.count(b"\n", at, region.start)
        at = region.start
        code = region.code if region.code is not None else data[at : region.end]
        why, inner, _, _ = _read(code, LANGUAGES.get(region.language), limits)
        reason = reason or why
        found.append(shifted(inner, at, line))
    return reason, merged(found)


def _scripts(data: bytes, regions: tuple[Region, ...], limits: Limits) -> tuple[str | None, Tree | None]:
    """Return the language and the tree of all parts with code read as one, None where that can't be."""
    joined = scripts(data, regions)
    if joined is None:
        return None, None
    row = LANGUAGES[joined[0]]
    deepest = min(limits.max_depth, row.max_depth or limits.max_depth)
    if nesting(joined[1], deepest) > deepest:
        return None, None
    try:
        return row.id, best_parse(joined[1], row).tree
    except Refused:
        return None, None


def _refined(language: str | None, text: str, basename: str) -> str | None:
    """Look further into a text whose file name alone does not tell its language."""
    if language is None or not detect.is_ambiguous(basename):
        return language
    return detect(basename, text[:_TELLING].encode("utf-8", "replace")) or language
