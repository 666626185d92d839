"""Writing to a terminal or a pipe: JSON as UTF-8 whatever the locale, text that cannot harm a terminal, colour if wanted."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import click

__all__ = ["clean", "colour_wanted", "json_text", "prepare_streams", "write_json", "write_lines"]

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSAFE = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Controls that move the cursor or recolour a terminal, line ends, direction overrides, halves of surrogate pairs."""


def prepare_streams() -> None:
    """Let text that stdout cannot encode come out escaped instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def colour_wanted() -> bool:
    """Say whether stdout is a terminal that should get colour (https://no-color.org)."""
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def clean(text: str) -> str:
    """Return `text` on one line, with every character that could act on a terminal written as an escape."""
    return _UNSAFE.sub(_escape, text)


def write_lines(lines: Iterable[str]) -> None:
    """Write lines of text, already clean, to stdout."""
    text = "".join(f"{line}\n" for line in lines)
    click.echo(text, nl=False, color=True)  # whoever painted them has looked at the terminal


def write_json(value: Any, *, compact: bool = False) -> None:
    """Write one JSON value to stdout: indented by two, or `compact` on one line; flushed."""
    click.echo(json_text(value, compact=compact).encode())


def json_text(value: Any, *, compact: bool = False) -> str:
    """Return strictly valid JSON: no NaN, no half of a surrogate pair; what JSON has no type for becomes a string."""
    layout: dict[str, Any] = {"separators": (",", ":")} if compact else {"indent": 2}
    text = json.dumps(_plain(value), ensure_ascii=False, allow_nan=False, **layout)
    return _SURROGATE.sub("\ufffd", text)


def _plain(value: Any) -> Any:
    """Turn a value from a result row into what JSON can hold."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    if isinstance(value, Mapping):
        return {k if isinstance(k, str) else str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, Iterable):
        return [_plain(v) for v in value]
    return str(value)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
