"""`codequarry links`: the documentation links of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from ..console import clean, write_json, write_lines
from ._options import json_option, store_option

if TYPE_CHECKING:
    from ..links import AmbiguousPathError, FileLinks, Link

__all__ = ["links"]


@click.command()
@click.argument("path", metavar="PATH")
@store_option
@json_option
def links(path: str, index: str, as_json: bool) -> None:
    """Show the documentation links of a file.

    What its own links lead to, which documents link to it, and which of its links are broken. PATH is relative to the root of
    its repository, REPO:PATH, or the end of a path; an ambiguous one lists its candidates. Links are read from Markdown and
    reStructuredText; they may lead to any file.
    """
    from ..connection import Connection
    from ..links import AmbiguousPathError, links_of
    from ..store import open_snapshot

    snapshot = open_snapshot(index)
    with Connection(snapshot, ("files", "doc_links")) as connection:
        try:
            found = links_of(connection, path)
        except AmbiguousPathError as error:
            _show_candidates(error, as_json=as_json)
            raise
    if as_json:
        write_json(found.to_json())
    else:
        write_lines(_lines(found))


def _show_candidates(error: AmbiguousPathError, *, as_json: bool) -> None:
    if as_json:
        listed = [candidate._asdict() for candidate in error.candidates]
        write_json({"file": None, "candidates": listed, "total": error.total})
        return
    write_lines(clean(f"{candidate.repo}:{candidate.path}") for candidate in error.candidates)
    if error.total > len(error.candidates):
        write_lines([f"... and {error.total - len(error.candidates):,} more"])


def _lines(found: FileLinks) -> Iterator[str]:
    yield clean(f"{found.file.repo}:{found.file.path}")
    whole = [link for link in found.outgoing if not link.broken]
    groups = {
        "links to": [f"{link.line:>6}  {_target(link)}" for link in whole],
        "linked from": [f"  {link.path}:{link.line}{_at(link)}" for link in found.incoming],
        "broken": [f"{link.line:>6}  {link.destination}  ({_why(link)})" for link in found.broken],
    }
    for title, lines in groups.items():
        if lines:
            yield title
            yield from map(clean, lines)
    if not any(groups.values()):
        yield "  no links in the index"


def _target(link: Link) -> str:
    return f"{link.target}#{link.anchor}" if link.anchor else f"{link.target}"


def _at(link: Link) -> str:
    if not link.anchor:
        return ""
    return f"  #{link.anchor}" + ("  (there is no such place)" if link.broken else "")


def _why(link: Link) -> str:
    return "nothing is there" if link.target is None else f"{link.target} has no #{link.anchor}"
