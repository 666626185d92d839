"""reStructuredText: headings are sections, as in Markdown; their levels are told by the order of their adornments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ._facts import Found, Language

_LINE = re.compile(rb"^(?P<char>[!-/:-@\[-`{-~])(?P=char)*[ \t]*\r?$", re.M)
_WIDE = 4
"""Characters from which an underline counts even if shorter than its title, as in docutils."""

_ROLE = re.compile(r":[\w:.+-]+:(?=`)")
_MARKED = re.compile(r"(``|`|\*\*|\*|\|)(?=\S)(.+?)(?<=\S)\1_{0,2}")
_TARGET = re.compile(r"\s*<[^<>]*>(?=`)")


class _Heading(NamedTuple):
    start: int
    name: tuple[int, int]
    end: int
    adornment: tuple[bytes, bool]


def sections(data: bytes) -> list[Found]:
    """Return the headings of a text as sections, each up to the next one that is not below it."""
    headings = list(_headings(data))
    levels: dict[tuple[bytes, bool], int] = {}
    ends = [len(data)] * len(headings)
    open_: list[int] = []
    for number, heading in enumerate(headings):
        level = levels.setdefault(heading.adornment, len(levels))
        while open_ and levels[headings[open_[-1]].adornment] >= level:
            ends[open_.pop()] = heading.start
        open_.append(number)
    return [Found("section", h.start, end, *h.name, h.end) for h, end in zip(headings, ends, strict=True)]


def _headings(data: bytes) -> Iterator[_Heading]:
    """Yield titles with a line of one punctuation mark below, and perhaps the same above; both begin in column 0."""
    done = 0
    for found in _LINE.finditer(data):
        under, char = found.start(), found["char"]
        if under <= done:
            continue
        title = data.rfind(b"\n", 0, under - 1) + 1
        if title < done or not data[title : under - 1].strip() or _LINE.match(data, title):
            continue
        above = data.rfind(b"\n", 0, max(title - 1, 0)) + 1 if title else 0
        before = data[above : max(title - 1, 0)].rstrip() if title else b""
        width = len(found[0].rstrip())
        has_over = bool(before) and before == found[0].rstrip()
        is_indented = data[title : title + 1] in (b" ", b"\t")
        if (before and not has_over) or (is_indented and not has_over):
            continue
        text = data[title : under - 1].rstrip()
        if width < min(_WIDE, len(text.decode("utf-8", "replace").strip())):
            continue
        name = title + len(text) - len(text.lstrip())
        done = found.end()
        yield _Heading(above if has_over else title, (name, title + len(text)), done, (char, has_over))


def plain_text(markup: str) -> str:
    """Return the text of inline markup, blanks collapsed."""
    text = _TARGET.sub("", _ROLE.sub("", markup[:1_000]))
    return " ".join(_MARKED.sub(r"\2", text).replace("\\", "").split())


ROWS = (Language(id="restructuredtext", extensions=(".rst", ".rest"), scan=sections, spell=plain_text),)
