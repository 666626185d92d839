"""Documents one or two links away from documents that match: an author wrote that they belong together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from ..connection import Connection

__all__ = ["DOCUMENT_LANGUAGES", "MOST_FILES", "MOST_HOPS", "Followed", "Links", "follow"]

DOCUMENT_LANGUAGES = ("markdown", "restructuredtext")
"""Languages whose files are documents: those that links are read from."""

MOST_HOPS = 2
MOST_FILES = 64
"""Bounds of what is followed: beyond two links nearly everything is connected, and an index page links to all there is."""

_FADE = 0.6
"""What a document hands on to those that it links to, of its own score."""


class Link(NamedTuple):
    """One link that leads to a file; ids are those of files."""

    file: int
    target: int
    path: str
    line: int
    destination: str


class Followed(NamedTuple):
    """A file that was reached: its score, the link that the most came by, and how many hops away it is."""

    file: int
    score: float
    link: Link
    hops: int


class Links:
    """The links of a snapshot by the file in which they stand; broken ones and those of a file to itself are left out."""

    def __init__(self, connection: Connection) -> None:
        self._of: dict[int, tuple[Link, ...]] = {}
        if not connection.has("doc_links"):
            return
        rows = connection.rows(
            "SELECT file, target_file, path, line, destination FROM doc_links "
            "WHERE target_file IS NOT NULL AND target_file <> file AND NOT broken ORDER BY link"
        )
        groups: dict[int, list[Link]] = {}
        for row in rows:
            groups.setdefault(row[0], []).append(Link(*row))
        self._of = {file: tuple(found) for file, found in groups.items()}

    def of(self, file: int) -> tuple[Link, ...]:
        """Return the links that stand in a file, in their order."""
        return self._of.get(file, ())


def follow(links: Links, own: Mapping[int, float], starts: Collection[int], hops: int) -> list[Followed]:
    """Return the files that `hops` links or fewer lead to from the files `starts`, with their scores, best first.

    A file has its `own` score for the query and the best of what links hand it; at most MOST_FILES come back.
    """
    reached: dict[int, Followed] = {}
    front: Sequence[tuple[int, float]] = [(file, own[file]) for file in sorted(starts, key=lambda file: (-own[file], file))]
    for hop in range(1, hops + 1):
        new = [found for found in _step(links, front, hop, own) if found.file not in reached]
        reached.update((found.file, found) for found in new)
        front = [(found.file, found.score) for found in new if found.file not in starts]
    return sorted(reached.values(), key=lambda found: (-found.score, found.file))[:MOST_FILES]


def _step(links: Links, front: Iterable[tuple[int, float]], hop: int, own: Mapping[int, float]) -> list[Followed]:
    best: dict[int, Followed] = {}
    for file, score in front:
        for link in links.of(file):
            gain = round(_FADE * score + own.get(link.target, 0.0), 9)
            old = best.get(link.target)
            if old is None or gain > old.score:
                best[link.target] = Followed(link.target, gain, link, hop)
    return list(best.values())
