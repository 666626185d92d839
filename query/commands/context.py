"""`codequarry context`: the code and documents that say most about a task, within a budget."""

from __future__ import annotations

import os

import click

from ..console import write_json
from ._options import json_option, store_option

__all__ = ["context"]


@click.command()
@click.argument("task", metavar="TASK")
@click.option("--budget", type=int, default=8000, show_default=True, metavar="N", help="Tokens at most, of four characters.")
@click.option(
    "--hops", type=int, default=0, show_default=True, metavar="N", help="Follow links of matching documents, 2 at most."
)
@click.option("--checkout", metavar="DIR", type=click.Path(), help="Say which of the files shown differ from those in DIR.")
@store_option
@json_option
def context(task: str, budget: int, hops: int, checkout: str | None, index: str, as_json: bool) -> None:
    """Pack what says most about a task into a budget of tokens.

    Definitions first, then the parts that matter of callers, callees, types and tests, documents, and the names of the rest; as
    Markdown, never over the budget. What had no room is listed. --json says of each part what it rests on and whether its
    source is unchanged.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded, as in `search`
    from contextlib import closing

    from .. import open_index
    from ..context import Packs
    from ..provenance import check_checkout, to_json, validate

    folder = check_checkout(checkout)
    with open_index(index, resident=False) as opened, closing(Packs(opened)) as packs:
        pack = packs.pack(task, budget=budget, hops=hops, checkout=folder)
        if as_json:
            files = {item.file for item in pack.items if item.file is not None}
            write_json(to_json(pack, validate(packs.connection, files, folder)))
        else:
            click.echo(pack.text, nl=False)
