"""What the head of a declaration says: signature, decorators, visibility."""

from __future__ import annotations

import re

from ..languages import Language

__all__ = ["decorators", "signature", "visibility"]


def signature(data: bytes, start: int, end: int, limit: int) -> str:
    """Return the text between two offsets on one line, blanks collapsed, at most `limit` characters."""
    text = " ".join(data[start : min(end, start + 6 * limit)].decode("utf-8", "ignore").split()).rstrip(" {:=;,")
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def decorators(data: bytes, start: int, end: int, pattern: re.Pattern[bytes]) -> tuple[tuple[str, ...], int]:
    """Return the names of the decorators that stand from `start` on, and where the last one ends."""
    names: list[str] = []
    at = start
    while at < end and (found := pattern.match(data, at, end)):
        names.append(found["name"].decode("utf-8", "replace"))
        at = found.end()
    return tuple(names), at


def visibility(row: Language, name: str, head: str, owner_kind: str, owner_visibility: str, exports: bool) -> str:
    """Return `public`, `protected`, `internal` or `private` by the language's rule.

    `exports` says that the file has an `export`, so that what is not exported is internal to it.
    """
    rule = row.visibility
    if rule == "underscore":
        return "private" if name[0] == "_" and not (name.startswith("__") and name.endswith("__")) else "public"
    if rule == "capital":
        return "public" if name[0].isupper() else "internal"
    if rule == "public":
        return "public"
    if row.modifier is not None:
        found = row.modifier.search(head)
        if found and found.lastgroup:
            return found.lastgroup
    if owner_kind in row.open_owners:
        return owner_visibility
    if rule == "export":
        return _by_export(name, head, owner_kind, owner_visibility, exports)
    return next((word for kind, word in row.member_visibility if kind == owner_kind), row.default_visibility)


def _by_export(name: str, head: str, owner_kind: str, owner_visibility: str, exports: bool) -> str:
    if name[0] in "#_":
        return "private"
    if owner_kind:
        return owner_visibility
    return "public" if not exports or head.startswith(("export", "module.exports", "exports.")) else "internal"
