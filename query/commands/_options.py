"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["json_option", "store_option"]

Command = TypeVar("Command", bound=Callable[..., Any])


def store_option(command: Command) -> Command:
    """Add --index DIR, the artifact to read, as `index`."""
    return click.option(
        "--index",
        metavar="DIR",
        default="artifacts",
        show_default=True,
        envvar="CODEQUARRY_INDEX",
        type=click.Path(),
        help="Store or snapshot folder to read; $CODEQUARRY_INDEX sets it too.",
    )(command)


def json_option(command: Command) -> Command:
    """Add --json as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)
