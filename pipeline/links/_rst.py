"""reStructuredText: the links, labels and anchors of a text, by the rules of docutils and Sphinx.

The lines are read first: directives, targets, and what holds no markup (literal blocks, code, comments), which is blanked
out. Then the inline markup of what is left is read, where targets of the document itself are put in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from ._rst_blocks import Blocks, normalized, read_blocks
from ._targets import is_internal
from .marks import ANCHOR, LABEL, MAX_LINKS, Mark

if TYPE_CHECKING:
    from ..facts import SymbolFact

__all__ = ["identifier", "marks"]

_CONTENT = r"(?:[^`\\\n]|\\.|\n(?![ \t]*\n))++"
_INLINE = re.compile(
    r"\\."
    r"|``(?:[^`\n]|\n(?![ \t]*\n)|`(?!`))++``"
    r"|`(?P<text>" + _CONTENT + r")`(?P<mark>__?(?!\w))?"
    r"|_`(?P<target>" + _CONTENT + r")`"
    r"|(?P<name>_)(?![\w`])",
    re.S,
)
"""Escapes and literals, which are passed over; interpreted text and phrase references; targets; ends of simple references.
Every branch begins with a character of its own, so that the search runs from one of these to the next."""

_BEFORE = 100
"""Characters before a mark that are looked at for a role or name."""

_ROLE = re.compile(r"(?<![\w`]):([A-Za-z][\w.+-]*+(?::[\w.+-]++)*+):\Z")
_NAME = re.compile(r"(?<![\w.+`/:@-])[A-Za-z0-9](?:[\w.+-]*[A-Za-z0-9])?\Z")
_EMBEDDED = re.compile(r"(?:(.*?)\s*)<([^<>]*)>\Z", re.S)
_ROLES = {"ref": "ref", "numref": "ref", "doc": "doc", "download": "download"}
_NOT_IN_ID = re.compile(r"[^a-z0-9]+")
_MADE_BY_SPHINX = frozenset({"genindex", "modindex", "search"})


def marks(data: bytes, symbols: Sequence[SymbolFact]) -> list[Mark]:
    """Return the labels and anchors of a text, those of its titles first, and its links, at most MAX_LINKS."""
    blocks = read_blocks(data.decode("utf-8", "replace"))
    sections = [symbol for symbol in symbols if symbol.kind == "section"]
    found = [Mark(ANCHOR, identifier(symbol.name), symbol.name_line) for symbol in sections]
    for name, line in blocks.labels:
        found += (Mark(LABEL, name, line), Mark(ANCHOR, identifier(name), line))
    places = {normalized(symbol.name): identifier(symbol.name) for symbol in sections}
    places |= {name: identifier(name) for name, _ in blocks.labels}
    links = sorted([*blocks.links, *_inline(blocks, places, found)], key=lambda mark: mark.line)
    found += islice((link for link in links if is_internal(link.text)), MAX_LINKS)
    return found


def identifier(name: str) -> str:
    """Return the id that docutils gives to a title or label."""
    return _NOT_IN_ID.sub("-", name.lower()).strip("-").lstrip("0123456789-")


def _inline(blocks: Blocks, places: dict[str, str], anchors: list[Mark]) -> Iterator[Mark]:
    """Yield the links in running text; inline targets are added to `anchors`."""
    line, at, anonymous = 1, 0, iter(blocks.anonymous)
    text = blocks.text
    for found in _INLINE.finditer(text):
        if found.lastgroup is None:
            continue
        line += text.count("\n", at, found.start())
        at = found.start()
        before = text[max(0, at - _BEFORE) : at]
        if found["target"]:
            anchors.append(Mark(ANCHOR, identifier(found["target"]), line))
        elif found["name"]:
            if name := _NAME.search(before):
                yield from _named(name[0], blocks, places, line)
        elif before.endswith(":"):
            if role := _ROLE.search(before):
                yield from _role(role[1], found["text"], line)
        elif found["mark"] and not before[-1:].isalnum():
            embedded = _EMBEDDED.match(found["text"])
            if embedded:
                yield from _uri("".join(embedded[2].split()), blocks, places, line)
            elif found["mark"] == "__":
                yield from _uri(next(anonymous, ""), blocks, places, line)
            else:
                yield from _named(found["text"], blocks, places, line)


def _role(role: str, text: str, line: int) -> Iterator[Mark]:
    form = _ROLES.get(role.rpartition(":")[2]) if not role.startswith("external") else None
    if form is None or text.startswith("!"):
        return
    embedded = _EMBEDDED.match(text)
    target = embedded[2].strip() if embedded else text.strip()
    if form == "ref":
        target = normalized(target)
    if target not in _MADE_BY_SPHINX:
        yield Mark(form, target, line)


def _uri(uri: str, blocks: Blocks, places: dict[str, str], line: int) -> Iterator[Mark]:
    if uri.endswith("_") and not uri.endswith("\\_"):
        yield from _named(uri[:-1].strip("`"), blocks, places, line)
    else:
        yield Mark("text", uri.replace("\\", ""), line)


def _named(name: str, blocks: Blocks, places: dict[str, str], line: int) -> Iterator[Mark]:
    """Yield the link that a reference by name makes; a name from elsewhere (an include, the configuration) makes none."""
    key = normalized(name)
    seen: set[str] = set()
    while key in blocks.targets and key not in seen:
        seen.add(key)
        uri = blocks.targets[key]
        if not uri.endswith("_"):
            yield Mark("name", uri.replace("\\", ""), line)
            return
        key = normalized(uri[:-1].strip("`"))
    if key in places:
        yield Mark("name", f"#{places[key]}", line)
