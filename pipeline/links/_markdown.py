"""Markdown: the links and anchors of a text, found in its blocks; code, comments and front matter have none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ..languages._markdown import Block, read
from ..languages.markdown import anchors
from ._destinations import definitions
from ._html import HINTS, of_block
from ._inline import Item, items
from ._targets import is_internal
from .marks import ANCHOR, MAX_LINKS, Mark

if TYPE_CHECKING:
    from ..facts import SymbolFact

__all__ = ["marks"]

_LINK_MARKS = (b"](", b"[[", b"]:")
"""One of these is in every text that has links other than HTML."""


def marks(data: bytes, symbols: Sequence[SymbolFact]) -> list[Mark]:
    """Return the links of a Markdown text, at most MAX_LINKS, and its anchors: those of its headings first."""
    found = _of_headings(symbols)
    has_tags = any(hint in data for hint in HINTS)
    if has_tags or any(mark in data for mark in _LINK_MARKS):
        inner = list(_of_blocks(data, has_tags))
        found += [mark for mark in inner if mark.form == ANCHOR]
        found += islice((m for m in inner if m.form != ANCHOR and is_internal(m.text)), MAX_LINKS)
    return found


def _of_headings(symbols: Sequence[SymbolFact]) -> list[Mark]:
    sections = [symbol for symbol in symbols if symbol.kind == "section"]
    names = anchors((symbol.name, symbol.signature) for symbol in sections)
    return [Mark(ANCHOR, name, symbol.name_line) for name, symbol in zip(names, sections, strict=True) if name]


def _of_blocks(data: bytes, has_tags: bool) -> Iterator[Mark]:
    blocks = read(data).blocks
    texts = {id(block): _text(data, block) for block in blocks if _may_link(data, block, has_tags)}
    defined: dict[str, str] = {}
    for block in blocks:
        text = texts.get(id(block), "")
        if block.kind == "paragraph" and text.startswith("["):
            for name, target in definitions(text)[0].items():
                defined.setdefault(name, target)  # of several definitions the first counts
    line, at = 1, 0
    for block in blocks:
        if not (text := texts.get(id(block), "")):
            continue
        line += data.count(b"\n", at, block.start)
        at = max(at, block.start)
        inner, done = line, 0
        for item in _of_block(block, text, defined):
            inner += text.count("\n", done, item.at)
            done = item.at
            yield Mark(item.form, item.text, inner)


def _of_block(block: Block, text: str, defined: dict[str, str]) -> Iterable[Item]:
    if block.kind == "html":
        return [Item(*found) for found in of_block(text)]
    start = definitions(text)[1] if block.kind == "paragraph" and text.startswith("[") else 0
    found = items(text[start:], defined)
    return [item._replace(at=item.at + start) for item in found] if start else found


def _may_link(data: bytes, block: Block, has_tags: bool) -> bool:
    start, end = block.start, block.end
    if block.kind == "html":
        return has_tags
    return data.find(b"[", start, end) >= 0 or (has_tags and data.find(b"<", start, end) >= 0)


def _text(data: bytes, block: Block) -> str:
    """Return the text of a block, its lines as they are and without the marks of containers."""
    text = b"\n".join([data[start:end] for start, end in block.spans])
    return text.replace(b"\r\n", b"\n").decode("utf-8", "replace")
