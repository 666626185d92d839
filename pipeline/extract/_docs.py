"""Find the doc comment of a declaration by its text: above its first line, or a string first in its body."""

from __future__ import annotations

import re

from ..languages import DocStyle

__all__ = ["doc_of", "docstring_at", "module_doc"]

_MAX_LINES = 80
"""Comment lines looked at above a declaration; the rest of a longer comment is beyond every cap anyway."""

_BLANKS = b" \t\r\n\f\v"
_DOCSTRING = re.compile(rb"[rRuUbB]{0,2}(?:\"\"\"(?P<a>(?:[^\"\\]|\\.|\"(?!\"\"))*+)\"\"\"|'''(?P<b>(?:[^'\\]|\\.|'(?!''))*+)'''"
                        rb"|\"(?P<c>(?:[^\"\\\n]|\\.)*+)\"|'(?P<d>(?:[^'\\\n]|\\.)*+)')", re.S)
_HEAD = re.compile(rb"(?:#![^\n]*\n)?\s*(?:#[^\n]*\n\s*)*")
_STAR = re.compile(r"^[ \t]*\*+(?!/)[ \t]?", re.M)
_RULE = re.compile(r"^[\W_]{3,}$", re.M)
_LICENCE = re.compile(r"copyright|licen[cs]e|SPDX-|all rights reserved", re.I)


def doc_of(data: bytes, start: int, body: int, style: DocStyle, limit: int) -> str:
    """Return the doc comment of the declaration at `start`, at most `limit` characters, without markers; '' if none."""
    if style.docstring and body >= 0:
        found = docstring_at(data, body, limit)
        if found:
            return found
    return _above(data, start, style, limit)


def docstring_at(data: bytes, start: int, limit: int) -> str:
    """Return the string literal at `start`, dedented; '' if there is none."""
    if data[start : start + 1] not in (b'"', b"'") and data[start : start + 2][1:] not in (b'"', b"'"):
        if data[start : start + 3][2:] not in (b'"', b"'"):
            return ""
    found = _DOCSTRING.match(data, start)
    if not found:
        return ""
    raw = next(g for g in found.groups() if g is not None)
    return _lines(raw[: 4 * limit].decode("utf-8", "ignore"), limit)


def module_doc(data: bytes, style: DocStyle, limit: int) -> str:
    """Return the text that describes the file itself: a docstring, or the comment that opens it unless a licence."""
    head = _HEAD.match(data) if style.docstring else None
    if head:
        found = docstring_at(data, head.end(), limit)
        if found:
            return found
    return _opening_comment(data, style, limit)


def _opening_comment(data: bytes, style: DocStyle, limit: int) -> str:
    at = len(data) - len(data.lstrip()) if data[:1].isspace() else 0
    if data.startswith(b"#!"):
        at = data.find(b"\n") + 1
    text = ""
    opener = next((b for b in style.module_blocks if data.startswith(b, at)), None)
    marker = next((m for m in style.module_lines if data.startswith(m, at)), None)
    if opener:
        end = data.find(style.block_end, at + len(opener))
        text = _block(data[at + len(opener) : end if end >= 0 else at], limit)
    elif marker:
        lines = []
        while data.startswith(marker, at) and len(lines) < _MAX_LINES:
            end = data.find(b"\n", at)
            lines.append(data[at : end if end >= 0 else len(data)])
            at = end + 1 if end >= 0 else len(data)
        text = _line_comment(lines, (marker,), limit)
    return "" if _LICENCE.search(text) else text


def _above(data: bytes, start: int, style: DocStyle, limit: int) -> str:
    window = data[max(0, start - 120) : start].rstrip(_BLANKS) if start else b""
    if not window:
        return ""
    end = start - (min(start, 120) - len(window))
    if style.blocks and window.endswith(style.block_end):
        return "" if data.count(b"\n", end, start) > 1 else _block_above(data, end, style, limit)
    return _lines_above(data, end, start, style, limit) if style.lines else ""


def _block_above(data: bytes, end: int, style: DocStyle, limit: int) -> str:
    shortest = style.blocks[-1]
    at = data.rfind(shortest, 0, end - len(style.block_end))
    opener = next((b for b in style.blocks if data.startswith(b, at)), None)
    if at < 0 or opener is None:
        return ""
    return _block(data[at + len(opener) : max(at + len(opener), end - len(style.block_end))], limit)


def _lines_above(data: bytes, end: int, start: int, style: DocStyle, limit: int) -> str:
    """Collect the run of line comments that ends on the line directly above `start`."""
    inner = tuple(m for m in style.module_lines if m not in style.lines)
    if data.count(b"\n", end, start) != 1:
        return ""
    lines: list[bytes] = []
    while len(lines) < _MAX_LINES and end > 0:
        at = data.rfind(b"\n", 0, end) + 1
        line = data[at:end].strip(_BLANKS)
        if not line.startswith(style.lines) or line.startswith((b"#!", *inner)):
            break
        lines.append(line)
        end = at - 1
    return _line_comment(lines[::-1], style.lines, limit) if lines else ""


def _line_comment(lines: list[bytes], markers: tuple[bytes, ...], limit: int) -> str:
    bare = []
    for line in lines:
        marker = next(m for m in markers if line.startswith(m))
        bare.append(line[len(marker) :].lstrip(marker[-1:]).removeprefix(b" "))
    return _lines(b"\n".join(bare)[: 4 * limit].decode("utf-8", "ignore"), limit)


def _block(raw: bytes, limit: int) -> str:
    return _lines(_STAR.sub("", raw[: 6 * limit].decode("utf-8", "ignore")), limit)


def _lines(text: str, limit: int) -> str:
    """Strip every line and the rules drawn of punctuation, drop blank lines at both ends, cut at `limit`."""
    stripped = "\n".join([line.strip() for line in text.split("\n")]) if "\n" in text else text.strip()
    return _RULE.sub("", stripped).strip()[:limit].rstrip()
