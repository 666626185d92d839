"""Destinations, titles and link definitions of Markdown, by CommonMark 0.31 (sections 4.7, 6.3)."""

from __future__ import annotations

import html
import re
from typing import NamedTuple

__all__ = ["Destination", "definitions", "destination", "label"]

_DEEPEST = 32
"""Parentheses open in a destination, as in the reference implementation; more are no link."""

_SIMPLE = re.compile(r"\(([^\s()\\<>\x00-\x1f]*+)\)")
_BLANKS = re.compile(r"[ \t\n]*+")
_ANGLE = re.compile(r"<((?:[^<>\n\\]|\\.)*+)>")
_STOP = re.compile(r"\\[!-/:-@\[-`{-~]|[()\x00-\x20\x7f]")
_TITLE = r"(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\))"
_END = re.compile(r"(?:[ \t\n]++" + _TITLE + r")?+[ \t\n]*+\)", re.S)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")

_DEFINITION = re.compile(
    r"[ \t]*+\[(?!\^)((?:[^\[\]\\]|\\.){1,999}+)\]:[ \t]*+(?:\n[ \t]*+)?"
    r"(?:<((?:[^<>\n\\]|\\.)*+)>|([^\s<]\S*+))"
    r"(?:(?:[ \t]++|[ \t]*+\n[ \t]*+)" + _TITLE + r"[ \t]*+(?:\n|\Z)|[ \t]*+(?:\n|\Z))",
    re.S,
)


class Destination(NamedTuple):
    """A destination with escapes and entities resolved, and where the link ends."""

    text: str
    end: int


def destination(text: str, at: int) -> Destination | None:
    """Read the destination and title of an inline link whose `(` is at `at`; None if they are not well formed."""
    simple = _SIMPLE.match(text, at)
    if simple:
        return Destination(_plain(simple[1]), simple.end())
    if not text.startswith("(", at):
        return None
    start = _after_blanks(text, at + 1)
    if text.startswith("<", start):
        angle = _ANGLE.match(text, start)
        if angle is None:
            return None
        raw, stop = angle[1], angle.end()
    else:
        stop = _bare_end(text, start)
        raw = text[start:stop] if stop >= 0 else ""
    end = _END.match(text, stop) if stop >= 0 else None
    return Destination(_plain(raw), end.end()) if end else None


def definitions(text: str) -> tuple[dict[str, str], int]:
    """Return the link definitions that a paragraph begins with, by normalized label, and where they end."""
    found: dict[str, str] = {}
    at = 0
    while match := _DEFINITION.match(text, at):
        angle, bare = match[2], match[3]
        if match[1].strip():
            found.setdefault(label(match[1]), _plain(angle if angle is not None else bare))
        at = match.end()
    return found, at


def label(text: str) -> str:
    """Return a link label in the form in which labels are compared."""
    return " ".join(text.split()).casefold()


def _bare_end(text: str, start: int) -> int:
    """Return where a destination without angle brackets ends, -1 if its parentheses are not balanced."""
    depth = 0
    for stop in _STOP.finditer(text, start):
        char = stop[0]
        if char == "(":
            depth += 1
            if depth > _DEEPEST:
                return -1
        elif char == ")":
            if not depth:
                return stop.start()
            depth -= 1
        elif len(char) == 1:
            return -1 if depth else stop.start()
    return -1


def _after_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def _plain(raw: str) -> str:
    if "\\" in raw:
        raw = _ESCAPE.sub(r"\1", raw)
    return html.unescape(raw) if "&" in raw else raw
