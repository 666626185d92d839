"""HTML, and the component files that hold scripts between markup: Vue, Svelte, Astro."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from ._facts import DocStyle, Embedded, Found, Language, Region
from ._tags import IDENTITIES, SCRIPTS, Tag, attributes, tags

_HEADING = re.compile(rb"h[1-6]")
_NO_TEXT = re.compile(rb"(?:\s|<[^<>]*>)*+")
_NAME = re.compile(rb"[^\s{}<>$]+")
"""An id that is one, and no expression of a template language."""

_LONGEST = 1_000
"""Characters of a heading that are read for its name."""

_TAG = re.compile(r"<[^<>]*>")
_FRONT = re.compile(rb"\s*---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.S | re.M)

_SCRIPTS = {
    b"": "javascript",
    b"js": "javascript",
    b"javascript": "javascript",
    b"module": "javascript",
    b"text/javascript": "javascript",
    b"application/javascript": "javascript",
    b"text/ecmascript": "javascript",
    b"jsx": "jsx",
    b"text/jsx": "jsx",
    b"text/babel": "jsx",
    b"ts": "typescript",
    b"typescript": "typescript",
    b"text/typescript": "typescript",
    b"tsx": "tsx",
}
"""Values of `lang` and `type` of a script; others hold data or templates."""


def identities(data: bytes) -> list[Found]:
    """Return the tags that have an id, and named anchors, as keys, and the headings, as sections; in no order."""
    found: list[Found] = []
    heading: Tag | None = None
    for tag in tags(data, IDENTITIES):
        if not tag.is_end:
            heading = tag if _HEADING.fullmatch(tag.name) else heading
            found += _identity(data, tag)
        elif heading is not None and heading.name == tag.name:
            first = _NO_TEXT.match(data, heading.end, tag.start)
            name = first.end() if first else heading.end
            found.append(Found("section", heading.start, tag.end, name, tag.start, tag.end))
            heading = None
    return found


def _identity(data: bytes, tag: Tag) -> list[Found]:
    values = attributes(data, tag)
    start, end = values.get(b"id", values.get(b"name", (-1, -1)) if tag.name == b"a" else (-1, -1))
    if start < 0 or not _NAME.fullmatch(data, start, end):
        return []
    return [Found("key", tag.start, tag.end, start, end)]


def page(text: str) -> Embedded:
    """Return a page with the scripts in it."""
    return Embedded(text, tuple(_scripts(text.encode("utf-8", "replace"), 0, {})))


def astro(text: str) -> Embedded:
    """Return an Astro component with the code at its head, between lines of dashes, and its scripts; all are TypeScript."""
    data = text.encode("utf-8", "replace")
    front = _FRONT.match(data)
    head = (Region(*front.span(1), "tsx"),) if front else ()
    return Embedded(text, (*head, *_scripts(data, front.end() if front else 0, {"javascript": "typescript"})))


def _scripts(data: bytes, at: int, instead: dict[str, str]) -> Iterator[Region]:
    for tag in tags(data, SCRIPTS, at):
        if tag.name == b"script" and tag.raw_end > tag.end:
            values = attributes(data, tag)
            start, end = values.get(b"lang", values.get(b"type", (0, 0)))
            language = _SCRIPTS.get(data[start:end].strip().lower())
            if language is not None:
                yield Region(tag.end, tag.raw_end, instead.get(language, language))


def _name(text: str) -> str:
    """Return the text of a name without tags and entities, blanks collapsed."""
    return " ".join(html.unescape(_TAG.sub("", text[:_LONGEST])).split())


_DOC = DocStyle(blocks=(b"<!--",), block_end=b"-->", module_blocks=(b"<!--",))

ROWS = (
    Language(
        id="html",
        extensions=(".html", ".htm", ".xhtml", ".shtml"),
        doc=_DOC,
        scan=identities,
        spell=_name,
        embed=page,
    ),
    Language(id="vue", extensions=(".vue",), doc=_DOC, embed=page),
    Language(id="svelte", extensions=(".svelte",), doc=_DOC, embed=page),
    Language(id="astro", extensions=(".astro",), doc=_DOC, embed=astro),
)
