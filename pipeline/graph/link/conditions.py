"""Whether a Go file is built by default: platforms may all be, custom tags are off."""

from __future__ import annotations

import re

__all__ = ["may_build"]

_TOKEN = re.compile(r"&&|\|\||[()!]|[\w.]+")
_OPEN = frozenset(
    "aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos "
    "unix 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm cgo gc gccgo".split()
)
"""Tags that some platform sets: files under them are all part of the graph."""


def may_build(condition: str) -> bool:
    """Return False when the condition fails on every platform without custom tags; a malformed one holds."""
    tokens = _TOKEN.findall(condition)
    value, rest = _either(tokens, 0)
    return value is not False or rest < len(tokens)


def _either(tokens: list[str], at: int) -> tuple[bool | None, int]:
    value, at = _both(tokens, at)
    while at < len(tokens) and tokens[at] == "||":
        other, at = _both(tokens, at + 1)
        value = True if value is True or other is True else None if None in (value, other) else False
    return value, at


def _both(tokens: list[str], at: int) -> tuple[bool | None, int]:
    value, at = _one(tokens, at)
    while at < len(tokens) and tokens[at] == "&&":
        other, at = _one(tokens, at + 1)
        value = False if value is False or other is False else None if None in (value, other) else True
    return value, at


def _one(tokens: list[str], at: int) -> tuple[bool | None, int]:
    if at >= len(tokens) or at > 200:
        return None, len(tokens) + 1
    token = tokens[at]
    if token == "!":
        value, at = _one(tokens, at + 1)
        return (None if value is None else not value), at
    if token == "(":
        value, at = _either(tokens, at + 1)
        return value, at + 1
    if token in _OPEN:
        return None, at + 1
    return bool(re.fullmatch(r"go1(\.\d+)?", token)), at + 1
