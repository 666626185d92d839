"""Tags of HTML and of what looks like it, by the tokenizer rules of the HTML standard as far as they matter here.

One pass without a grammar: pages are full of template languages, and components nest scripts of several dialects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["IDENTITIES", "SCRIPTS", "Tag", "attributes", "tags"]

_RAW_NAMES = rb"script|style|textarea|title"
SCRIPTS = re.compile(rb"<!--|<(/?)(" + _RAW_NAMES + rb")(?=[\s/>])", re.I)
"""Finds the elements that hold raw text."""

IDENTITIES = re.compile(
    rb"<!--|<(/?)(" + _RAW_NAMES + rb"|h[1-6]|a(?=\s)|[a-z][\w:.-]*(?=\s(?:[^<>]*\s)?id\s*=))(?=[\s/>])", re.I
)
"""Finds raw text, headings, anchors, and whatever may have an id."""

_REST = re.compile(rb"(?:=\s*+(?:\"[^\"]*+\"|'[^']*+')|[^>=]++|=)*+>")
_ATTRIBUTE = re.compile(rb"([^\s=>/\"'][^\s=>/]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>\"']+)))?")
_RAW = {name: re.compile(rb"</" + name + rb"(?=[\s/>])", re.I) for name in (b"script", b"style", b"textarea", b"title")}


class Tag(NamedTuple):
    """A tag; byte offsets. `attributes` is where they stand, `raw_end` where the text of a raw element ends, else -1."""

    name: bytes
    is_end: bool
    is_empty: bool
    start: int
    end: int
    attributes: int
    raw_end: int


def tags(data: bytes, wanted: re.Pattern[bytes], at: int = 0) -> Iterator[Tag]:
    """Yield the wanted tags from `at` on, none inside comments, scripts and styles; names in lower case. Time is linear."""
    while found := wanted.search(data, at):
        if not found[2]:
            at = data.find(b"-->", found.end()) + 3
            if at < 3:
                return
            continue
        rest = _REST.match(data, found.end())
        if rest is None:
            return  # the rest of the text is inside this tag
        name, at, raw_end = found[2].lower(), rest.end(), -1
        is_empty = data[at - 2] == 47
        if name in _RAW and not found[1] and not is_empty:
            close = _RAW[name].search(data, at)
            raw_end = close.start() if close else len(data)
        yield Tag(name, bool(found[1]), is_empty, found.start(), rest.end(), found.end(), raw_end)
        at = max(at, raw_end)


def attributes(data: bytes, tag: Tag) -> dict[bytes, tuple[int, int]]:
    """Return where the values of a tag's attributes stand; the first of equal names counts; (-1, -1) for no value."""
    result: dict[bytes, tuple[int, int]] = {}
    for found in _ATTRIBUTE.finditer(data, tag.attributes, tag.end - 1):
        span = next((found.span(n) for n in (2, 3, 4) if found.start(n) >= 0), (-1, -1))
        result.setdefault(found[1].lower(), span)
    return result
