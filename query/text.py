"""Answers and tables as lines of text for a person: clean for a terminal, painted only if asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from .console import clean
from .results import FILE_KIND, Answer, Hit, Snippet

if TYPE_CHECKING:
    from .graph import Place

__all__ = ["answer_lines", "count", "place_line", "size", "table_lines"]

_NAMED = 5
"""Members of a cluster that are named; --json has all."""

_CELL = 120
"""Longest cell of a table, in characters: source texts and blobs are for --json."""


def answer_lines(answer: Answer, *, colour: bool = False, width: int | None = None) -> Iterator[str]:
    """Yield the lines of an answer: its rows, best first, then what was noted; lines are cut to `width` if given."""
    several = len({hit.repo for hit in answer.results}) > 1
    margin = len(str(len(answer.results))) + 2
    for hit in answer.results:
        yield from _hit_lines(hit, _Page(colour=colour, width=width, margin=margin), several)
    yield from _cluster_lines(answer)
    yield from _path_lines(answer)
    if not answer.results:
        yield f"nothing found for {answer.query!r}"
    for note in answer.notes:
        yield f"note: {clean(note)}"


def place_line(place: Place) -> str:
    """Return `path:line  kind name` on one line."""
    name = f" {place.qualified_name}" if place.qualified_name else ""
    return clean(f"{place.path}:{place.start_line}  {place.kind}{name}")


def _cluster_lines(answer: Answer) -> Iterator[str]:
    for cluster in answer.clusters or ():
        named = [_short(key) for key in cluster.members[:_NAMED]]
        more = f" and {cluster.coverage - _NAMED} more" if cluster.coverage > _NAMED else ""
        what = f"{cluster.reason} {clean(cluster.key)}, {cluster.coverage} of {cluster.of}"
        yield f"set: {what}: {', '.join(named)}{more}"


def _path_lines(answer: Answer) -> Iterator[str]:
    for path in answer.paths or ():
        chain = _short(path.start)
        for link in path.links:
            chain += f" -{link.kind}-> {_short(link.key)}" if link.forward else f" <-{link.kind}- {_short(link.key)}"
        none = "" if path.links else f" and {_short(path.end)}: no chain of uses found"
        yield f"path: {chain}{none}"


def _short(key: str) -> str:
    """Return the qualified name of a key, its path if it has none."""
    return clean(key.partition("#")[2] or key)


class _Page:
    """How lines are laid out: colour or not, their width, the columns that the rank takes."""

    def __init__(self, *, colour: bool, width: int | None, margin: int) -> None:
        self.colour = colour
        self.width = width
        self.margin = margin

    def paint(self, text: str, **style: Any) -> str:
        return click.style(text, **style) if self.colour and text and style else text

    def line(self, *pieces: tuple[str, dict[str, Any]], lead: str = "") -> str:
        """Join painted pieces behind the margin, cut to the width before any paint is counted."""
        left = None if self.width is None else max(self.width - self.margin, 20)
        out = [lead.rjust(self.margin - 1) + " "]
        for text, style in pieces:
            shown = text if left is None else text[:left]
            out.append(self.paint(shown, **style))
            if left is not None:
                left -= len(shown)
        return "".join(out).rstrip()


def _hit_lines(hit: Hit, page: _Page, several_repos: bool) -> Iterator[str]:
    repo = f"{clean(hit.repo)} " if several_repos else ""
    place = (f"{clean(hit.path)}", {"fg": "magenta"}), (f":{hit.line or hit.start_line}", {"fg": "green"})
    name = clean(hit.qualified_name or "") if hit.kind != FILE_KIND else ""
    what = (f"  {hit.kind}" if hit.kind else "", {"fg": "cyan"}), (f" {name}" if name else "", {"bold": True})
    yield page.line((repo, {"fg": "blue"}), *place, *what, lead=f"{hit.rank}.")
    if hit.snippet is not None and hit.line is not None:
        yield page.line(*_marked(*_unindented(hit.snippet)))
    else:
        if hit.signature:
            yield page.line(*_marked(hit.signature, _marks_of_signature(hit)))
        if hit.snippet is not None:
            yield from _snippet_lines(hit.snippet, hit.signature, page)
    if hit.terms is not None:
        yield page.line((_sum(hit.score, hit.terms), {"dim": True}))


def _unindented(snippet: Snippet) -> tuple[str, list[tuple[int, int]]]:
    """Return the first line without the blanks before it, and what to highlight there."""
    text = snippet.lines[0].lstrip()
    indent = len(snippet.lines[0]) - len(text)
    return text, [(max(start - indent, 0), end - indent) for start, end in _marks(snippet, 0) if end > indent]


def _marks_of_signature(hit: Hit) -> list[tuple[int, int]]:
    """Return what to highlight in a signature: what the snippet marks in the line that holds it."""
    signature = hit.signature or ""
    for row, text in enumerate(hit.snippet.lines if hit.snippet else ()):
        at = text.find(signature)
        if at >= 0:
            marks = [(start - at, end - at) for start, end in _marks(hit.snippet, row)]
            return [(start, end) for start, end in marks if 0 <= start < end <= len(signature)]
    return []


def _snippet_lines(snippet: Snippet, signature: str | None, page: _Page) -> Iterator[str]:
    """Yield the lines of a snippet but for the one that holds the signature, which was just printed."""
    digits = len(str(snippet.line + len(snippet.lines)))
    for row, text in enumerate(snippet.lines):
        if not signature or signature not in text:
            number = f"{snippet.line + row:>{digits}} | "
            yield page.line((number, {"dim": True}), *_marked(text, _marks(snippet, row)))


def _marks(snippet: Snippet | None, row: int) -> list[tuple[int, int]]:
    return sorted((start, end) for at, start, end in (snippet.spans if snippet else ()) if at == row)


def _marked(text: str, marks: Sequence[tuple[int, int]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Cut a line into pieces, those between `marks` (start, end; sorted) highlighted."""
    done = 0
    for start, end in marks:
        if start < done:
            continue
        yield clean(text[done:start]).replace("\t", "    "), {}
        yield clean(text[start:end]), {"fg": "red", "bold": True}
        done = end
    yield clean(text[done:]).replace("\t", "    "), {}


def _sum(score: float, terms: Mapping[str, float]) -> str:
    parts = " ".join(f"{value:+.4f} {name}" for name, value in terms.items() if value)
    return f"score {score:.4f} = {parts.removeprefix('+')}"


def table_lines(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    """Yield a result as an aligned table: a header, a rule, a line a row; numbers to the right, nulls as `NULL`."""
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)] if columns else []
    numeric = [bool(rows) and all(isinstance(row[i], int | float | None) for row in rows) for i in range(len(columns))]

    def line(values: Sequence[str]) -> str:
        aligned = (v.rjust(w) if n else v.ljust(w) for v, w, n in zip(values, widths, numeric, strict=True))
        return "  ".join(aligned).rstrip()

    yield line([clean(name) for name in columns])
    yield "  ".join("-" * width for width in widths)
    yield from map(line, cells)
    yield f"({count(len(rows), 'row')})"


def _cell(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"<{count(len(value), 'byte')}>"
    text = clean(str(value))
    return text if len(text) <= _CELL else text[: _CELL - 1] + "…"


def count(number: int, noun: str) -> str:
    """Return `1 file`, `2 files`, `12,345 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def size(number: int) -> str:
    """Return a number of bytes as `812 B`, `4.5 KB`, `1.3 GB` (powers of 1000)."""
    if number < 1000:
        return f"{number} B"
    value, units = float(number), iter(("KB", "MB", "GB", "TB"))
    unit = "B"
    while value >= 1000:
        value, unit = value / 1000, next(units, "PB")
    return f"{value:.1f} {unit}"
