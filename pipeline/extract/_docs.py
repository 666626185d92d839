"""Find the doc comment of a declaration by its text: above its first line, or a string first in its body."""

from __future__ import annotations

import re
from functools import cache

from ..languages import DocStyle

__all__ = ["doc_of", "module_doc", "trailing", "trailing_doc"]

_MAX_LINES = 80
"""Comment lines looked at above a declaration; the rest of a longer comment is beyond every cap anyway."""

_WINDOW = 120
"""Bytes before a declaration that are looked at first; most hold the end of the line above."""

_QUOTED = re.compile(rb":?\s*+(?:#[^\n]*+\s*+)*+[rRuUbB]{0,2}(?=[\"'])")
"""What stands between the head of a Python declaration and the quotes of its docstring."""

_HEAD = re.compile(rb"\s*+(?:#[^\n]*+\s*+)*+[rRuUbB]{0,2}(?=[\"'])")
_RULE = re.compile(r"[^\w\s]{3,}")
_LICENCE = re.compile(r"copyright|licen[cs]e|SPDX-|all rights reserved", re.I)


def doc_of(data: bytes, start: int, body: int, style: DocStyle, limit: int) -> str:
    """Return the doc comment of the declaration at `start`, at most `limit` characters, without markers; '' if none."""
    if style.docstring and body >= 0 and (quoted := _QUOTED.match(data, body)):
        return _docstring(data, quoted.end(), limit)
    return _above(data, start, style, limit) if start else ""


def trailing_doc(data: bytes, end: int, pattern: re.Pattern[bytes], limit: int) -> str:
    """Return the comment that follows a declaration on its last line: `int x;  // the words`."""
    found = pattern.match(data, end)
    return _tidy([found["text"][: 3 * limit].decode("utf-8", "ignore")], limit) if found else ""


@cache
def trailing(style: DocStyle) -> re.Pattern[bytes]:
    """Return the pattern of what may follow a declaration on its line: punctuation, and one comment to the end of it."""
    openers = b"|".join(re.escape(opener) for opener in style.lines + style.blocks) or b"(?!)"
    closing = rb"[ \t]*(?:" + re.escape(style.block_end) + rb")?\r?(?:\n|\Z)"
    return re.compile(rb"[,;]?[ \t]*(?:" + openers + rb")<?[ \t]*(?P<text>[^\n]*?)" + closing)


def _docstring(data: bytes, start: int, limit: int) -> str:
    """Return the text of the string literal whose quotes begin at `start`, dedented; '' if it does not end."""
    quote = data[start : start + 1]
    if data.startswith(quote * 3, start):
        quote *= 3
    end = data.find(quote, start + len(quote))
    while end > 0 and data[end - 1] == 0x5C:  # an escaped quote
        end = data.find(quote, end + 1)
    if end < 0 or (len(quote) == 1 and b"\n" in data[start:end]):
        return ""
    return _tidy(data[start + len(quote) : min(end, start + 3 * limit)].decode("utf-8", "ignore").split("\n"), limit)


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
    """Take the markers off every line, with more of their characters: `////`."""
    if not block or block.startswith(b"#!"):
        return ""
    marks = b"".join(markers).decode()
    return _tidy([line.lstrip().lstrip(marks) for line in block[: 3 * limit].decode("utf-8", "ignore").split("\n")], limit)


def _block(raw: bytes, limit: int) -> str:
    """Take the stars off the lines of a block comment."""
    return _tidy([line.lstrip().lstrip("*") for line in raw[: 3 * limit].decode("utf-8", "ignore").split("\n")], limit)


def _tidy(lines: list[str], limit: int) -> str:
    """Strip every line, drop rules drawn of punctuation and blank lines at both ends, cut at `limit`."""
    kept = [line if line[:1].isalnum() or not _RULE.fullmatch(line) else "" for line in map(str.strip, lines)]
    return "\n".join(kept).strip()[:limit].rstrip()
