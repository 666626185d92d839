"""Take a Rust `use` apart: `a::{b as c, d::*, self}` is three imports."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["used_names"]

_TOKEN = re.compile(r"::|[{},*]|\bas\b|r#\w+|\w+")
_DEEPEST = 32


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
