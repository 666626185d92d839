"""What a content search looks for, as conditions of SQL: literal text, or a regular expression in RE2's syntax."""

from __future__ import annotations

import re
from typing import NamedTuple

import duckdb

from ..schemas.errors import UsageError
from ._literals import needed_literal
from .connection import Connection

__all__ = ["CASES", "MAX_PATTERN", "Pattern", "check_pattern", "make_pattern"]

CASES = ("smart", "exact", "ignore")

MAX_PATTERN = 1000
"""Characters of a query: more than anybody types, and few enough to compile at once."""

_SPECIAL = re.compile(r"[\x00-/:-@\[-^`{-\x7f]")
"""ASCII but for letters, digits and `_`. Written as all but those and what is beyond ASCII it takes 6 ms to compile."""

_NO_LITERAL = re.compile(r"\\[pP]\{[^}]*\}|\\x\{?[0-9A-Fa-f]+\}?|\\.|\(\?P?<\w+>|\(\?[A-Za-z-]+|\[:\^?\w+:\]", re.DOTALL)
_WHOLE_TEXT = re.compile(r"\\[Az]|\(\?[A-Za-z]*-[A-Za-z]*m")
_CONTEXT = re.compile(r"\\[bBAz]|(?<!\[)\^|\$")


class Pattern(NamedTuple):
    """What is looked for.

    `core` is the expression as a group of its own, `literal` the text where the query is none, `needed` a literal that every
    match of the expression holds, `word` that no word goes on at either end, `multiline` that a match may span lines.
    """

    core: str
    literal: str | None
    needed: str | None
    exact: bool
    word: bool
    multiline: bool

    @property
    def line(self) -> str:
        """The expression that a line must match."""
        return self.whole_word if self.word else self.core

    @property
    def whole_word(self) -> str:
        """The expression with no word going on at either end; group 1 is the match itself."""
        return rf"(?:^|\W)({self.core})(?:\W|$)"

    @property
    def in_text(self) -> str:
        """The expression for a whole text, in which `^` and `$` stand for the ends of lines."""
        return f"(?m:{self.core})"

    @property
    def behind_gap(self) -> str:
        """The expression for a whole text with what lies before a match as group 1."""
        left, right = (r"(?:^|\W)", r"(?:\W|$)") if self.word else ("", "")
        return f"(?m:((?s:.*?){left}){self.core}{right})"

    @property
    def sees_context(self) -> bool:
        """Whether text around a match decides if it is one."""
        return self.word or (self.literal is None and _CONTEXT.search(self.core) is not None)

    def matches(self, column: str) -> tuple[str, list[str]]:
        """Return the condition that a line (or a name) matches, and its parameters."""
        if self.literal is not None and self.exact and not self.word:
            return self._holds(column, self.literal)
        return _both(self._needs(column), (f"regexp_matches({column}, ?)", [self.line]))

    def may_match(self, column: str) -> tuple[str, list[str]]:
        """Return a cheap condition that holds for every text with a match, and its parameters."""
        if self.literal is not None:
            return self._holds(column, self.literal)
        if _WHOLE_TEXT.search(self.core) and not self.multiline:
            return "true", []  # the ends of the text are those of a line
        return _both(self._needs(column), (f"regexp_matches({column}, ?)", [self.in_text]))

    def _needs(self, column: str) -> tuple[str, list[str]]:
        needed = self.literal if self.literal and self.word else self.needed
        return ("true", []) if needed is None else self._holds(column, needed)

    def _holds(self, column: str, literal: str) -> tuple[str, list[str]]:
        """Return the condition that a literal stands in a text; RE2 finds one at the speed of memory, whatever its case."""
        if self.exact:
            return f"contains({column}, ?)", [literal]
        return f"regexp_matches({column}, ?)", [f"(?i:{_literally(literal)})"]


def make_pattern(query: str, *, regex: bool, case: str, word: bool, multiline: bool) -> Pattern:
    """Return the pattern of a query; UsageError for a `case` that is none, or a query that is too long.

    Smart case is exact when the query holds a capital; in a regular expression escapes such as `\\S` do not count.
    """
    if case not in CASES:
        raise UsageError(f"there is no case {case!r}: use one of {', '.join(CASES)}")
    if len(query) > MAX_PATTERN:
        raise UsageError(f"the query has {len(query):,} characters: a content search takes {MAX_PATTERN:,} at most")
    letters = _NO_LITERAL.sub("", query) if regex else query
    exact = case == "exact" or (case == "smart" and letters != letters.lower())
    body = query if regex else _literally(query)
    return Pattern(
        core=f"(?:{body})" if exact else f"(?i:{body})",
        literal=None if regex else query,
        needed=needed_literal(query) if regex else None,
        exact=exact,
        word=word,
        multiline=multiline and (regex or "\n" in query),  # other literals lie within a line
    )


def check_pattern(pattern: Pattern, query: str, connection: Connection) -> bool:
    """Say whether the pattern matches the empty text; UsageError says what is wrong with one that RE2 refuses.

    The query is tried alone first: `a)(b` would be valid inside a group.
    """
    try:
        with connection.raw.cursor() as cursor:
            for expression in ([] if pattern.literal is not None else [query]) + [pattern.line, pattern.behind_gap]:
                cursor.execute("SELECT regexp_matches('', ?)", [expression])
            found = cursor.execute("SELECT regexp_full_match('', ?)", [pattern.core]).fetchone()
            return bool(found and found[0])
    except duckdb.Error as error:
        what = str(error).strip().partition("\n")[0].partition("Error: ")[2] or "not valid"
        raise UsageError(
            f"{query!r} is not a regular expression ({what}): see https://github.com/google/re2/wiki/Syntax, or leave "
            "--regex out to look for it as it stands"
        ) from None


def _both(one: tuple[str, list[str]], other: tuple[str, list[str]]) -> tuple[str, list[str]]:
    return f"{one[0]} AND {other[0]}", [*one[1], *other[1]]


def _literally(text: str) -> str:
    """Return text as an expression."""
    return _SPECIAL.sub(lambda found: _escaped(found[0]), text)


def _escaped(character: str) -> str:
    return rf"\x{ord(character):02x}" if character < " " else f"\\{character}"
