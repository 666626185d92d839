"""Names as a user would write them: without the notation around them, owners joined by dots."""

from __future__ import annotations

from ..languages import Language
from ._query import Item

__all__ = ["bare_name", "join", "owner_path"]

_MAX_QUALIFIED = 400
"""Characters; a deeper path of owners is generated nesting, and its length would grow with the square of the depth."""

_MAX_NAME = 256
"""Bytes; longer ones are string keys and computed expressions, no names."""

_QUOTES = (b'"', b"'")


def join(above: str, name: str) -> str:
    """Return the qualified name of `name` inside `above`, either of which may be empty."""
    joined = f"{above}.{name}" if above and name else above or name
    return joined if len(joined) <= _MAX_QUALIFIED else name


def owner_path(text: str, separator: bytes) -> str:
    """Return the owner that `text` names, without type arguments, pointers and qualifiers, joined by dots."""
    text = text if text.isidentifier() else _without_arguments(text)
    parts = text.replace(separator.decode(), ".").split(".") if separator else text.split(".")
    words = [part.split()[-1].strip("*&?") for part in parts if part.strip()]
    return ".".join(word for word in words if word)


def bare_name(data: bytes, item: Item, row: Language) -> tuple[str, int, str]:
    """Return the name of an item, its offset, and the path of the owner that the declaration itself names or ''."""
    start, end = item.name_start, item.name_end
    path = ""
    if row.spell is not None:
        return row.spell(data[start:end].decode("utf-8", "replace"))[:_MAX_NAME], start, path
    if end - start > _MAX_NAME:
        return "", start, path
    if item.owner_start >= 0:
        path = owner_path(data[item.owner_start : item.owner_end].decode("utf-8", "replace"), row.path_separator)
    name = data[start:end].decode("utf-8", "replace")
    if name.isidentifier():
        return name, start, path
    if not path and row.path_separator in data[start:end] and not data.startswith(_QUOTES, start):
        cut = _last_separator(data[start:end], row.path_separator)
        if cut >= 0:
            path = owner_path(data[start : start + cut].decode("utf-8", "replace"), row.path_separator)
            start += cut + len(row.path_separator)
    start, end = _stripped(data, start, end, row)
    return " ".join(data[start:end].decode("utf-8", "replace").split()), start, path


def _without_arguments(text: str) -> str:
    """Return the text without what stands in brackets of any kind."""
    depth, kept = 0, []
    for char in text:
        depth += char in "<[("
        if not depth:
            kept.append(char)
        depth -= char in ">])" and depth > 0
    return "".join(kept)


def _stripped(data: bytes, start: int, end: int, row: Language) -> tuple[int, int]:
    """Cut the prefixes and quotes of the language's notation off a name, and what its pattern leaves out."""
    for mark in row.name_strip:
        if data.startswith(mark, start) and end - start > len(mark):
            start += len(mark)
            end -= len(mark) if data.endswith(mark, start, end) else 0
    if row.name_pattern is not None:
        found = row.name_pattern.match(data, start, end)
        end = found.end() if found else end
    return start, end


def _last_separator(name: bytes, separator: bytes) -> int:
    """Return the offset of the last separator outside brackets, -1 if none; an operator's own `<` ends the search."""
    if not separator:
        return -1
    depth, at, last = 0, 0, -1
    while at < len(name):
        if name.startswith(b"operator", at) and depth == 0:
            break
        if name[at] in b"<[(":
            depth += 1
        elif name[at] in b">])":
            depth -= 1
        elif depth == 0 and name.startswith(separator, at):
            last = at
            at += len(separator) - 1
        at += 1
    return last
