"""`codequarry info`: all about one symbol."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ..console import clean, write_json, write_lines
from ..graph.about import Info
from ..graph.about import info as gather
from ..text import place_line
from ._options import json_option, store_option
from ._symbols import found, opened

__all__ = ["info"]


@click.command()
@click.argument("symbol", metavar="SYMBOL")
@store_option
@json_option
def info(symbol: str, index: str, as_json: bool) -> None:
    """Show what a symbol is, with outline and source.

    SYMBOL is a key, a qualified name (or its last parts), PATH:LINE or a path; of a file the outline is shown. An ambiguous one
    lists its candidates.
    """
    with opened(index) as connection:
        about = gather(connection, found(connection, symbol, as_json=as_json))
    if as_json:
        write_json(about.to_json())
    else:
        write_lines(_lines(about))


def _lines(about: Info) -> Iterator[str]:
    place = about.symbol
    yield place_line(place)
    yield f"  key        {clean(place.key)}"
    facts = [f"lines {place.start_line}-{place.end_line}", about.visibility, *(["a test"] if place.is_test else [])]
    yield f"  facts      {clean(', '.join(facts))}"
    if about.owner is not None:
        yield f"  in         {place_line(about.owner)}"
    if about.decorators:
        yield f"  marked     {clean(' '.join(about.decorators))}"
    if about.counts:
        yield f"  edges      {', '.join(f'{n:,} {name}' for name, n in about.counts.items())}"
    if about.doc:
        yield "  doc"
        yield from (f"    {clean(line)}".rstrip() for line in about.doc.splitlines())
    if about.outline:
        yield "  outline"
        yield from (
            f"    {part.start_line:>5}  {clean(part.signature or f'{part.kind} {part.name}')}" for part in about.outline
        )
    if about.source is not None:
        yield "  source"
        lines = about.source.splitlines()
        yield from (f"    {place.start_line + i:>5}  {clean(line)}".rstrip() for i, line in enumerate(lines))
    for note in about.notes:
        yield f"note: {clean(note)}"
