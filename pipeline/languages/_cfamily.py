"""What C and C++ share: doc comments, recovery, and repairs of text that only a preprocessor could read."""

from __future__ import annotations

import re
from itertools import pairwise

from ._facts import DocStyle, by_line

__all__ = ["C_DOC", "C_RECOVERY", "open_classes", "repair_c"]

C_DOC = DocStyle(
    blocks=(b"/**", b"/*!", b"/*"),
    lines=(b"///", b"//!", b"//"),
    module_lines=(b"///", b"//!", b"//"),
    module_blocks=(b"/**", b"/*!", b"/*"),
)

C_RECOVERY = (
    by_line(
        "function",
        rb"(?!(?:if|else|for|while|switch|return|typedef|using|namespace|case|do|sizeof|throw|new|delete|goto)\b)"
        rb"[A-Za-z_][\w:<>,*& \t]{0,200}?[ \t*&](?P<name>[A-Za-z_]\w*)[ \t]*\([^;{}=]{0,1000}\)[^;{}()=]{0,200}\{",
    ),
    by_line("struct", rb"(?:typedef[ \t]+)?struct[ \t]+(?P<name>\w+)[ \t\n]*\{"),
)

_CALL = rb"(?:[ \t]*\([^()\n]*\))?"
_CLASS_MACRO = re.compile(
    rb"\b(?:class|struct|union)[ \t]+(?P<macro>[A-Z][A-Z0-9_]{2,}" + _CALL + rb")(?=[ \t\n]+\w+(?:[ \t]+final)?[ \t\n]*[:{])"
)
_LEADING_MACRO = re.compile(
    rb"^[ \t]*(?:(?:extern|static|inline)[ \t]+)*(?P<macro>[A-Z][A-Z0-9_]{2,}" + _CALL + rb")"
    rb"(?=[ \t\n]+(?:[a-z_]\w*[ \t\n*&]+){1,6}\w+[ \t]*[(;=\[])",
    re.M,
)
_INNER_MACRO = re.compile(
    rb"(?<=[\w*&)>])[ \t]+(?P<macro>[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[ \t]+\w+[ \t]*\([^;{}]{0,1000}\)[ \t\n]*[;{])"
)
_TRAILING_MACRO = re.compile(rb"\)[ \t\n]*(?P<macro>[A-Z][A-Z0-9]*_[A-Z0-9_]+" + _CALL + rb")(?=[ \t\n]*[;{])")
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b(?:[^\\\n]|\\\r?\n|\\.)*", re.M)
_NOT_NEWLINE = re.compile(rb"[^\r\n]")
_SKIP = re.compile(rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?", re.S)


def open_classes(data: bytes) -> bytes | None:
    """Blank out export macros between `class` and the name, which the grammar takes for the name; None if there is none."""
    return _without(data, (_CLASS_MACRO,))


def repair_c(data: bytes) -> bytes | None:
    """Blank out what keeps an unpreprocessed text from parsing; None if there is nothing of the kind.

    These are macros around declarations (`API int f();`, `int f() NOEXCEPT {`), and of `#if` groups whose halves do not
    balance their braces all but the first half.
    """
    changed = _without(data, (_CLASS_MACRO, _LEADING_MACRO, _INNER_MACRO, _TRAILING_MACRO)) or data
    changed = _one_half(changed)
    return changed if changed != data else None


def _without(data: bytes, patterns: tuple[re.Pattern[bytes], ...]) -> bytes | None:
    out = None
    for pattern in patterns:
        for found in pattern.finditer(data):
            out = bytearray(data) if out is None else out
            _blank(out, *found.span("macro"))
    return bytes(out) if out is not None else None


def _one_half(data: bytes) -> bytes:
    """Keep the first half of each `#if` group whose halves leave different numbers of braces open."""
    out = bytearray(data)
    stack: list[list[tuple[int, int]]] = []
    for found in _DIRECTIVE.finditer(data):
        word = found["word"]
        if word.startswith(b"if"):
            stack.append([found.span()])
        elif stack:
            stack[-1].append(found.span())
            if word == b"endif":
                _settle(data, out, stack.pop())
    return bytes(out)


def _settle(data: bytes, out: bytearray, marks: list[tuple[int, int]]) -> None:
    """Blank the later halves of one group if its halves differ in balance; `marks` are the spans of its directives."""
    halves = [(a[1], b[0]) for a, b in pairwise(marks)]
    balances = [_balance(data[start:end]) for start, end in halves]
    if len(halves) == 1:
        balances.append(0)  # the half that is not written
    if len(set(balances)) == 1 and balances[0] == 0:
        return
    for start, end in marks:
        _blank(out, start, end)
    for start, end in halves[1:]:
        _blank(out, start, end)


def _balance(text: bytes) -> int:
    bare = _SKIP.sub(b"", text)
    return bare.count(b"{") - bare.count(b"}")


def _blank(out: bytearray, start: int, end: int) -> None:
    out[start:end] = _NOT_NEWLINE.sub(b" ", bytes(out[start:end]))
