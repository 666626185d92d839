"""What the commands about one symbol share: finding it, and listing the candidates of a name that is not clear."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..connection import Connection
from ..console import clean, write_json, write_lines
from ..graph import TABLES, AmbiguousError, Place, resolve
from ..store import open_snapshot
from ..text import place_line

__all__ = ["ambiguous", "found", "opened"]


def opened(index: str) -> Connection:
    """Open the tables that say what a symbol is and what surrounds it."""
    return Connection(open_snapshot(index), TABLES)


def found(connection: Connection, name: str, *, as_json: bool) -> Place:
    """Return the symbol; prints the candidates of an ambiguous name before its error goes on."""
    with ambiguous(as_json=as_json):
        return resolve(connection, name)


@contextmanager
def ambiguous(*, as_json: bool) -> Iterator[None]:
    """Print the candidates of an ambiguous name before its error goes on."""
    try:
        yield
    except AmbiguousError as error:
        if as_json:
            listed = [place.to_json() for place in error.candidates]
            write_json({"symbol": None, "candidates": listed, "total": error.total})
        else:
            write_lines(_candidates(error))
        raise


def _candidates(error: AmbiguousError) -> Iterator[str]:
    for place in error.candidates:
        yield f"{place_line(place)}  {clean(place.key)}"
    if error.total > len(error.candidates):
        yield f"... and {error.total - len(error.candidates):,} more"
