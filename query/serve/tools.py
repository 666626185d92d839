"""The tools as plain data: what a model reads of them, and what goes in and comes out.

A client hands all of this to its model before the first question, so every word here is paid for in every session.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..graph.related import GROUPS

__all__ = ["MOST_ROWS", "RELATIONS", "TOOLS", "Tool"]

MOST_ROWS = 50
"""Rows of one page."""

RELATIONS = ("all", *GROUPS, "impact")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """One tool: name, title, description, and the JSON Schemas of its arguments and of its structured answer."""

    name: str
    title: str
    description: str
    arguments: dict[str, Any]
    answer: dict[str, Any]


def _object(properties: dict[str, Any], required: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required)}


def _arguments(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {**_object(properties, required), "additionalProperties": False}


def _string(description: str = "") -> dict[str, Any]:
    return {"type": "string", **({"description": description} if description else {})}


def _integer(low: int, high: int, default: int, description: str = "") -> dict[str, Any]:
    value = {"type": "integer", "minimum": low, "maximum": high, "default": default}
    return {**value, **({"description": description} if description else {})}


_SNAPSHOT = {"snapshot": _string()}
_NOTES = {"type": "array", "items": {"type": "string"}}
_ROWS = {"type": "array", "items": {"type": "object"}}
_CANDIDATES = {**_ROWS, "description": "given instead when SYMBOL is ambiguous: ask again with a key"}
_SYMBOL = _string("key, qualified name, PATH:LINE or path")

SEARCH = Tool(
    name="search",
    title="Search code",
    description=(
        "Find code by question, name, path or exact text, across all indexed repositories. Use it before grep or opening files. "
        "Gives ranked symbols and files: place, signature, and the key that info and relations take."
    ),
    arguments=_arguments(
        {
            "query": _string("a question, identifier, path or message; with match=content the text of a line"),
            "limit": _integer(1, MOST_ROWS, 10),
            "offset": _integer(0, 150, 0, "rows to pass over, for the next page"),
            "match": {"enum": ["auto", "name", "content", "meaning"], "default": "auto"},
            "regex": {"type": "boolean", "default": False, "description": "match=content: query is RE2"},
            "repo": _string(),
            "language": _string(),
            "kind": _string("function, class, ..."),
            "path": _string("glob, as src/**"),
            "tests": {"type": "boolean", "description": "true: tests only, false: none"},
        },
        "query",
    ),
    answer=_object(
        {**_SNAPSHOT, "results": _ROWS, "more": {"type": "boolean"}, "notes": _NOTES}, ("results", "more", "notes")
    ),
)

RELATED = Tool(
    name="relations",
    title="Who uses what",
    description=(
        "What surrounds a symbol in the code graph: callers, callees, types, subtypes, tests, importers; impact ranks what may break "
        "when it changes; `to` gives the chain to another symbol. Use it before you change code. Each row has place and confidence."
    ),
    arguments=_arguments(
        {
            "symbol": _SYMBOL,
            "relation": {"enum": list(RELATIONS), "default": "all"},
            "to": _string("another symbol"),
            "depth": _integer(1, 5, 1, "steps"),
            "limit": _integer(1, MOST_ROWS, 10, "rows a group"),
        },
        "symbol",
    ),
    answer=_object(
        {
            **_SNAPSHOT,
            "symbol": {"type": "object"},
            "groups": {"type": "object"},
            "candidates": _CANDIDATES,
            "notes": _NOTES,
        },
        ("notes",),
    ),
)

INFO = Tool(
    name="info",
    title="What a symbol is",
    description=(
        "One symbol or file: signature, documentation, outline, number of edges, source. Use it instead of opening the file, when "
        "search has given you the key."
    ),
    arguments=_arguments({"symbol": _SYMBOL, "lines": _integer(0, 1000, 200, "lines of source at most")}, "symbol"),
    answer=_object(
        {
            **_SNAPSHOT,
            "symbol": {"type": "object"},
            "outline": _ROWS,
            "source": _string(),
            "candidates": _CANDIDATES,
            "notes": _NOTES,
        },
        ("notes",),
    ),
)

CONTEXT = Tool(
    name="context",
    title="Context for a task",
    description=(
        "The code and documents that say most about a task, as Markdown within a budget of tokens: definitions, the parts that matter "
        "of callers, callees, types and tests, names of the rest. Use it first when you start on a task."
    ),
    arguments=_arguments(
        {
            "task": _string("what is to be done or understood"),
            "budget": _integer(100, 32000, 4000, "tokens"),
            "hops": _integer(0, 2, 0, "follow links between documents, for questions about documentation"),
        },
        "task",
    ),
    answer=_object(
        {
            **_SNAPSHOT,
            "markdown": _string(),
            "tokens": {"type": "integer"},
            "complete": {"type": "boolean"},
            "notes": _NOTES,
        },
        ("markdown", "tokens", "complete", "notes"),
    ),
)

STATUS = Tool(
    name="status",
    title="State of the index",
    description=(
        "Whether the index is ready, which snapshot it is, and a briefing: sub-systems, entry points, hubs, public surface. Use it in a "
        "repository that you do not know, or when another tool fails. Never waits."
    ),
    arguments=_arguments({"topic": _string("show the sub-systems about this")}),
    answer=_object(
        {
            "state": {"enum": ["loading", "ready", "replacing", "failed"]},
            "message": _string(),
            **_SNAPSHOT,
            "briefing": {"type": "object"},
            "notes": _NOTES,
        },
        ("state", "message", "notes"),
    ),
)

TOOLS = {tool.name: tool for tool in (SEARCH, RELATED, INFO, CONTEXT, STATUS)}
"""Every tool, in the order of their use; none of them writes."""
