"""Markdown: headings are sections that hold what follows them, up to the next one of their level or above."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable

from ._facts import Found, Language
from ._markdown import Block, Document, read

__all__ = ["ROWS", "anchors", "plain_text"]

_LONGEST = 1_000
"""Characters of a heading that are read for its name."""

_MARKED = re.compile(r"[\\`*_~<\[{&\ue000-\uf8ff]")
"""What may be markup, or in the way of reading it."""

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
_KEPT = re.compile(r"[\ue000-\uf8ff]")
_ATTRIBUTES = re.compile(r"\s*\{[^{}\n]*\}\s*\Z")
_IMAGE = re.compile(r"!\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])?")
_LINK = re.compile(r"(?<!\w)\[([^\[\]]*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\[\]]*\])?")
_INLINE = (
    (re.compile(r"<([a-z][a-z0-9+.-]*:[^<>\s]*|[\w.+-]+@[\w.-]+)>", re.I), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.S), ""),
    (re.compile(r"(\*{1,3})(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"~~(?=\S)(.+?)(?<=\S)~~"), r"\1"),
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_CUSTOM = re.compile(r"(?:\{\s*:?\s*#([^\s{}]+)[^{}]*\}|\[#([^\s\[\]]+)\])\s*#*\s*\Z")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_WORD = frozenset("Lu Ll Lt Lm Lo Mn Mc Me Nd Pc".split())
_HTML_HEADING = re.compile(rb"<h([1-6])\b[^<>]*>((?:[^<]|<(?!/?h[1-6]))*+)</h\1\s*>", re.I | re.S)


def plain_text(markup: str) -> str:
    """Return the text of inline markup as it is read on the page, blanks collapsed; the words of an image only if alone."""
    text = markup[:_LONGEST]
    if not _MARKED.search(text):
        return " ".join(text.split())
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[found.lastindex or 0])
        return chr(0xE000 + len(kept) - 1)

    text = _KEPT.sub("", text)
    text = _ESCAPE.sub(keep, _CODE.sub(keep, text))
    text = _ATTRIBUTES.sub("", text)
    text = _LINK.sub(r"\1", _IMAGE.sub("", text)) if _IMAGE.sub("", text).strip() else _IMAGE.sub(r"\1", text)
    for pattern, replacement in _INLINE:
        text = pattern.sub(replacement, text)
    text = _KEPT.sub(lambda found: kept[ord(found[0]) - 0xE000] if ord(found[0]) - 0xE000 < len(kept) else "", text)
    return " ".join(html.unescape(text).split())


def anchors(headings: Iterable[tuple[str, str]]) -> list[str]:
    """Return the anchor of each heading of a document, without `#`, from their names and signatures in order.

    The rule is that of GitHub: lower case, only letters, marks, digits, `_`, `-`, blanks as `-`; the n-th of equal ones ends
    in `-n` from 1 on. An id that the heading itself gives, `{#id}` or `[#id]`, goes first.
    """
    taken: dict[str, int] = {}
    result = []
    for name, signature in headings:
        if custom := _CUSTOM.search(signature):
            result.append(custom[1] or custom[2])
            continue
        slug = _slug(name.lower())
        anchor = slug
        while anchor in taken:
            anchor = f"{slug}-{taken[slug]}"
            taken[slug] += 1
        taken[anchor] = 1
        result.append(anchor)
    return result


def _slug(text: str) -> str:
    """Keep what Ruby counts to words (`\\p{Word}`), `-` and blanks: `\\w` of Python lacks the marks and has more numbers."""
    if text.isascii():
        return _NOT_IN_SLUG.sub("", text).replace(" ", "-")
    kept = (char for char in text if char in "- " or unicodedata.category(char) in _WORD)
    return "".join(kept).replace(" ", "-")


def sections(data: bytes) -> list[Found]:
    """Return the headings of a text as sections; one in a quote or list item ends with it."""
    document = read(data)
    headings = [heading for block in document.blocks for heading in _headings(data, block)]
    ends = _ends(headings, document)
    return [
        Found("section", block.start, end, block.spans[0][0], block.spans[-1][1], min(block.end, end))
        for block, end in zip(headings, ends, strict=True)
    ]


def _headings(data: bytes, block: Block) -> list[Block]:
    """Return a block that is a heading, or the headings inside a block of HTML."""
    if block.kind == "heading":
        return [block] if block.spans[0][0] < block.spans[-1][1] else []
    if block.kind != "html":
        return []
    return [
        Block("heading", found.start(), found.end(), int(found[1]), (found.span(2),), block.group)
        for found in _HTML_HEADING.finditer(data, block.start, block.end)
    ]


def _ends(headings: list[Block], document: Document) -> list[int]:
    """Return where each section ends: at the next heading of its container that is not below it."""
    ends = [document.ends[heading.group] for heading in headings]
    open_: dict[int, list[int]] = {}
    for number, heading in enumerate(headings):
        stack = open_.setdefault(heading.group, [])
        while stack and headings[stack[-1]].level >= heading.level:
            ends[stack.pop()] = heading.start
        stack.append(number)
    return [max(end, heading.end) for end, heading in zip(ends, headings, strict=True)]


ROWS = (
    Language(
        id="markdown",
        extensions=(".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".Rmd"),
        scan=sections,
        spell=plain_text,
    ),
)
