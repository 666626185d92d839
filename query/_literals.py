"""A literal that every match of a regular expression holds: texts without it need no look by the expression.

The expression is read from left to right as RE2 does; whatever is not plainly a character by itself ends a run of them, and what
could change the meaning of all else (alternatives, flags, `\\Q`) gives none.
"""

from __future__ import annotations

import re

__all__ = ["needed_literal"]

LEAST = 3
"""Characters of a literal that is worth looking for: shorter ones stand in most texts."""

_CLASSES = frozenset("dDwWsSbBAz")
_REPETITION = re.compile(r"\{\d+(?:,\d*)?\}")
_SET = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]", re.DOTALL)
_NAMED = re.compile(r"\(\?(?:P?<\w+>|:)")


def needed_literal(expression: str) -> str | None:
    """Return the longest run of characters that each match must hold, the first of equals; None where none is sure."""
    runs, at = [""], 0
    while at < len(expression):
        character = expression[at]
        if character == "|":
            return None
        if character in "([":
            end = _behind(expression, at)
            if end is None:
                return None
            runs, at = [*runs, ""], end
        elif character == "\\":
            escaped = expression[at + 1 : at + 2]
            if not escaped or (escaped.isalnum() and escaped not in _CLASSES):
                return None
            if escaped in _CLASSES:
                runs.append("")
            else:
                runs[-1] += escaped
            at += 2
        else:
            at += _read(expression, at, runs)
    best = max(runs, key=len)
    return best if len(best) >= LEAST else None


def _read(expression: str, at: int, runs: list[str]) -> int:
    """Take in the character at a place, and return how many were read."""
    character = expression[at]
    repetition = _REPETITION.match(expression, at)
    if character in "*?" or repetition:
        runs[-1] = runs[-1][:-1]  # what may be there no time at all
    if character in "*?+.^$" or repetition:
        runs.append("")
    else:
        runs[-1] += character
    return len(repetition[0]) if repetition else 1


def _behind(expression: str, at: int) -> int | None:
    """Return the place behind the set or group that begins here, None where a group has flags or does not end."""
    if expression[at] == "[":
        found = _SET.match(expression, at)
        return found.end() if found else None
    head = _NAMED.match(expression, at)
    if head is None and expression.startswith("(?", at):
        return None
    at = head.end() if head else at + 1
    while at < len(expression) and expression[at] != ")":
        if expression[at] in "([":
            end = _behind(expression, at)
            if end is None:
                return None
            at = end
        elif expression[at] == "\\":
            if expression[at + 1 : at + 2] in "QEC":
                return None
            at += 2
        else:
            at += 1
    return at + 1 if at < len(expression) else None
