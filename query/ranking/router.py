"""Name the family of a query by ordered rules over its text alone; the first rule that holds decides."""

from __future__ import annotations

import re

from ...schemas.errors import UsageError
from .policy import FAMILY_NAMES
from .text import QueryText

__all__ = ["check_family", "route"]

_EXTENSIONS = frozenset(
    "astro bash bat c cc cfg cjs cmake cpp cs css cxx dart ex exs go gradle graphql h hh hpp hs htm html ini ipynb java jl "
    "js json jsx kt kts less lock lua m md mjs ml mm mts php pl plist properties proto ps1 py pyi r rb rs rst scala scss sh "
    "sql svelte swift toml ts tsx txt vue xml yaml yml zig zsh".split()
)
_PATH = re.compile(r"(?:[A-Za-z]:)?[\w.@+/\\~-]+")

_RELATION = frozenset("relationship relationships relation relations vs versus difference differences between".split())
_ERROR = frozenset(
    "error errors exception exceptions panic panics panicked fail fails failed failing failure failures crash crashes "
    "crashed deadlock deadlocks timeout timeouts leak leaks bug bugs broken traceback segfault overflow hang hangs abort "
    "aborted invalid unexpected cannot".split()
)
_SET = frozenset("all every each".split())
_SET_OPENERS = frozenset("find list show get me".split())
_QUESTION = frozenset("how what why where when which who explain describe overview".split())


def route(query: QueryText) -> str:
    """Return the family of a query."""
    text = query.text.strip().strip("`'\"").strip()
    words = [word.strip("?!.,:;()").lower() for word in text.split()]
    if len(words) <= 1:
        return _route_word(text, query)
    if not _RELATION.isdisjoint(words):
        return "relationship"
    openers = [word for word in words if word not in _SET_OPENERS][:1]
    if openers and openers[0] in _SET:
        return "cross-cutting-set"
    if not _ERROR.isdisjoint(words):
        return "error-debug"
    if words[0] in _QUESTION or text.endswith("?"):
        return "natural-abstract"
    return "natural-descriptive"


def _route_word(text: str, query: QueryText) -> str:
    if _is_path(text):
        return "file-path"
    spelled_as_code = query.parts > 1 or text[:1].isupper() or "`" in query.text
    return "symbol-exact" if spelled_as_code else "symbol-partial"


def _is_path(text: str) -> bool:
    """Say whether a single word is a path: it has separators, or ends in a known extension."""
    if not _PATH.fullmatch(text):
        return False
    stem, _, extension = text.rpartition(".")
    return "/" in text or "\\" in text or (bool(stem) and extension.lower() in _EXTENSIONS)


def check_family(name: str) -> str:
    """Return a family's name; UsageError for one that there is not."""
    if name not in FAMILY_NAMES:
        raise UsageError(f"there is no query family {name!r}: use one of {', '.join(FAMILY_NAMES)}")
    return name
