"""`codequarry search`: answers from a snapshot, one query or many."""

from __future__ import annotations

import os
import shutil
import sys
from functools import partial
from typing import Any

import click

from ...schemas.errors import UsageError
from ..console import colour_wanted, write_json, write_lines
from ..text import answer_lines
from ._options import filter_options, json_option, store_option

__all__ = ["search"]


@click.command()
@click.argument("query", metavar="[QUERY]", required=False)
@click.option("-k", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="Rows to return at most.")
@click.option(
    "--match",
    type=click.Choice(["auto", "name", "content", "meaning"]),
    default="auto",
    show_default=True,
    help="What to match: names alone, the text of lines, the meaning by the model of the index, or what fits best.",
)
@click.option("--regex", is_flag=True, help="With --match content: QUERY is a regular expression (RE2).")
@click.option(
    "--case",
    type=click.Choice(["smart", "exact", "ignore"]),
    default="smart",
    show_default=True,
    help="With --match content: smart is exact when QUERY holds a capital.",
)
@click.option("--word", is_flag=True, help="With --match content: whole words only.")
@click.option("--multiline", is_flag=True, help="With --match content: a match may span lines.")
@filter_options
@store_option
@json_option
@click.option("--explain", is_flag=True, help="Show the terms that add up to each score.")
@click.option("--batch", is_flag=True, help='Answer lines {"id", "query", "k"} on stdin by lines {"id", "results"}.')
def search(query: str | None, k: int, index: str, as_json: bool, explain: bool, batch: bool, **filters: Any) -> None:
    """Search a snapshot.

    QUERY is plain text: a question, an identifier or a part of one, a path, a message. With --match content it is looked for
    as it stands in every line of the indexed files. Put -- before a QUERY that begins with a dash.
    """
    if batch is (query is not None):
        raise UsageError("search takes either QUERY or --batch (see `codequarry search --help`)")
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded: a search has nothing for more threads
    from .. import open_index

    with open_index(index, resident=batch) as opened:
        if query is None:
            from ._batch import answers

            for line in answers(partial(opened.search, explain=explain, **filters), sys.stdin.buffer, k):
                write_json(line, compact=True)
            return
        answer = opened.search(query, k=k, explain=explain, snippet_lines=0 if as_json else 1, **filters)
    if as_json:
        write_json(answer.to_json())
    else:
        width = shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None
        write_lines(answer_lines(answer, colour=colour_wanted(), width=width))
