"""Name the family of a query by ordered rules over its text alone; the first rule that holds decides."""

from __future__ import annotations

import re

from ...schemas.errors import UsageError
from .policy import FAMILY_NAMES
from .text import QueryText

__all__ = ["check_family", "route"]

_EXTENSIONS = (
    "astro bash bat c cc cfg cjs cmake cpp cs css cxx dart ex exs go gradle graphql h hh hpp hs htm html ini ipynb java jl "
    "js json jsx kt kts less lua m md mjs ml mm mts php pl plist properties proto ps1 py pyi r rb rs rst scala scss sh sql "
    "svelte swift toml ts tsx txt vue xml yaml yml zig zsh"
).split()

_PATH = re.compile(rf"(?:[\w.@+-]+[/\\])+[\w.@+-]*|[/\\][\w.@+-]+|[\w@+-][\w.@+-]*\.(?:{'|'.join(_EXTENSIONS)})", re.I)
_RELATION = re.compile(
    r"\brelation(?:ship)?s?\b|\bvs\.?\b|\bversus\b|\bdifferences? between\b|\bbetween\b.+\band\b"
    r"|\bconnect(?:s|ed|ion)? .*\b(?:to|and)\b|\binteract(?:s|ion)?\b.*\bwith\b",
    re.I,
)
_ERROR = re.compile(
    r"\b(?:errors?|exceptions?|panic\w*|fail(?:s|ed|ing|ures?)?|crash\w*|deadlock\w*|timeouts?|timed out|leak\w*|bugs?"
    r"|broken|traceback|segfault\w*|overflow\w*|hang(?:s|ing)?|abort\w*|invalid|unexpected|cannot|can't)\b",
    re.I,
)
_SET = re.compile(
    r"^(?:find |list |show |get )?(?:me )?(?:all|every|each|list of|types of|kinds of)\b|\bimplementations? of\b", re.I
)
_ABSTRACT = re.compile(r"^(?:how|what|why|where|when|which|who|explain|describe|overview)\b|\?\s*$|\bworks?$", re.I)


def route(query: QueryText) -> str:
    """Return the family of a query."""
    text = query.text.strip().strip("`'\"").strip()
    if _PATH.fullmatch(text):
        return "file-path"
    if query.words <= 1:
        return (
            "symbol-exact"
            if query.parts > 1 or text[:1].isupper() or query.text.strip().startswith("`")
            else "symbol-partial"
        )
    if query.pins and len(text.split()) == 1:
        return "symbol-exact"
    for family, rule in (
        ("relationship", _RELATION),
        ("cross-cutting-set", _SET),
        ("error-debug", _ERROR),
        ("natural-abstract", _ABSTRACT),
    ):
        if rule.search(text):
            return family
    return "natural-descriptive"


def check_family(name: str) -> str:
    """Return a family's name; UsageError for one that there is not."""
    if name not in FAMILY_NAMES:
        raise UsageError(f"there is no query family {name!r}: use one of {', '.join(FAMILY_NAMES)}")
    return name
