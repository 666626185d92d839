"""Files that say how to build: Dockerfile stages, Make targets and variables, CMake functions, targets and variables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ._entries import entries
from ._facts import DocStyle, Found, Language

_FROM = re.compile(
    rb"^[ \t]*FROM[ \t]+(?:--\S+[ \t]+|\\\r?\n[ \t]*)*(?:[^\s\\]+)(?:[ \t]|\\\r?\n)+AS(?:[ \t]|\\\r?\n)+(?P<name>[\w.-]+)",
    re.M | re.I,
)
_FROM_ANY = re.compile(rb"^[ \t]*FROM[ \t]", re.M | re.I)

_NAME = rb"(?:[^\s:#=$()]|\$\([^()\n]*\)|\$\{[^{}\n]*\})++"
_MAKE = re.compile(
    rb"^ *(?:(?:export|override|private|unexport)[ \t]+)*define[ \t]+(?P<macro>[^\s=:?+!]+)"
    rb"|^[ \t]*+(?:(?:export|override|private)[ \t]+)*(?P<variable>[^\s:#=?+!]+)[ \t]*(?:::?:?|\?|!)?="
    rb"|^ {0,7}(?P<target>" + _NAME + rb"(?:[ \t]+" + _NAME + rb")*+)[ \t]*&?::?(?![:=])",
    re.M,
)
_MAKE_ENDS = re.compile(rb"^ *endef\b[^\n]*", re.M)
_RECIPE = re.compile(rb"(?:[^\n]*\\\r?\n)*[^\n]*(?:\n(?:\t(?:[^\n]*\\\r?\n)*[^\n]*|(?=\r?\n[ \t\r\n]{0,40}\t)\r?))*")
_CONTINUED = re.compile(rb"(?:[^\n]*\\\r?\n)*[^\n]*")
_ASSIGNMENT = re.compile(rb"[ \t]*[\w.-]+[ \t]*(?:::?:?|[?+!])?=")
"""A variable of one target only."""

_WORD = re.compile(_NAME)
_SPECIAL = re.compile(rb"\.[A-Z_]+\Z")
"""Targets that are settings: .PHONY, .SUFFIXES."""

_CMAKE = re.compile(
    rb"#\[(?P<equals>=*)\[.*?(?:\](?P=equals)\]|\Z)|#[^\n]*|\[(?P<more>=*)\[.*?(?:\](?P=more)\]|\Z)"
    rb"|\"(?:[^\"\\]|\\.)*+(?:\"|\Z)|(?P<bracket>[()])"
    rb"|^[ \t]*(?P<command>(?:end)?(?:function|macro)|add_(?:executable|library|custom_target)|option|set|project)"
    rb"[ \t]*\((?:[ \t\r\n]*(?:\"(?P<quoted>[^\s\"()#${}]+)\"|(?P<name>[^\s\"()#${}]+)(?=[\s)])))?",
    re.M | re.S | re.I,
)
_CMAKE_KINDS = {
    b"function": "function",
    b"macro": "macro",
    b"project": "module",
    b"option": "variable",
    b"set": "variable",
}


def stages(data: bytes) -> Iterator[Found]:
    """Yield the named stages of a Dockerfile; each lasts until the next `FROM`."""
    names = ((found.start(), *found.span("name"), "target") for found in _FROM.finditer(data))
    return entries(data, names, b"#", [found.start() for found in _FROM_ANY.finditer(data)])


def make(data: bytes) -> Iterator[Found]:
    """Yield targets with their recipes, variables where they are set, and `define` blocks."""
    at, in_rule = 0, False
    while found := _MAKE.search(data, at):
        kind = found.lastgroup or ""
        start, (name, after) = found.start(), found.span(kind)
        if kind == "variable" and in_rule and data[start] == 9:
            at = found.end()  # a line of a recipe
            continue
        in_rule = kind == "target"
        if kind == "target":
            end, at = _RECIPE.match(data, found.end()).end(), found.end()  # type: ignore[union-attr]  # matches anything
            line = data.find(b"\n", after, end)
            words = () if _ASSIGNMENT.match(data, found.end()) else _WORD.finditer(data, name, after)
            for word in words:
                if not _SPECIAL.match(word[0]):
                    yield Found("target", start, end, *word.span(), line)
            continue
        last = _MAKE_ENDS.search(data, after) if kind == "macro" else _CONTINUED.match(data, found.end())
        end = at = last.end() if last else len(data)
        if b"$" not in data[name:after]:
            yield Found(kind, start, end, name, after, data.find(b"\n", after, end) if kind == "macro" else -1)


def cmake(data: bytes) -> Iterator[Found]:
    """Yield functions, macros, targets, projects, and what `set` and `option` name outside of functions."""
    open_: list[Found] = []
    call: Found | None = None
    depth = 0
    for found in _CMAKE.finditer(data):
        if found["bracket"]:
            depth = max(depth + (1 if found["bracket"] == b"(" else -1), 0)
            if depth == 0 and call is not None:
                ended = call._replace(end=found.end(), body=-1 if call.body < 0 else found.end())
                call = None
                if ended.body >= 0:
                    open_.append(ended)
                else:
                    yield ended
        elif command := found["command"]:
            depth, word = 1, command.lower()
            call = None
            if word.startswith(b"end"):
                if open_:
                    yield open_.pop()._replace(end=data.find(b")", found.end()) + 1 or len(data))
            elif found["name"] or found["quoted"]:
                kind = _CMAKE_KINDS.get(word, "target")
                start = found.start("command")
                call = Found(
                    kind,
                    start,
                    start,
                    *found.span("name" if found["name"] else "quoted"),
                    0 if kind in ("function", "macro") else -1,
                )
    for unended in open_:
        yield unended._replace(end=len(data))


_HASH = DocStyle(lines=(b"#",), module_lines=(b"#",))

ROWS = (
    Language(
        id="dockerfile",
        extensions=(".dockerfile",),
        names=tuple(
            name + suffix
            for name in ("Dockerfile", "Containerfile")
            for suffix in (
                "",
                ".dev",
                ".prod",
                ".production",
                ".test",
                ".ci",
                ".base",
                ".build",
                ".alpine",
                ".debian",
                ".ubuntu",
            )
        ),
        doc=_HASH,
        scan=stages,
    ),
    Language(
        id="make",
        extensions=(".mk", ".mak"),
        names=("Makefile", "makefile", "GNUmakefile", "Makefile.am", "Makefile.in", "BSDmakefile"),
        interpreters=("make",),
        doc=_HASH,
        scan=make,
    ),
    Language(id="cmake", extensions=(".cmake",), names=("CMakeLists.txt",), doc=_HASH, scan=cmake),
)
