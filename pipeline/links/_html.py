"""HTML in a Markdown text: its tags, their links and ids; comments and verbatim elements have none."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

__all__ = ["HINTS", "SKIPPED", "TAG", "TAG_BYTES", "of_block", "of_tag"]

HINTS = (b"<a", b"<A", b" id=", b" ID=")
"""One of these is in every text whose tags matter."""

TAG_BYTES = 2_000
"""Characters within which a tag must end: it bounds the time that a text of open quotes takes."""

TAG = re.compile(
    r"<(?P<close>/)?(?P<name>[A-Za-z][A-Za-z0-9.-]*)"
    r"(?P<attributes>(?:\s++[A-Za-z_:@{][^\s\"'>/=<]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?+)*+)\s*+/?>"
)
SKIPPED = re.compile(r"<!--.*?(?:-->|\Z)|\{/\*.*?(?:\*/\}|\Z)|<(script|style|pre|textarea)\b.*?(?:</\1\s*>|\Z)", re.I | re.S)
"""Parts of an HTML block without markup. Either kind that is not closed takes all the rest, so time is linear."""

_ATTRIBUTE = re.compile(r"([^\s\"'>/=<]+)\s*+=\s*+(\"[^\"]*\"|'[^']*'|[^\s\"'=<>`]+)")


def of_tag(tag: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield what a tag says as pairs: `html` and a destination, `anchor` and an id."""
    attributes = tag["attributes"]
    if not attributes or tag["close"]:
        return
    is_anchor = tag["name"].lower() == "a"
    for found in _ATTRIBUTE.finditer(attributes):
        name, value = found[1].lower(), html.unescape(found[2].strip("\"'"))
        if name == "href" and is_anchor:
            yield "html", value.strip()
        elif name == "id" or (name == "name" and is_anchor):
            yield "anchor", value.strip()


def of_block(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield what the tags of a block of HTML say, with the offset of each tag."""
    at = 0
    while at < len(text):
        skipped = SKIPPED.search(text, at)
        end = skipped.start() if skipped else len(text)
        yield from _of_span(text, at, end)
        if skipped and (opening := TAG.match(text, end)):
            yield from ((form, value, end) for form, value in of_tag(opening))
        at = skipped.end() if skipped else end


def _of_span(text: str, at: int, end: int) -> Iterator[tuple[str, str, int]]:
    while (at := text.find("<", at, end)) >= 0:
        tag = TAG.match(text, at, min(at + TAG_BYTES, end))
        if tag:
            yield from ((form, value, at) for form, value in of_tag(tag))
        at = tag.end() if tag else at + 1
