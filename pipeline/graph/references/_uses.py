"""Take an import of several names apart: Rust's `a::{b as c, d::*, self}` is three, so is Scala's `a.{b, c => d, _}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["imported_names", "used_names"]

_TOKEN = re.compile(r"::|[{},*]|\bas\b|r#\w+|\w+")
_DEEPEST = 32
_GROUP = re.compile(r"([\w.`]+?)(?:\.\{([^{}]*)\}|\.([_*]))?(?:\s+as\s+(\w+))?\s*(?:,|$)")
_RENAMED = re.compile(r"(\w+)\s*(?:=>|as)\s*(\w+)")


def imported_names(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (module, `*` or nothing, alias) of a Scala import; what is hidden or given is left out."""
    for found in _GROUP.finditer(text.removeprefix("import").strip()):
        path, inside, star, alias = found.groups()
        if star:
            yield path, "*", ""
        elif inside is None and not path.endswith(".given"):
            yield path, "", alias or ""
        for part in (inside or "").split(","):
            renamed = _RENAMED.fullmatch(part.strip())
            if part.strip() in ("_", "*"):
                yield path, "*", ""
            elif renamed and renamed.group(2) != "_":
                yield f"{path}.{renamed.group(1)}", "", renamed.group(2)
            elif part.strip().isidentifier() and part.strip() != "given":
                yield f"{path}.{part.strip()}", "", ""


def used_names(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield (module, name, alias); `*` stands for all names, an empty name for the module itself."""
    tokens = _TOKEN.findall(text)
    stack: list[list[str]] = [[]]
    path: list[str] = []
    alias = ""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token == "{" and len(stack) < _DEEPEST:
            stack.append(stack[-1] + path)
            path = []
        elif token in (",", "}"):
            if path:
                yield from _one(stack[-1] + path, alias)
            path, alias = [], ""
            if token == "}" and len(stack) > 1:
                stack.pop()
        elif token == "as":
            at += 1
            alias = tokens[at] if at < len(tokens) else ""
        elif token != "::":
            path.append(token)
        at += 1
        if token == "}":
            path = []
    yield from _one(path, alias) if path and len(stack) == 1 else ()


def _one(parts: list[str], alias: str) -> Iterator[tuple[str, str, str]]:
    if not parts:
        return
    if parts[-1] == "self" and len(parts) > 1:
        yield "::".join(parts[:-1]), "", alias or parts[-2]
    elif len(parts) == 1:
        yield parts[0], "", alias or parts[0]
    else:
        yield "::".join(parts[:-1]), parts[-1], alias
