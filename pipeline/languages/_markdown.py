"""The blocks of a Markdown text by the rules of CommonMark 0.31 (section 3: containers, leaves, precedence).

Line by line and without a grammar: that of tree-sitter crashes on deep nesting. Inline markup is left to the readers of the
blocks. Front matter is no part of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

__all__ = ["Block", "Document", "read"]

Span = tuple[int, int]

_MAX_OPEN = 64
"""Containers open at once; further markers are text. Hand-written documents stay below 10, and renderers cut too."""

_FRONT = re.compile(
    rb"---[ \t]*\r?\n(?=(?:[ \t]*(?:#[^\n]*)?\r?\n)*+(?:[\w\"'][^\n:]*:|---))(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)"
    rb"|\+\+\+[ \t]*\r?\n(?:[^\n]*\n)*?\+\+\+[ \t]*\r?(?:\n|\Z)"
)
_PLAIN = re.compile(rb"(?:[^\s#>`~+*=_<{0-9-][^\n]*+(?:\n|\Z))++")
"""Lines that open no block whatever is before them, where no container is open."""

_BLANK = re.compile(rb"(?:[ \t\r]*+\n)++")
_LEAD = re.compile(rb"[ \t>*+\-0-9.)]*")
_ATX = re.compile(rb"#{1,6}(?=[ \t\r]|\Z)")
_SETEXT = re.compile(rb"(?:=+|-+)[ \t]*\Z")
_RULE = re.compile(rb"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_ITEM = re.compile(rb"(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|\Z)")
_FENCE = re.compile(rb"(`{3,})[^`]*\Z|(~{3,})")
_TITLE = rb"(?:\"[^\"]*\"|'[^']*'|\([^()]*\))"
_REFERENCE = re.compile(
    rb"\[(?:[^\[\]\\]|\\.)+\]:[ \t]*(?:\n[ \t]*)?(?:<[^<>\n]*>|[^\s<]\S*)(?:\s+" + _TITLE + rb")?[ \t\r]*(?:\n|\Z)", re.S
)

_HTML_NAMES = (
    b"address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt "
    b"fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link "
    b"main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead "
    b"title tr track ul"
)
_ATTRIBUTES = rb"(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*"
_HTML = re.compile(
    rb"<(?:(?P<raw>script|pre|style|textarea)(?=[\s>]|\Z)|(?P<comment>!--)|(?P<instruction>\?)|(?P<cdata>!\[CDATA\[)"
    rb"|(?P<declaration>![A-Za-z])|(?P<block>/?(?:" + _HTML_NAMES.replace(b" ", b"|") + rb")(?=\s|/?>|\Z))"
    rb"|(?P<tag>(?:/[A-Za-z][\w-]*\s*|[A-Za-z][\w-]*" + _ATTRIBUTES + rb"/?)>[ \t]*\Z))",
    re.I,
)
_COMPONENT = re.compile(rb"</?[A-Z][A-Za-z0-9.]*[a-z]")
"""A tag of MDX: alone on its line it is a block of its own, and Markdown follows, fences too."""

_EXPRESSION = re.compile(rb"(?P<expression>\{/\*)")
"""A comment of MDX, which may hold anything, fences too; no other Markdown begins a block with it."""

_HTML_ENDS = {
    "raw": re.compile(rb"</(?:script|pre|style|textarea)>", re.I),
    "comment": re.compile(rb"-->"),
    "instruction": re.compile(rb"\?>"),
    "cdata": re.compile(rb"\]\]>"),
    "declaration": re.compile(rb">"),
    "expression": re.compile(rb"\*/\}"),
}
"""Where an HTML block ends; other kinds end at a blank line."""


class Block(NamedTuple):
    """A leaf: `heading`, `paragraph` or `html`; code is left out.

    `start` and `end` are byte offsets without the line end; `level` is that of a heading, else 0; `spans` are the bytes of
    its text without the marks of containers; `group` is the number of its innermost container, 0 for the document.
    """

    kind: str
    start: int
    end: int
    level: int
    spans: tuple[Span, ...]
    group: int


class Document(NamedTuple):
    """The blocks in order, and by group the offset where the container ends."""

    blocks: list[Block]
    ends: list[int]


@dataclass(slots=True)
class _Box:
    """An open container: a quote, or a list item with the columns by which its content is indented."""

    group: int
    indent: int
    is_quote: bool
    is_empty: bool = False


@dataclass(slots=True)
class _Leaf:
    """An open leaf; `mark` is a fence, or the name of the kind of HTML block."""

    kind: str
    start: int
    group: int
    mark: str = ""
    spans: list[Span] = field(default_factory=list)


@lru_cache(maxsize=1)  # the headings and the links of a document are read one after the other
def read(data: bytes) -> Document:
    """Return the blocks of a text; time is linear in its size."""
    return _Reader(data).run()


@cache
def _closing(mark: str) -> re.Pattern[bytes]:
    """Return what closes a fence, matched at the start of a line or searched from line to line."""
    char = re.escape(mark[0].encode())
    return re.compile(rb"^ {0,3}" + char + rb"{%d,}[ \t]*\r?$" % len(mark), re.M)


def _untabbed(line: bytes) -> tuple[bytes, int]:
    """Return a line with the tabs before its text expanded, and by how many bytes that made it longer."""
    found = _LEAD.match(line)
    assert found is not None
    lead = found[0].expandtabs(4)
    return lead + line[found.end() :], len(lead) - found.end()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._boxes: list[_Box] = []
        self._leaf: _Leaf | None = None
        self._blocks: list[Block] = []
        self._ends = [len(data)]

    def run(self) -> Document:
        data, size = self._data, len(self._data)
        front = _FRONT.match(data)
        at = front.end() if front else 0
        while at < size:
            if not self._boxes and (self._leaf is None or self._leaf.kind != "html"):
                at = self._fast(at)
                if at >= size:
                    break
            end = data.find(b"\n", at)
            end = end if end >= 0 else size
            self._line(at, end - (data[end - 1 : end] == b"\r" and end > at))
            at = end + 1
        self._close(0, size)
        return Document(self._blocks, self._ends)

    def _fast(self, at: int) -> int:
        """Skip what needs no look at single lines outside of containers: fenced code, blank lines, plain paragraphs."""
        data, leaf = self._data, self._leaf
        if leaf is not None and leaf.kind == "code":
            found = _closing(leaf.mark).search(data, at)
            self._leaf = None
            return found.end() + 1 if found else len(data)
        while True:
            if blank := _BLANK.match(data, at):
                self._end_leaf()
                at = blank.end()
            plain = _PLAIN.match(data, at)
            if plain is None:
                return at
            at = plain.end()
            self._text(plain.start(), at - data.endswith(b"\n", plain.start(), at))

    def _line(self, start: int, end: int) -> None:
        line, shift = self._data[start:end], 0
        if b"\t" in line:
            line, shift = _untabbed(line)
        place = start - shift
        at, matched = self._enter(line)
        whole = matched == len(self._boxes)
        leaf = self._leaf
        if whole and leaf is not None and leaf.kind != "paragraph":
            self._go_on(leaf, line, at, place)
            return
        opened = False
        while (first := _first(line, at)) < len(line) and first - at < 4:
            if (
                not opened
                and whole
                and leaf is not None
                and _SETEXT.match(line, first)
                and self._underline(leaf, line, first, place)
            ):
                return
            if (length := self._container(line, first, at, whole and not opened)) is None:
                if self._starts(line, first, place, matched if not opened else len(self._boxes), not opened):
                    return
                break
            if not opened:
                self._close(matched, start)
            opened = True
            self._push(line, first, length, at)
            at = min(first + length, len(line))
        self._rest(line, at, place, matched, whole, opened)

    def _enter(self, line: bytes) -> tuple[int, int]:
        """Return where the text of a line starts inside the open containers that it goes on, and how many these are."""
        at = matched = 0
        for box in self._boxes:
            first = _first(line, at)
            if box.is_quote:
                if first - at > 3 or line[first : first + 1] != b">":
                    break
                at = first + 1 + (line[first + 1 : first + 2] == b" ")
            elif first == len(line):
                if box.is_empty:
                    break
                at = first
            elif first - at >= box.indent:
                at += box.indent
                box.is_empty = False
            else:
                break
            matched += 1
        return at, matched

    def _go_on(self, leaf: _Leaf, line: bytes, at: int, place: int) -> None:
        """Add a line to open code or HTML, which only their own ends end."""
        if leaf.kind == "code":
            if _closing(leaf.mark).match(line[at:]):
                self._leaf = None
        elif leaf.mark in _HTML_ENDS:
            leaf.spans.append((place + at, place + len(line)))
            if _HTML_ENDS[leaf.mark].search(line, at):
                self._end_leaf()
        elif _first(line, at) == len(line):
            self._end_leaf()
        else:
            leaf.spans.append((place + at, place + len(line)))

    def _container(self, line: bytes, first: int, at: int, whole: bool) -> int | None:
        """Return how many bytes the mark of a container takes that starts here, None if none does."""
        if len(self._boxes) >= _MAX_OPEN:
            return None
        if line[first] == 62:  # >
            return 1 + (line[first + 1 : first + 2] == b" ")
        found = _ITEM.match(line, first)
        if found is None or _RULE.match(line, first):
            return None
        text = _first(line, found.end())
        if whole and self._leaf is not None and (text == len(line) or found[1] not in (None, b"1")):
            return None  # what may not interrupt a paragraph
        blanks = text - found.end()
        return found.end() - first + (blanks if blanks < 5 and text < len(line) else 1)

    def _push(self, line: bytes, first: int, length: int, at: int) -> None:
        self._ends.append(-1)
        is_quote = line[first] == 62
        indent = 0 if is_quote else first - at + length
        is_empty = _first(line, min(first + length, len(line))) == len(line)
        self._boxes.append(_Box(len(self._ends) - 1, indent, is_quote, is_empty))

    def _starts(self, line: bytes, first: int, place: int, keep: int, goes_on: bool) -> bool:
        """Open or add the leaf that starts here, after closing all but the first `keep` containers; say whether one does."""
        char = line[first]
        if char == 35 and (heading := _ATX.match(line, first)):
            self._close(keep, place)
            start, end = _title(line, heading.end())
            where = (place + start, place + end)
            level = heading.end() - first
            self._blocks.append(Block("heading", place + first, place + len(line), level, (where,), self._group()))
        elif char in b"`~" and (fence := _FENCE.match(line, first)):
            self._close(keep, place)
            self._leaf = _Leaf("code", place + first, self._group(), (fence[1] or fence[2]).decode())
        elif char in b"<{" and (html := self._html(line, first, goes_on)):
            self._close(keep, place)
            mark = html.lastgroup or ""
            self._leaf = _Leaf("html", place + first, self._group(), mark, [(place + first, place + len(line))])
            ends = _HTML_ENDS.get(mark)
            if ends.search(line, html.end()) if ends else mark == "tag" and _COMPONENT.match(line, first):
                self._end_leaf()
        elif _RULE.match(line, first):
            self._close(keep, place)
        else:
            return False
        return True

    def _html(self, line: bytes, first: int, goes_on: bool) -> re.Match[bytes] | None:
        """Return the opening of the HTML block that starts here; a tag of any name does not interrupt a paragraph."""
        if line[first] == 123:  # {
            return _EXPRESSION.match(line, first)
        html = _HTML.match(line, first)
        return None if html and html["tag"] and goes_on and self._in_paragraph() else html

    def _underline(self, leaf: _Leaf, line: bytes, first: int, place: int) -> bool:
        """Turn the open paragraph into a heading, unless nothing but link definitions are in it; say whether it was done."""
        spans = leaf.spans
        while spans and (found := _REFERENCE.match(self._data, *spans[0])):
            spans = [(found.end(), spans[0][1]), *spans[1:]] if found.end() < spans[0][1] else spans[1:]
        if not spans:
            return False
        self._leaf = None
        level = 1 if line[first] == 61 else 2
        self._blocks.append(Block("heading", spans[0][0], place + len(line), level, tuple(spans), leaf.group))
        return True

    def _rest(self, line: bytes, at: int, place: int, matched: int, whole: bool, opened: bool) -> None:
        """Read a line, or what is left of it, that starts no leaf of its own: blank, text, or indented code."""
        first = _first(line, at)
        if first == len(line):
            self._end_leaf()
            if not opened:
                self._close(matched, place)
        elif not opened and self._in_paragraph():
            self._text(place + first, place + len(line))  # as it is, or lazily, with the marks of containers left out
        else:
            if not opened:
                self._close(matched, place)
            if first - at < 4:
                self._text(place + first, place + len(line))

    def _text(self, start: int, end: int) -> None:
        if self._leaf is None:
            self._leaf = _Leaf("paragraph", start, self._group())
        self._leaf.spans.append((start, end))

    def _in_paragraph(self) -> bool:
        return self._leaf is not None and self._leaf.kind == "paragraph"

    def _group(self) -> int:
        return self._boxes[-1].group if self._boxes else 0

    def _close(self, keep: int, at: int) -> None:
        """End the open leaf, and all containers but the first `keep`."""
        self._end_leaf()
        while len(self._boxes) > keep:
            self._ends[self._boxes.pop().group] = max(at, 0)

    def _end_leaf(self) -> None:
        leaf, self._leaf = self._leaf, None
        if leaf is not None and leaf.kind != "code":
            self._blocks.append(Block(leaf.kind, leaf.start, leaf.spans[-1][1], 0, tuple(leaf.spans), leaf.group))


def _first(line: bytes, at: int) -> int:
    """Return the offset of the first byte from `at` on that is no blank."""
    size = len(line)
    while at < size and line[at] in b" \t\r":
        at += 1
    return at


def _title(line: bytes, at: int) -> tuple[int, int]:
    """Return where the text of a heading stands that begins with `#`, without the closing marks."""
    start = _first(line, at)
    text = line[start:].rstrip(b" \t\r")
    bare = text.rstrip(b"#")
    if bare[-1:] in (b"", b" ", b"\t"):
        text = bare.rstrip(b" \t")
    return start, start + len(text)
