"""What several commands read: sizes, durations, the folder of a store."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

__all__ = ["Duration", "Size", "out_option"]


class Size(click.ParamType[int]):
    """A number of bytes: `500000`, `500KB`, `2MB` (powers of 1000), at most `most`."""

    name = "size"

    def __init__(self, most: int = 1 << 60, shown: str = "1 EB") -> None:
        self._most = most
        self._shown = shown

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(?:([kmgt]?)b?)", str(value).strip().lower())
        size = float(found[1]) * 1000 ** " kmgt".index(found[2] or " ") if found else 0
        if not 1 <= size <= self._most:
            self.fail(f"{value!r} is not a size between 1 byte and {self._shown}: write 500KB or 2MB", param, ctx)
        return int(size)


_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


class Duration(click.ParamType[float]):
    """A number of seconds: `90s`, `30m`, `12h`, `7d`, or `0`."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, int | float):
            return float(value)
        found = re.fullmatch(r"(\d{1,9}(?:\.\d+)?)\s*([smhdw]?)", str(value).strip().lower())
        if not found:
            self.fail(f"{value!r} is not a duration: write 90s, 30m, 12h or 7d", param, ctx)
        return float(found[1]) * _SECONDS[found[2]]


F = TypeVar("F", bound=Callable[..., Any])


def out_option(purpose: str) -> Callable[[F], F]:
    """Return the option `--out DIR`, the folder of a store."""
    folder = click.Path(path_type=Path)
    return click.option("--out", metavar="DIR", default="artifacts", show_default=True, type=folder, help=purpose)
