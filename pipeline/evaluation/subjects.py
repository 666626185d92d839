"""What the subject of a commit asks for, or why it asks for nothing that a search could answer."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["ALL_TYPES", "CHANGE_TYPES", "CONVENTIONAL", "Asked", "read_subject"]

CHANGE_TYPES = ("feat", "fix", "perf", "refactor")
"""Types of conventional commits that change what the code does or how."""

ALL_TYPES = (*CHANGE_TYPES, "doc", "docs", "test", "tests", "build", "ci", "chore", "style", "revert")
"""All types that a subject may begin with."""

LEAST_WORDS = 3
"""A shorter subject names nothing that could be looked for."""

CONVENTIONAL = re.compile(
    r"(?P<type>feat|fix|perf|refactor|docs?|tests?|build|ci|chore|style|revert)"
    r"(?:\((?P<scope>[^)]*)\))?!?:\s+(?P<subject>\S[^\0]*)",
    re.I,
)
"""https://www.conventionalcommits.org: a type, perhaps a scope, perhaps `!`, a colon, the subject."""

_MODULE = re.compile(r"[\w./,* -]{1,30}:\s+")
"""What stands before the subject where commits are not conventional: `net: ...`."""

_KEYWORD = r"(?:closes|fixes|close|fix|resolves|refs?)"
_REFERENCES = (
    re.compile(rf"\s*\(#\d+\)|\s*\((?:{_KEYWORD[3:-1]}|see)[^)]*#\d+[^)]*\)", re.I),
    re.compile(rf"[,;]?\s*\b{_KEYWORD}\s+#\d+(?:\s*,\s*#\d+)*", re.I),
    re.compile(r"\s*#\d+\b"),
)
"""Numbers of issues, which no file holds."""

_VAGUE = re.compile(
    r"(?:address|apply|resolve|incorporate)\b.*\b(?:review|feedback|comments?|suggestions?|nits?)\b"
    r"|.*\b(?:flake8|clippy warnings?|eslint|golint|rustfmt|gofmt|prettier|typos?|linter? (?:errors?|issues?|warnings?))\b",
    re.I,
)
_ROUTINE = re.compile(
    r"(?:release\b|bump\b|v?\d+\.\d+|update dependency|update all|deps?\b|prepare (?:for )?release|merge\b"
    r"|upgrade\b.*\bto v?\d|lock file maintenance|pin dependenc|\[skip ci\])|.*\bbump .* (?:from|to) v?\d",
    re.I,
)


class Asked(NamedTuple):
    """A subject as a query, or why it is none: `other_style`, `other_type`, `vague`; `type` is `none` where it has none."""

    type: str
    text: str
    refused: str | None = None


def read_subject(subject: str, style: str = "conventional", types: tuple[str, ...] = CHANGE_TYPES) -> Asked:
    """Read a subject without its type, scope and issue numbers; `style` `any` takes those that have no type too."""
    found = CONVENTIONAL.match(subject)
    if found is None and style != "any":
        return Asked(type="none", text=subject, refused="other_style")
    kind, text = ("none", _without_module(subject)) if found is None else (found["type"].lower(), found["subject"])
    if found is not None and kind not in types:
        return Asked(type=kind, text=text, refused="other_type")
    text = _without_references(text)
    is_release = found is not None and "release" in (found["scope"] or "").lower()
    if is_release or _VAGUE.match(text) or _ROUTINE.match(text) or len(text.split()) < LEAST_WORDS:
        return Asked(type=kind, text=text, refused="vague")
    return Asked(type=kind, text=text)


def _without_module(subject: str) -> str:
    return _MODULE.sub("", subject, count=1) if _MODULE.match(subject) else subject


def _without_references(text: str) -> str:
    for pattern in _REFERENCES:
        text = pattern.sub("", text)
    return text.strip(" .,-")
