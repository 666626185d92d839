"""Find the doc comment of a declaration by its text: above its first line, or a string first in its body."""

from __future__ import annotations

import re
from functools import cache

from ..languages import DocStyle

__all__ = ["doc_of", "module_doc", "trailing_doc"]

_MAX_LINES = 80
"""Comment lines looked at above a declaration; the rest of a longer comment is beyond every cap anyway."""

_WINDOW = 120
"""Bytes before a declaration that are looked at first; most hold the end of the line above."""

_QUOTED = re.compile(rb":?\s*+(?:#[^\n]*+\s*+)*+(?=[rRuUbB]{0,2}[\"'])")
"""What stands between the head of a Python declaration and its docstring."""
_DOCSTRING = re.compile(
    rb"[rRuUbB]{0,2}(?:"
    rb"\"\"\"((?:[^\"\\]|\\.|\"(?!\"\"))*+)\"\"\"|'''((?:[^'\\]|\\.|'(?!''))*+)'''|\"((?:[^\"\\\n]|\\.)*+)\"|'((?:[^'\\\n]|\\.)*+)')",
    re.S,
)
_HEAD = re.compile(rb"\s*+(?:#[^\n]*+\s*+)*+")
_STAR = re.compile(r"^[ \t]*\*+(?!/)[ \t]?", re.M)
_RULE = re.compile(r"^[^\w\s]{3,}$", re.M)
_LICENCE = re.compile(r"copyright|licen[cs]e|SPDX-|all rights reserved", re.I)


def doc_of(data: bytes, start: int, body: int, style: DocStyle, limit: int) -> str:
    """Return the doc comment of the declaration at `start`, at most `limit` characters, without markers; '' if none."""
    if style.docstring and body >= 0 and (quoted := _QUOTED.match(data, body)):
        return _docstring(data, quoted.end(), limit)
    return _above(data, start, style, limit) if start else ""


def trailing_doc(data: bytes, end: int, style: DocStyle, limit: int) -> str:
    """Return the comment that follows a declaration on its last line: `int x;  // the words`."""
    if data[end : end + 1] in b"\r\n":
        return ""
    found = _trailing(style.lines, style.blocks, style.block_end).match(data, end)
    return _tidy(found["text"][: 4 * limit].decode("utf-8", "ignore"), limit) if found else ""


@cache
def _trailing(lines: tuple[bytes, ...], blocks: tuple[bytes, ...], block_end: bytes) -> re.Pattern[bytes]:
    """Return a match for punctuation and one comment up to the end of the line."""
    openers = b"|".join(re.escape(opener) for opener in lines + blocks) or b"(?!)"
    return re.compile(
        rb"[,;]?[ \t]*(?:" + openers + rb")<?[ \t]*(?P<text>[^\n]*?)[ \t]*(?:" + re.escape(block_end) + rb")?\r?(?:\n|\Z)"
    )


def _docstring(data: bytes, start: int, limit: int) -> str:
    """Return the string literal at `start`, dedented; '' if there is none."""
    found = _DOCSTRING.match(data, start)
    raw = next((g for g in found.groups() if g is not None), b"") if found else b""
    return _tidy(raw[: 4 * limit].decode("utf-8", "ignore"), limit)


def module_doc(data: bytes, style: DocStyle, limit: int) -> str:
    """Return the text that describes the file itself: a docstring, or the comment that opens it unless a licence."""
    if style.docstring:
        head = _HEAD.match(data)
        return _docstring(data, head.end(), limit) if head else ""
    start = data.find(b"\n") + 1 if data.startswith(b"#!") else 0
    start += len(data[start : start + _WINDOW]) - len(data[start : start + _WINDOW].lstrip())
    opener = next((b for b in style.module_blocks if data.startswith(b, start)), b"")
    if opener:
        end = data.find(style.block_end, start + len(opener))
        text = _block(data[start + len(opener) : max(start, end)], limit)
    else:
        text = _line_comment(data[start : _end_of_lines(data, start, style.module_lines)], style.module_lines, limit)
    return "" if _LICENCE.search(text) else text


def _end_of_lines(data: bytes, start: int, markers: tuple[bytes, ...]) -> int:
    """Return where the run of line comments ends that begins at `start`."""
    for _ in range(_MAX_LINES):
        if not data.startswith(markers, start):
            break
        end = data.find(b"\n", start)
        start = end + 1 if end >= 0 else len(data)
    return start


def _above(data: bytes, start: int, style: DocStyle, limit: int) -> str:
    window = data[max(0, start - _WINDOW) : start]
    bare = window.rstrip()
    if not bare:
        return ""
    end = start - len(window) + len(bare)
    if style.blocks and bare.endswith(style.block_end):
        return _block_above(data, end, style, limit) if window.count(b"\n", len(bare)) <= 1 else ""
    newline = bare.rfind(b"\n")
    if bare[newline + 1 :].lstrip().startswith(style.lines) or (newline < 0 and start > _WINDOW):
        return _lines_above(data, end, style, limit) if window.count(b"\n", len(bare)) == 1 else ""
    return ""


def _block_above(data: bytes, end: int, style: DocStyle, limit: int) -> str:
    end -= len(style.block_end)
    start = data.rfind(style.blocks[-1], 0, end)
    opener = next((b for b in style.blocks if data.startswith(b, start)), b"") if start >= 0 else b""
    return _block(data[start + len(opener) : end], limit) if opener else ""


def _lines_above(data: bytes, end: int, style: DocStyle, limit: int) -> str:
    """Return the run of line comments whose last line ends at `end`."""
    inner = tuple(m for m in style.module_lines if m not in style.lines)
    first, bottom = end, end
    for _ in range(_MAX_LINES):
        start = data.rfind(b"\n", 0, bottom) + 1
        line = data[start:bottom].lstrip()
        if not line.startswith(style.lines) or (inner and line.startswith(inner)):
            break
        first, bottom = start, start - 1
        if not start:
            break
    return _line_comment(data[first:end], style.lines, limit)


def _line_comment(block: bytes, markers: tuple[bytes, ...], limit: int) -> str:
    if not block or block.startswith(b"#!"):
        return ""
    return _tidy(_bare_line(markers).sub("", block[: 4 * limit].decode("utf-8", "ignore")), limit)


@cache
def _bare_line(markers: tuple[bytes, ...]) -> re.Pattern[str]:
    """Return what stands before the words of a line comment: `///`, or more of the same character."""
    each = (re.escape(m.decode()) + re.escape(m[-1:].decode()) + "*" for m in markers)
    return re.compile(rf"^[ \t]*(?:{'|'.join(each)}) ?", re.M)


def _block(raw: bytes, limit: int) -> str:
    return _tidy(_STAR.sub("", raw[: 6 * limit].decode("utf-8", "ignore")), limit)


def _tidy(text: str, limit: int) -> str:
    """Strip every line, drop rules drawn of punctuation and blank lines at both ends, cut at `limit`."""
    if "\n" in text:
        text = "\n".join([line.strip() for line in text.split("\n")])
    return _RULE.sub("", text).strip()[:limit].rstrip()
