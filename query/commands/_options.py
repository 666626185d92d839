"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

__all__ = ["filter_options", "json_option", "store_option"]

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


def filter_options(command: Command) -> Command:
    """Add what narrows a search, by the names of `Index.search`: family, repos, languages, kinds, paths, tests."""
    for option in reversed(_FILTERS):
        command = option(command)
    return command


_FILTERS = (
    click.option("--family", metavar="NAME", help="Treat the query as one of this family instead of guessing."),
    click.option("--repo", "repos", multiple=True, metavar="NAME", help="Only this repository; repeatable."),
    click.option("--lang", "languages", multiple=True, metavar="NAME", help="Only this language; repeatable."),
    click.option("--kind", "kinds", multiple=True, metavar="NAME", help="Only symbols of this kind; repeatable."),
    click.option(
        "--path", "paths", multiple=True, metavar="GLOB", help="Only paths that match, as in 'src/**'; repeatable."
    ),
    click.option("--tests/--no-tests", default=None, help="Only tests, or everything but tests."),
)


def json_option(command: Command) -> Command:
    """Add --json as `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)
