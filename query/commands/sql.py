"""`codequarry sql`: one SELECT over the snapshot's views."""

from __future__ import annotations

import click

from ...schemas.errors import UsageError
from ..console import write_json, write_lines
from ..text import table_lines
from ._options import json_option, store_option

__all__ = ["sql"]


@click.command()
@click.argument("statement", metavar='["SELECT ..."]', required=False)
@store_option
@json_option
@click.option("--print-views", is_flag=True, help="Print the statements that make the views, for use in DuckDB itself.")
def sql(statement: str | None, index: str, as_json: bool, print_views: bool) -> None:
    """Run one SELECT over the snapshot's views.

    The statement can read nothing but the snapshot and write nothing. --json prints a list of row objects, bytes as hex
    digits.
    """
    if print_views is (statement is not None) or (print_views and as_json):
        raise UsageError("sql takes either a SELECT or --print-views alone (see `codequarry sql --help`)")
    from .. import sql as engine
    from ..store import open_snapshot

    snapshot = open_snapshot(index)
    if statement is None:
        click.echo(engine.print_views(snapshot), nl=False)
        return
    table = engine.select(snapshot, statement)
    if as_json:
        write_json(table.to_json())
    else:
        write_lines(table_lines(table.columns, table.rows))
