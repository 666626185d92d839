"""Translate a glob as git understands it into a regular expression over bytes.

Atomic groups keep matching linear in practice: once the text between two `*` has been found, looking further cannot
help, so a hostile pattern with many stars cannot make the matcher back-track.
"""

from __future__ import annotations

import re

__all__ = ["expression", "literal_length"]

_SPECIAL = re.compile(rb"[*?\[\\]")
_NAMED = {
    b"alnum": rb"[0-9A-Za-z]",
    b"alpha": rb"[A-Za-z]",
    b"blank": rb"[ \t]",
    b"cntrl": rb"[\x00-\x1f\x7f]",
    b"digit": rb"[0-9]",
    b"graph": rb"[\x21-\x7e]",
    b"lower": rb"[a-z]",
    b"print": rb"[\x20-\x7e]",
    b"punct": rb"[!-/:-@\[-`{-~]",
    b"space": rb"[ \t\n\r\v\f]",
    b"upper": rb"[A-Z]",
    b"xdigit": rb"[0-9A-Fa-f]",
}
_NAMED_BYTES = {
    name: frozenset(b for b in range(256) if re.fullmatch(source, bytes([b]))) for name, source in _NAMED.items()
}
_SLASH = ord("/")


class _Never(Exception):
    """The glob is malformed and matches nothing."""


def literal_length(glob: bytes) -> int:
    """Return the length of the part before the first special byte."""
    found = _SPECIAL.search(glob)
    return found.start() if found else len(glob)


def expression(glob: bytes, *, bounded_at: int) -> bytes | None:
    """Return the source of a regular expression for a full match with DOTALL; None when the glob matches nothing.

    `**` at the position `bounded_at` counts as if a slash stood before it: git compares the literal beginning of a path
    pattern apart, so that `foo**/bar` spans folders.
    """
    try:
        return _assembled(_tokens(glob, bounded_at))
    except _Never:
        return None


def _tokens(glob: bytes, bounded_at: int) -> list[tuple[str, bytes]]:
    """Split into (kind, expression of what follows) where kind is '' for the beginning, '*', '**' or '**/'."""
    tokens: list[tuple[str, bytes]] = [("", b"")]
    i = 0
    while i < len(glob):
        if glob[i : i + 1] == b"*":
            kind, i = _star(glob, i, bounded_at)
            tokens.append((kind, b""))
        else:
            one, i = _one(glob, i)
            tokens[-1] = (tokens[-1][0], tokens[-1][1] + one)
    return tokens


def _star(glob: bytes, start: int, bounded_at: int) -> tuple[str, int]:
    end = start
    while glob[end : end + 1] == b"*":
        end += 1
    left = start in (0, bounded_at) or glob[start - 1] == _SLASH
    rest = glob[end:]
    if end - start < 2 or not left:
        return "*", end
    if rest.startswith(b"/"):
        return "**/", end + 1
    return ("**" if not rest or rest.startswith(b"\\/") else "*"), end


def _one(glob: bytes, i: int) -> tuple[bytes, int]:
    """Translate what is not a star; returns its expression and the position behind it."""
    byte = glob[i : i + 1]
    if byte == b"?":
        return b"[^/]", i + 1
    if byte == b"[":
        return _class(glob, i + 1)
    if byte == b"\\":
        i += 1
        byte = glob[i : i + 1]
        if not byte:
            raise _Never
    return re.escape(byte), i + 1


def _class(glob: bytes, i: int) -> tuple[bytes, int]:
    negated = glob[i : i + 1] in (b"!", b"^")
    members, i = _members(glob, i + negated)
    wanted = (set(range(256)) - members if negated else members) - {_SLASH}
    if not wanted:
        raise _Never
    return b"[" + b"".join(b"\\x%02x" % b for b in sorted(wanted)) + b"]", i


def _members(glob: bytes, i: int) -> tuple[set[int], int]:
    """Collect the bytes of a bracket expression that begins at `i`; the first `]` is literal, `\\` quotes."""
    members: set[int] = set()
    previous: int | None = None
    first = True
    while first or glob[i : i + 1] != b"]":
        first = False
        name = _named(glob, i)
        if name is not None:
            members |= _NAMED_BYTES[name]
            i += len(name) + 4
            previous = None
        elif glob[i : i + 1] == b"-" and previous and glob[i + 1 : i + 2] not in (b"", b"]"):
            last, i = _member(glob, i + 1)
            members.update(range(previous, last + 1))
            previous = None
        else:
            previous, i = _member(glob, i)
            members.add(previous)
    return members, i + 1


def _member(glob: bytes, i: int) -> tuple[int, int]:
    i += glob[i : i + 1] == b"\\"
    if i >= len(glob):
        raise _Never
    return glob[i], i + 1


def _named(glob: bytes, i: int) -> bytes | None:
    """Return the name of the class `[:name:]` at `i`, None when something else stands there."""
    if glob[i : i + 2] != b"[:":
        return None
    end = glob.find(b"]", i + 2)
    if end < 0:
        raise _Never
    if end < i + 3 or glob[end - 1 : end] != b":":
        return None
    name = glob[i + 2 : end - 1]
    if name not in _NAMED_BYTES:
        raise _Never
    return name


def _assembled(tokens: list[tuple[str, bytes]]) -> bytes:
    """Join the tokens; every group between two stars is atomic but for the last, which is bound to the end."""
    spans: list[list[tuple[str, bytes]]] = [[]]
    for token in tokens:
        if token[0].startswith("**"):
            spans.append([])
        spans[-1].append(token)
    parts = [_span(span, last=i == len(spans) - 1) for i, span in enumerate(spans)]
    return b"".join([parts[0], *(b"(?>" + p + b")" for p in parts[1:-1]), *parts[1:][-1:]])


def _span(tokens: list[tuple[str, bytes]], *, last: bool) -> bytes:
    """Translate a run of tokens of which only the first may be a double star."""
    lead = {"": b"", "*": b"[^/]*?", "**": b".*" if last else b".*?", "**/": b"(?:.*/)?" if last else b"(?:.*?/)??"}
    kind, rest = tokens[0]
    out = lead[kind] + rest
    for i, (_, text) in enumerate(tokens[1:], 2):
        bound = last and i == len(tokens)
        out += b"[^/]*" + text if bound else b"(?>[^/]*?" + text + b")"
    return out
