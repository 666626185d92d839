"""What C and C++ share: doc comments, recovery, and repairs of text that only a preprocessor could read."""

from __future__ import annotations

import re
from itertools import pairwise

from ._facts import DocStyle, by_line
from ._scan import blank, blank_groups

__all__ = ["C_DOC", "C_RECOVERY", "open_classes", "repair_c", "repair_cpp"]

C_DOC = DocStyle(
    blocks=(b"/**", b"/*!", b"/*"),
    lines=(b"///", b"//!", b"//"),
    module_lines=(b"///", b"//!", b"//"),
    module_blocks=(b"/**", b"/*!", b"/*"),
)

_END_OF_DIRECTIVE = re.compile(rb"(?<!\\)\r?\n")

C_RECOVERY = (
    by_line(
        "function",
        rb"(?!(?:if|else|for|while|switch|return|typedef|using|namespace|case|do|sizeof|throw|new|delete|goto)\b)"
        rb"[A-Za-z_][\w:<>,*& \t]{0,200}?[ \t*&](?P<name>[A-Za-z_]\w*)[ \t]*\([^;{}=]{0,1000}\)[^;{}()=]{0,200}\{",
    ),
    by_line("macro", rb"[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)", _END_OF_DIRECTIVE),
    by_line("struct", rb"(?:typedef[ \t]+)?struct[ \t]+(?P<name>\w+)[ \t\n]*\{"),
)

_CAPITALS = rb"[A-Z][A-Z0-9_]{2,}"
_CALL = rb"(?:[ \t]*\((?:[^()\n]|\([^()\n]*\))*+\))?"
_NOT_AFTER = b"".join(b"(?<!" + word + b"[ \\t])" for word in b"static inline extern const return struct else".split())
_PARAMETERS = rb"\([^;{}]{0,1000}\)[ \t\n]*[;{]"

_CLASS_MACRO = re.compile(
    rb"(?:class(?<!\wclass)|struct(?<!\wstruct)|union(?<!\wunion))[ \t]+(?P<macro>" + _CAPITALS + _CALL + rb")"
    rb"(?=[ \t\n]+\w+(?:[ \t]+final)?[ \t\n]*[:{])"
)
"""class EXPORT_API Name {"""

# Each begins with what it consumes, not with a look behind, so that the search skips to the next place where it may begin.
# For the same reason `\n` stands for the start of a line: texts are given with one before the first line.
_MACROS = (
    _CLASS_MACRO,
    # API int f();
    re.compile(
        rb"\n[ \t]*(?:(?:extern|static|inline)[ \t]+)*(?P<macro>" + _CAPITALS + _CALL + rb")"
        rb"(?=[ \t\n]+[a-z_]\w*[ \t\n*&]+(?:\w+[ \t\n*&]+){0,5}\w+[ \t]*[(;=\[])"
    ),
    # int WINAPI f(int x) {
    re.compile(
        rb"[ \t](?<=[\w*&)>][ \t])(?=[ \t]*[A-Z])" + _NOT_AFTER + rb"[ \t]*(?P<macro>" + _CAPITALS + rb")"
        rb"(?=[ \t]+\w+[ \t]*" + _PARAMETERS + rb")"
    ),
    # int (WINAPI *f)(int x);
    re.compile(rb"\((?P<macro>" + _CAPITALS + rb")(?=[ \t]*\*[ \t]*\w+\)[ \t\n]*\()"),
    # int f() NOEXCEPT {
    re.compile(rb"\)(?<!\*\))[ \t\n]*(?P<macro>[A-Z][A-Z0-9]*_[A-Z0-9_]+" + _CALL + rb")(?=[ \t\n]*[;{])"),
    # EXPORT(int f(int x));
    re.compile(rb"\n(?P<open>" + _CAPITALS + rb"\()[^()\n;{}]*[ \t*]\w+[ \t]*\([^(){};]{0,1000}\)(?P<close>\))"),
    # container_of(p, struct type, member)
    re.compile(rb"[(,](?<!sizeof\()[ \t]*(?P<word>struct|union|enum)[ \t]+(?=\w+[ \t]*[,)])"),
)

_LINE = re.compile(rb"\n[ \t]*(?P<macro>" + _CAPITALS + _CALL + rb")[ \t]*\\?\r?$", re.M)
"""A line that is nothing but a macro: FIELDS_OF_PLATFORM, GENERATED_BODY(), DEFINE_LIST(a, b)"""

_ENUM = re.compile(rb"enum(?<!\wenum)\b[^{};()]{0,80}\{(?P<body>[^{}]{0,40000})\}")
_OPEN_ENUM = re.compile(rb"\benum\b[^;{}()]*\{\Z")
_IN_ENUM = re.compile(
    rb"^[ \t]*(?P<part>#[ \t]*(?:define|undef)\b(?:[^\\\n]|\\\r?\n|\\.)*|" + _CAPITALS + rb"\([^()\n]*\)(?=[ \t]*\r?$))",
    re.M,
)
"""Directives among the members of an enum, and macros that stand for many members."""

_EACH = re.compile(
    rb"\n[ \t]+(?!(?:if|for|while|switch|return|else|do|sizeof)\b)(?P<name>[A-Za-z_]\w+)"
    rb"(?=[ \t]*\([^;{}]{0,400}\)[ \t]*\{[ \t]*$)",
    re.M,
)
"""A loop macro: queue_foreach(q, &list) {"""

_DIRECTIVE = re.compile(rb"\n(?P<all>[ \t]*#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b(?:[^\\\n]|\\\r?\n|\\.)*)")
_ASIDE = re.compile(
    rb"//[^\n]*|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|^[ \t]*#[^\n]*|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?", re.S | re.M
)
_BRACE = re.compile(rb"[{}]")


def open_classes(data: bytes) -> bytes | None:
    """Blank out export macros between `class` and the name, which the grammar takes for the name; None if there is none."""
    return blank_groups(data, (_CLASS_MACRO,)) if _CLASS_MACRO.search(data) else None


def repair_cpp(data: bytes) -> bytes | None:
    """Blank out what keeps an unpreprocessed text from parsing; None if there is nothing of the kind.

    These are macros around declarations, and of `#if` groups whose halves are no whole statements all but the first half.
    """
    changed = _repaired(b"\n" + data)[1:]
    return changed if changed != data else None


def repair_c(data: bytes) -> bytes | None:
    """Do as `repair_cpp`, and read the loop macros that C code likes as `while`."""
    text = _repaired(b"\n" + data)
    out = bytearray(text)
    for found in _EACH.finditer(text):
        start, end = found.span("name")
        out[start:end] = (b"while" if end - start >= 5 else b"if").ljust(end - start)
    changed = bytes(out[1:])
    return changed if changed != data else None


def _repaired(text: bytes) -> bytes:
    """Return a text that begins with a line feed with all repaired that C and C++ share."""
    return _one_half(_without_lines(_plain_enums(blank_groups(text, _MACROS))))


def _plain_enums(data: bytes) -> bytes:
    """Blank out what stands among the members of enums but is none."""
    out = bytearray(data)
    for enum in _ENUM.finditer(data):
        for found in _IN_ENUM.finditer(data, *enum.span("body")):
            blank(out, *found.span("part"))
    return bytes(out)


def _without_lines(data: bytes) -> bytes:
    """Blank out the lines that are nothing but a macro, where a declaration or a statement may begin."""
    out = bytearray(data)
    for found in _LINE.finditer(data):
        start = found.start() + 1
        before = data[max(0, start - 200) : start].rstrip()
        if before[-1:] not in b",=(" and not _OPEN_ENUM.search(before):
            blank(out, *found.span("macro"))
    return bytes(out)


def _one_half(data: bytes) -> bytes:
    """Keep the first half of each `#if` group whose halves are no whole statements or declarations, inner groups first."""
    out = bytearray(data)
    stack: list[list[tuple[int, int]]] = []
    for found in _DIRECTIVE.finditer(data):
        word = found["word"]
        if word.startswith(b"if"):
            stack.append([found.span("all")])
        elif stack:
            stack[-1].append(found.span("all"))
            if word == b"endif":
                _settle(data, out, stack.pop())
    return bytes(out)


def _settle(data: bytes, out: bytearray, marks: list[tuple[int, int]]) -> None:
    """Blank the directives and the later halves of a group if one of its halves is not whole; `marks` are its directives."""
    halves = [(a[1], b[0]) for a, b in pairwise(marks)]
    if _ends_whole(data, marks[0][0]) and all(_is_whole(bytes(out[start:end])) for start, end in halves):
        return
    for start, end in marks:
        blank(out, start, end)
    for start, end in halves[1:]:
        blank(out, start, end)


def _ends_whole(data: bytes, at: int) -> bool:
    """Say whether no statement is left open before the directive at `at`."""
    before = data[max(0, at - 200) : at].rstrip()
    line = before[before.rfind(b"\n") + 1 :].lstrip()
    return line[-1:] in b";{},:/\\" or line.startswith((b"#", b"//", b"*"))


def _is_whole(text: bytes) -> bool:
    """Say whether braces balance without closing one of the outside, and the last statement ends."""
    bare = _ASIDE.sub(b"", text).strip()
    depth = 0
    for brace in _BRACE.findall(bare):
        depth += 1 if brace == b"{" else -1
        if depth < 0:
            return False
    return depth == 0 and (not bare or bare[-1:] in b";},:")
