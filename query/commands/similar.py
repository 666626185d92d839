"""`codequarry similar`: code like a symbol, with what is the same code again."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from ..console import clean, write_json, write_lines
from ..text import place_line
from ._options import json_option, store_option

__all__ = ["similar"]


@click.command()
@click.argument("symbol", metavar="SYMBOL")
@click.option("-k", "limit", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="Rows at most.")
@store_option
@json_option
def similar(symbol: str, index: str, as_json: bool, limit: int) -> None:
    """Show the code that is most like a symbol or file.

    SYMBOL is a key, a qualified name (or its last parts), PATH:LINE or a path; a symbol is compared with symbols, a file with
    files. An ambiguous one lists its candidates. What has the same text, but for blanks and for its own name, is marked as a
    duplicate.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # before numpy is loaded, as in `search`
    from ..connection import Connection
    from ..similar import Similar
    from ..similar import similar as nearest
    from ..store import open_snapshot
    from ._symbols import found

    with Connection(open_snapshot(index), ("files", "symbols", "sources", "vectors")) as connection:
        answer = nearest(connection, found(connection, symbol, as_json=as_json), limit)
    if as_json:
        write_json(answer.to_json())
        return

    def lines(answer: Similar) -> Iterator[str]:
        yield place_line(answer.symbol)
        for row in answer.results:
            mark = "  (duplicate)" if row.duplicate else ""
            yield f"  {row.score:.3f}  {place_line(row.place)}{mark}"
        if not answer.results:
            yield "  nothing in the index"
        for note in answer.notes:
            yield f"note: {clean(note)}"

    write_lines(lines(answer))
