"""Read a query: its terms, its words, and the names in it that are written as code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ...schemas.terms import STOP_WORDS, joined_form, normalize, split_word, words
from ..stems import stem
from .policy import Policy

__all__ = ["Pin", "QueryText", "is_path", "name_key", "read_query"]

MAX_CHARACTERS = 200_000
"""A query longer than this is cut: it is a pasted file."""

_IDENTIFIER = r"[^\W\d][\w$]*|\$[\w$]+"
_CODE = re.compile(rf"(?:{_IDENTIFIER})(?:(?:::|\.|#|->)(?:{_IDENTIFIER}))*")
_SEPARATOR = re.compile(r"::|\.|#|->")
_QUOTED = re.compile(r"`([^`\n]+)`")
_STRING = re.compile(r"""(?<!\w)["']([^"'\n]{3,})["'](?!\w)""")
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_TESTS = frozenset(
    {"test", "tests", "testing", "tested", "spec", "specs", "bench", "benchmark", "benchmarks", "fixture", "fixtures"}
)


_EXTENSIONS = frozenset(
    "astro bash bat c cc cfg cjs cmake cpp cs css cxx dart ex exs go gradle graphql h hh hpp hs htm html ini ipynb java jl "
    "js json jsx kt kts less lock lua m md mjs ml mm mts php pl plist properties proto ps1 py pyi r rb rs rst scala scss sh "
    "sql svelte swift toml ts tsx txt vue xml yaml yml zig zsh".split()
)
_PATH = re.compile(r"(?:[A-Za-z]:)?[\w.@+/\\~-]+")

_CHANGES = frozenset(
    "accept add added always adjust allow apply avoid bump change clarify clean cleanup convert correct defer delete "
    "deprecate disable don't document drop enable ensure expand expose extend extract fix fixed fixes harden ignore "
    "implement implemented improve introduce limit make merge migrate move never only optimise optimize preserve prevent "
    "provide reduce refactor remove removed rename replace resolve respect restore restrict reuse revert rework rewrite "
    "shrink simplify skip speed split stop support suppress switch tweak unblock update updated upgrade use".split()
)
"""Words that a request for a change begins with, as subjects of commits and titles of issues do."""

_CHANGED = re.compile(r"(?i)\b(?:instead of|rather than|no longer|unnecessary|redundant|unused)\b")
"""What only a request for a change says of the code."""

_COMMITS = frozenset(("feat", "fix", "perf", "refactor"))
"""Types of conventional commits that change what the code does: `fix(parser): ...`."""


class Pin(NamedTuple):
    """A name written as code: `spelling` as it stands, `key` folded, and what qualifies it (`Type` in `Type::method`)."""

    spelling: str
    key: str
    qualifier: str | None


class QueryText(NamedTuple):
    """What a query says.

    `terms` are its distinct stems in order, `exact` the distinct parts of its words as they stand; `joined` says for each
    term whether it is only the joined form of a word of several parts. `windows` map the joined form of two to four adjacent
    content words to their number, `has_path` says that a word is written as a path, `quoted` are strings between quotes, and
    `has_literal` says that there are any, or a number. `only_stop_words` says that no word means
    anything by itself.
    """

    text: str
    terms: tuple[str, ...]
    joined: tuple[bool, ...]
    content_words: int
    words: int
    pins: tuple[Pin, ...]
    windows: dict[str, int]
    asks_for_tests: bool
    exact: tuple[str, ...] = ()
    has_path: bool = False
    quoted: tuple[str, ...] = ()
    has_literal: bool = False
    asks_for_change: bool = False
    only_stop_words: bool = False
    notes: tuple[str, ...] = ()
    cut: bool = False

    @property
    def parts(self) -> int:
        """Number of distinct terms, joined forms left out."""
        return len(self.terms) - sum(self.joined)


def read_query(raw: str, policy: Policy) -> QueryText:
    """Read a query of any text whatever; nothing in it is an operator."""
    text = _well_formed(raw)
    clean = normalize(text[:MAX_CHARACTERS])
    found = words(clean)
    content, notes = _content(found)
    terms, joined = _terms(content)
    cut = len(text) > MAX_CHARACTERS or len(terms) > policy.max_terms
    if cut:
        notes = (*notes, f"only the first {min(len(terms), policy.max_terms)} distinct terms of the query were used")
    content = content[: 4 * policy.max_terms]
    quoted = tuple(dict.fromkeys(_STRING.findall(clean[: 64 * policy.max_terms])))
    return QueryText(
        text=text,
        terms=tuple(terms[: policy.max_terms]),
        joined=tuple(joined[: policy.max_terms]),
        content_words=len(content),
        words=len(found),
        pins=tuple(dict.fromkeys(_pins(clean[: 64 * policy.max_terms], len(found)))),
        windows=_windows(content),
        exact=tuple(dict.fromkeys(part for word in content for part in split_word(word)))[: policy.max_terms],
        quoted=quoted,
        has_literal=bool(quoted) or any(part.isdecimal() for word in content for part in split_word(word)),
        has_path=_has_path(clean[: 64 * policy.max_terms].split()),
        asks_for_tests=not _TESTS.isdisjoint(word.lower() for word in content),
        asks_for_change=_asks_for_change(clean),
        only_stop_words=all(map(_is_stop_word, content)),
        notes=notes,
        cut=cut,
    )


def is_path(word: str) -> bool:
    """Say whether a word is a path: it has separators, or ends in a known extension."""
    text = word.strip("`'\"?!,:;()")
    if not _PATH.fullmatch(text):
        return False
    stem, _, extension = text.rpartition(".")
    return "/" in text or "\\" in text or (bool(stem) and extension.lower() in _EXTENSIONS)


def _has_path(found: list[str]) -> bool:
    """Say whether a word is a path; beside other words one with a single separator is as often `and/or`."""
    if len(found) <= 1:
        return any(map(is_path, found))
    return any(is_path(word) and (word.count("/") != 1 or "." in word) for word in found)


def _asks_for_change(text: str) -> bool:
    """Say whether a query of three and more words reads like a request to change the code, perhaps behind `part:`."""
    head, colon, subject = text.strip().partition(": ")
    if colon and head.partition("(")[0].rstrip("!") in _COMMITS:
        return True
    opener, _, rest = (subject if colon and " " not in head else text.strip()).partition(" ")
    return " " in rest.strip() and (opener.lower() in _CHANGES or _CHANGED.search(rest) is not None)


def _well_formed(text: str) -> str:
    """Return text without halves of surrogate pairs, which no terminal or JSON reader would take."""
    return text if text.isascii() else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def name_key(name: str) -> str:
    """Return a name without case and separators: `notify_one`, `notifyOne` and `NotifyOne` are equal."""
    return "".join(c for c in normalize(name).casefold() if c not in "_$-")


def _content(found: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """Return the words that are looked up: without English function words, unless there are no others."""
    content = [word for word in found if not _is_stop_word(word)]
    if content or not found:
        return content, ()
    if len(found) == 1:
        return found, ()
    return found, ("the query has only words that are usually left out; they were looked up all the same",)


def _is_stop_word(word: str) -> bool:
    return word.lower() in STOP_WORDS


def _terms(content: list[str]) -> tuple[list[str], list[bool]]:
    """Return the distinct stems of words, and which of them only come of joining the parts of one word."""
    surface: list[str] = []
    is_joined: list[bool] = []
    for word in content:
        parts = split_word(word)
        surface += parts
        is_joined += [False] * len(parts)
        whole = joined_form(word) if len(parts) > 1 else None
        if whole is not None:
            surface.append(whole)
            is_joined.append(True)
    only_joined: dict[str, bool] = {}
    for term, joined in zip(stem(surface), is_joined, strict=True):
        only_joined[term] = only_joined.get(term, True) and joined
    return list(only_joined), list(only_joined.values())


def _pins(text: str, count: int) -> Iterator[Pin]:
    """Yield the names that are written as code; the only word of a query always is one."""
    for quoted in _QUOTED.findall(text):
        yield from (_pin(token) for token in _CODE.findall(quoted))
    for token in _CODE.findall(text):
        if count == 1 or _looks_like_code(token):
            yield _pin(token)


def _looks_like_code(token: str) -> bool:
    return "_" in token.strip("_") or bool(_HUMP.search(token)) or bool(_SEPARATOR.search(token)) or token.startswith("__")


def _pin(token: str) -> Pin:
    owners = _SEPARATOR.split(token)
    name = owners.pop()
    return Pin(spelling=name, key=name_key(name), qualifier=name_key(owners[-1]) if owners else None)


def _windows(content: list[str]) -> dict[str, int]:
    """Return the joined forms of two to four adjacent words."""
    folded = ["".join(split_word(word)) for word in content]
    return {"".join(folded[start : start + size]): size for size in (4, 3, 2) for start in range(len(folded) - size + 1)}
