"""`codequarry relations`: what surrounds a symbol in the code graph."""

from __future__ import annotations

from collections.abc import Iterator

import click

from ...schemas.errors import UsageError
from ..console import clean, write_json, write_lines
from ..graph.related import SHOWN, Relation, Relations, connecting_path, impact
from ..graph.related import relations as related
from ..text import place_line
from ._options import json_option, store_option
from ._symbols import found, opened

__all__ = ["relations"]

_TITLES = {
    "callers": "called by",
    "callees": "calls",
    "types": "types it names",
    "subtypes": "subtypes and overriding",
    "overrides": "overrides",
    "references": "referred to by",
    "tests": "tested by",
    "imported_by": "imported by",
    "impact": "may break",
    "path": "path",
}


@click.command()
@click.argument("symbol", metavar="SYMBOL")
@click.option("--callers", is_flag=True, help="Who calls it.")
@click.option("--callees", is_flag=True, help="What it calls.")
@click.option("--types", is_flag=True, help="Types that it extends, implements or names, and what it overrides.")
@click.option("--subtypes", is_flag=True, help="What extends, implements or overrides it.")
@click.option("--tests", is_flag=True, help="Tests that reach it.")
@click.option("--depth", type=click.IntRange(1, 10), metavar="N", help="Steps to follow; 1, for --impact 3, for a path 6.")
@click.option("--impact", "wants_impact", is_flag=True, help="What may break if it changes, most likely first.")
@click.option("--path-to", metavar="OTHER", help="The shortest chain of uses between SYMBOL and OTHER.")
@click.option("-k", "limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N", help="Rows a group.")
@store_option
@json_option
def relations(
    symbol: str, index: str, as_json: bool, limit: int, depth: int | None, wants_impact: bool, path_to: str | None,
    **chosen: bool,
) -> None:  # fmt: skip
    """Show who calls, uses, extends or tests a symbol.

    SYMBOL is a key, a qualified name (or its last parts), PATH:LINE or a path. An ambiguous one lists its candidates. Without
    a choice every group is shown.
    """
    names = [name for name, wanted in chosen.items() if wanted]
    if wants_impact + (path_to is not None) + bool(names) > 1:
        raise UsageError("--impact, --path-to and the groups are questions of their own: ask one at a time")
    if "types" in names:
        names.append("overrides")
    with opened(index) as connection:
        place = found(connection, symbol, as_json=as_json)
        if wants_impact:
            answer = impact(connection, place, depth=depth or 3, limit=limit)
        elif path_to is not None:
            answer = connecting_path(connection, place, found(connection, path_to, as_json=as_json), depth=depth or 6)
        else:
            answer = related(connection, place, names or SHOWN, depth=depth or 1, limit=limit)
    if as_json:
        write_json(answer.to_json())
    else:
        write_lines(_lines(answer))


def _lines(answer: Relations) -> Iterator[str]:
    yield place_line(answer.symbol)
    nothing = True
    for name, rows in answer.groups.items():
        if rows:
            nothing = False
            more = f" ({answer.totals[name]:,}, the first {len(rows)})" if answer.totals[name] > len(rows) else ""
            yield f"{_TITLES[name]}{more}"
            yield from map(_line, rows)
    if nothing:
        yield "  nothing in the index"
    for note in answer.notes:
        yield f"note: {clean(note)}"


def _line(row: Relation) -> str:
    place = row.place
    name = place.qualified_name or place.name
    facts = [row.kind]
    if row.score is not None:
        facts.insert(0, f"{row.score:.3f}")
    if row.depth > 1:
        facts.append(f"{row.depth} steps, by {row.via.partition('#')[2] or row.via}")
    if row.sites > 1:
        facts.append(f"{row.sites} places")
    if row.confidence < 0.9:
        facts.append(f"{row.confidence:.2f} sure")
    return clean(f"  {row.path}:{row.line}  {place.kind} {name}  ({', '.join(facts)})")
