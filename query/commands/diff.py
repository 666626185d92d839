"""`codequarry diff`: what changed from one snapshot to another."""

from __future__ import annotations

import click

from ..console import write_json, write_lines
from ._options import json_option, store_option

__all__ = ["diff"]


@click.command()
@click.argument("before", metavar="A")
@click.argument("after", metavar="[B]", required=False)
@store_option
@click.option(
    "--limit", "-n", metavar="N", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Shown of each kind."
)
@json_option
def diff(before: str, after: str | None, index: str, limit: int, as_json: bool) -> None:
    """Compare two snapshots: files, symbols, edges, impact.

    A and B are folders (stores or snapshots), or the first letters of ids in the store of --index; B is its live snapshot if
    not given. Symbols are matched by key, and then by an equal body; what may break is found through the graph.
    """
    from ..diff import compare, difference_lines, open_side
    from ..store import open_snapshot

    old = open_side(before, index)
    new = open_side(after, index) if after is not None else open_snapshot(index)
    difference = compare(old, new, limit=limit)
    if as_json:
        write_json(difference.to_json())
    else:
        write_lines(difference_lines(difference, most=limit))
