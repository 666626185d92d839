"""Links inside one block of Markdown, by the bracket rules of CommonMark 0.31; wiki links besides.

Every construct either advances past what it has read, or gives up within a bound or at the next mark of its kind: so time
is linear, whatever the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ._destinations import destination, label
from ._html import TAG, TAG_BYTES, of_tag

__all__ = ["Item", "items"]

_TOKEN = re.compile(r"\\[!-/:-@\[-`{-~]|`+|<|!?\[|\]")
_AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+|[\w.+-]++@[\w.-]++)>")
_WIKI = re.compile(r"\[\[((?=[^\[\]\n|]*[^\W\d_])[^\[\]\n|<>{}=\"`$;,]{1,500}+)(?:\|[^\[\]\n]{0,500}+)?\]\](?![(\[:])")
"""A page has a letter in its name; other brackets are arrays, attributes of a language, or citations."""

_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){0,999}+)\]", re.S)
_LONGEST_LABEL = 999
_LONGEST_RUN = 80
"""Backticks that open a code span, as in the reference implementation: it bounds the searches of a text."""


class Item(NamedTuple):
    """A link or an anchor, and the offset at which it begins."""

    form: str
    text: str
    at: int


@dataclass(slots=True)
class _Opener:
    at: int
    end: int
    is_image: bool
    has_inner: bool = False
    """Whether another bracket follows, so that the text cannot be a label."""


def items(text: str, definitions: Mapping[str, str]) -> list[Item]:
    """Return the links and anchors of a block in order; `definitions` are those of the whole document."""
    return sorted(_Reader(text, definitions).run(), key=lambda item: item.at)


@cache
def _closing(size: int) -> re.Pattern[str]:
    """Return what closes a code span of so many backticks."""
    return re.compile(rf"(?<!`)`{{{size}}}(?!`)")


class _Reader:
    def __init__(self, text: str, definitions: Mapping[str, str]) -> None:
        self._text = text
        self._definitions = definitions
        self._openers: list[_Opener] = []
        self._dead = 0
        """Openers below this are inside of a link's text, or before it: they open no link any more, but images."""
        self._items: list[Item] = []
        self._unclosed: set[int] = set()
        """Numbers of backticks that do not occur any more."""
        self._no_comment = False

    def run(self) -> list[Item]:
        at = 0
        while token := _TOKEN.search(self._text, at):
            at = self._read(token)
        return self._items

    def _read(self, token: re.Match[str]) -> int:
        """Read what begins with a token and return where to go on."""
        mark = token[0]
        if mark[0] == "`":
            return self._after_code(token)
        if mark == "<":
            return self._after_angle(token.start())
        if mark[-1] == "[" and mark[0] != "\\":
            return self._open(token)
        if mark == "]":
            return self._close(token.start())
        return token.end()

    def _after_code(self, token: re.Match[str]) -> int:
        """Return the end of the code span that begins here, or of the backticks if none does."""
        size = token.end() - token.start()
        if size > _LONGEST_RUN or size in self._unclosed:
            return token.end()
        closing = _closing(size).search(self._text, token.end())
        if closing is None:
            self._unclosed.add(size)
            return token.end()
        return closing.end()

    def _after_angle(self, at: int) -> int:
        text = self._text
        if text.startswith("<!--", at):
            end = -1 if self._no_comment else text.find("-->", at + 4)
            self._no_comment = end < 0
            return end + 3 if end >= 0 else at + 4
        tag = TAG.match(text, at, at + TAG_BYTES)
        if tag:
            self._items += (Item(form, value, at) for form, value in of_tag(tag))
            return tag.end()
        autolink = _AUTOLINK.match(text, at, at + TAG_BYTES)
        return autolink.end() if autolink else at + 1

    def _open(self, token: re.Match[str]) -> int:
        start = token.end() - 1
        wiki = _WIKI.match(self._text, start)
        if wiki and label(wiki[1]) not in self._definitions:
            if wiki[1] == wiki[1].strip():
                self._items.append(Item("wiki", wiki[1], token.start()))
            return wiki.end()
        if self._openers:
            self._openers[-1].has_inner = True
        self._openers.append(_Opener(token.start(), token.end(), is_image=len(token[0]) == 2))
        return token.end()

    def _close(self, at: int) -> int:
        """Close the last opener, and add a link if there is one; return where to go on."""
        if not self._openers:
            return at + 1
        opener = self._openers.pop()
        is_dead = len(self._openers) < self._dead
        self._dead = min(self._dead, len(self._openers))
        if is_dead and not opener.is_image:
            return at + 1
        found = self._target(opener, at)
        if found is None:
            return at + 1
        form, target, end = found
        if not opener.is_image:
            self._dead = len(self._openers)
            self._items.append(Item(form, target, opener.at))
        return end

    def _target(self, opener: _Opener, at: int) -> tuple[str, str, int] | None:
        """Return form, destination and end of the link whose text ends at `at`."""
        inline = destination(self._text, at + 1)
        if inline:
            return "inline", inline.text, inline.end
        if not self._definitions:
            return None
        end = at + 1
        full = _LABEL.match(self._text, end)
        name = full[1] if full else ""
        if full:
            end = full.end()
        if not name:
            if opener.has_inner or at - opener.end > _LONGEST_LABEL:
                return None
            name = self._text[opener.end : at]
        target = self._definitions.get(label(name))
        return None if target is None else ("reference", target, end)
