"""The lines of a hit that say most about the query, from the sources in the artifact; no checkout is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..schemas.tables import TABLES
from .connection import Connection
from .results import Hit, Snippet

__all__ = ["MAX_LINES", "MAX_WIDTH", "add_snippets", "best_lines", "word_pattern"]

MAX_LINES = 2000
"""Lines of a hit that are looked at: more than any function, and a bound on what a data file costs."""

MAX_WIDTH = 400
"""Characters of a line that are shown; a minified line has no end."""


def add_snippets(hits: Sequence[Hit], terms: Sequence[str], connection: Connection, lines: int) -> tuple[Hit, ...]:
    """Return the hits with up to `lines` lines each; hits of a snapshot without sources stay as they are."""
    if not hits or lines < 1 or not connection.has(TABLES["sources"].name):
        return tuple(hits)
    texts = _texts(hits, connection)
    pattern = word_pattern(terms)
    out = []
    for hit in hits:
        text = texts.get((hit.repo, hit.path))
        if text is None or hit.start_line is None or hit.end_line is None:
            out.append(hit)
            continue
        out.append(replace(hit, snippet=best_lines(text, hit.start_line, hit.end_line, pattern, lines)))
    return tuple(out)


def best_lines(text: str, start: int, end: int, pattern: re.Pattern[str] | None, count: int) -> Snippet | None:
    """Return the `count` adjacent lines between `start` and `end` (from 1, inclusive) with most distinct matches.

    Earlier lines win ties; without any match the first lines that hold anything are taken.
    """
    lines = text.split("\n")[start - 1 : min(end, start + MAX_LINES - 1)]
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        return None
    found = [
        frozenset(m[0].lower() for m in pattern.finditer(line[:MAX_WIDTH])) if pattern else frozenset() for line in lines
    ]
    first = _first(found, count) if any(found) else next(i for i, line in enumerate(lines) if line.strip())
    shown = tuple(line[:MAX_WIDTH].rstrip("\r") for line in lines[first : first + count])
    spans = tuple(
        (row, match.start(), match.end())
        for row, line in enumerate(shown)
        for match in (pattern.finditer(line) if pattern else ())
    )
    return Snippet(line=start + first, lines=shown, spans=spans)


def _first(found: Sequence[frozenset[str]], count: int) -> int:
    """Return where the window of `count` lines with most distinct matches begins, on a line with a match."""
    sizes = [(-len(frozenset().union(*found[i : i + count])), -len(found[i]), i) for i in range(len(found)) if found[i]]
    return min(sizes)[2]


def word_pattern(terms: Sequence[str]) -> re.Pattern[str] | None:
    """Return what finds the words behind stems, where a part of a word begins; None if there are none.

    Snowball cuts ends off, and writes a final y as i. A part begins behind what is no ASCII letter, or with a capital.
    """
    stems = {term[:-1] if len(term) > 3 and term.endswith("i") else term for term in terms}
    longest_first = sorted(stems, key=lambda stem: (-len(stem), stem))
    if not longest_first:
        return None
    anywhere = "|".join(map(re.escape, longest_first))
    humps = "|".join(re.escape(stem.capitalize()) for stem in longest_first)
    return re.compile(rf"(?<![A-Za-z])(?i:{anywhere})|(?<=[a-z])(?:{humps})")


def _texts(hits: Sequence[Hit], connection: Connection) -> dict[tuple[str, str], str]:
    places = list(dict.fromkeys((hit.repo, hit.path) for hit in hits))
    marks = ", ".join("(?, ?)" for _ in places)
    files = connection.rows(
        f"SELECT file FROM files WHERE (repo, path) IN ({marks})", [value for place in places for value in place]
    )
    ids = [row[0] for row in files]
    if not ids:
        return {}
    rows = connection.rows(f"SELECT repo, path, text FROM sources WHERE file IN ({', '.join('?' * len(ids))})", ids)
    return {(repo, path): text for repo, path, text in rows}
