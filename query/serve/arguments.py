"""Check what a client sends against the schema of a tool, with sentences that a model can act on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ...schemas.errors import UsageError
from .tools import Tool

__all__ = ["checked"]

_SHOWN = 40
"""Characters of a wrong value that are repeated."""

_TYPES = {"string": str, "integer": int, "boolean": bool}


def checked(tool: Tool, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the arguments of a call with defaults filled in, None where there is none; UsageError says what is wrong."""
    given = dict(arguments or {})
    known: dict[str, dict[str, Any]] = tool.arguments["properties"]
    for name in given:
        if name not in known:
            raise UsageError(f"{tool.name} has no argument {name!r}: it takes {', '.join(known)}")
    for name in tool.arguments["required"]:
        if given.get(name) is None:
            raise UsageError(f"{tool.name} needs `{name}`, {known[name].get('description', 'a string')}")
    return {name: _value(name, given.get(name), schema) for name, schema in known.items()}


def _value(name: str, value: Any, schema: Mapping[str, Any]) -> Any:
    if value is None:
        return schema.get("default")
    if "enum" in schema:
        if value not in schema["enum"]:
            raise UsageError(f"`{name}` must be one of {', '.join(schema['enum'])}, not {_shown(value)}")
        return value
    wanted = _TYPES[schema["type"]]
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise UsageError(f"`{name}` must be {_described(schema)}, not {_shown(value)}")
    if wanted is int and not schema["minimum"] <= value <= schema["maximum"]:
        raise UsageError(f"`{name}` must be {_described(schema)}, not {_shown(value)}")
    return value


def _described(schema: Mapping[str, Any]) -> str:
    if schema["type"] == "integer":
        return f"an integer from {schema['minimum']} to {schema['maximum']}"
    return {"string": "a string", "boolean": "true or false"}[schema["type"]]


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)[:_SHOWN]
