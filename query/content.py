"""Search the stored texts line by line: literal text or a regular expression, no checkout, every line that matches.

The score of a line is 1, and 1 more where it defines a symbol whose name matches, 1.5 where all of the name does, .5 more
where no word goes on at either end of a match; the roles of its path lower it as they do in the ranking. Equal scores stand
in the order of repository, path and line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..schemas.errors import StoreError
from ._multiline import SECONDS, first_lines
from .connection import Connection
from .filters import Selection
from .patterns import Pattern, check_pattern
from .ranking.files import role_factors
from .ranking.ledger import Ledger
from .ranking.policy import Policy
from .readers.arrays import Array, Bools, Floats, Ids, distinct
from .readers.values import Reader, Row
from .results import Snippet

__all__ = ["DEFINITION", "WHOLE_WORD", "Found", "Line", "search_lines"]

DEFINITION = 1.0
WHOLE_WORD = 0.5
"""What a definition and a whole word, also in a defined name, add to the 1 of every line, so that a definition of a longer
name stands above any use. A convention."""

MAX_WIDTH = 400
"""Characters of a line that are shown; a longer one is cut around its first match."""

_LEAD = 80
"""Characters kept before the first match of a line that is cut."""

_KEPT = 10_000
"""Lines whose text is fetched with them; of more, that of the best is read again, which costs less than fetching all."""

_INLINE = 256
"""Files that are named one by one in a statement; more are read as the range they lie in."""


class Line(NamedTuple):
    """A line that matched: its number from 1, its text with what matched, and the symbol around it.

    `row` is the symbol's, or where there is none (`inside` False) the file's own.
    """

    number: int
    score: float
    terms: dict[str, float]
    snippet: Snippet
    row: Row
    inside: bool


class Found(NamedTuple):
    """The best lines of an answer, best first, and of how many; `stopped` says that time ran out before all were found."""

    lines: tuple[Line, ...]
    total: int
    stopped: bool

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of lines that are not there."""
        notes = []
        if self.total > len(self.lines):
            notes.append(f"the best {len(self.lines):,} of the matching lines, capped from {self.total:,}: -k shows more")
        if self.stopped:
            notes.append(f"the search was stopped after {SECONDS:g} seconds: some files were not searched")
        return tuple(notes)


class _Hits(NamedTuple):
    """All lines that match, ascending by file and line; `whole` where a match is whole words; their `texts`, if known."""

    files: Ids
    lines: Ids
    whole: Bools
    texts: Array | None = None
    stopped: bool = False

    def take(self, kept: Array) -> _Hits:
        return self._replace(
            files=self.files[kept],
            lines=self.lines[kept],
            whole=self.whole[kept],
            texts=None if self.texts is None else self.texts[kept],
        )


def search_lines(
    query: str, pattern: Pattern, k: int, selection: Selection, policy: Policy, reader: Reader, connection: Connection
) -> Found:
    """Return the `k` best lines that match and that the selection allows.

    Raises StoreError for a snapshot without sources, UsageError for a regular expression that RE2 refuses.
    """
    if not connection.has("sources"):
        raise StoreError(f"{connection.snapshot.folder} holds no source texts to search: index again without --no-sources")
    matches_nothing = check_pattern(pattern, query, connection)
    hits = _hits(connection, pattern, selection, by_line=matches_nothing or not pattern.multiline)
    if selection.kinds is not None or selection.tests is not None:
        hits = hits.take(_kept(hits, selection, reader, connection))
    ledger = _scores(hits, pattern, selection, policy, reader, connection)
    order = np.lexsort((hits.lines, hits.files, -ledger.rounded()))[:k]
    best = hits.take(order)
    rows = _rows(best, reader, connection)
    snippets = _snippets(best, pattern, connection)
    lines = tuple(
        Line(number=number, score=score, terms=ledger.parts(place), snippet=snippet, row=row, inside=inside)
        for place, number, score, snippet, (row, inside) in zip(
            order.tolist(), best.lines.tolist(), ledger.rounded()[order].tolist(), snippets, rows, strict=True
        )
    )
    return Found(lines=lines, total=len(hits.lines), stopped=hits.stopped)


def _hits(connection: Connection, pattern: Pattern, selection: Selection, *, by_line: bool) -> _Hits:
    """Find the lines: only texts that may match are split, and in one statement."""
    within = "true" if selection.files is None else _among(np.flatnonzero(selection.files))
    if by_line:
        may_match, texts = pattern.may_match("text")
        matches, lines = pattern.matches("piece")
        read = connection.columns(
            "SELECT file, line, regexp_matches(piece, ?) AS whole, "
            f"CASE WHEN count(*) OVER () <= {_KEPT} THEN piece END AS kept FROM ("
            "SELECT file, unnest(parts) AS piece, unnest(range(1, len(parts) + 1)) AS line, len(parts) AS total FROM ("
            f"SELECT file, string_split(text, chr(10)) AS parts FROM sources WHERE {within} AND {may_match})"
            f") WHERE {matches} AND NOT (line = total AND piece = '') ORDER BY file, line",
            [pattern.whole_word, *texts, *lines],
        )
        hits = _Hits(
            files=read["file"].astype(np.int32),
            lines=read["line"].astype(np.int32),
            whole=read["whole"].astype(np.bool_),
            texts=read["kept"] if len(read["file"]) <= _KEPT else None,
        )
    else:
        found, stopped = first_lines(connection, pattern, within)
        pairs = np.array(found, np.int32).reshape(-1, 2)
        whole = np.full(len(pairs), pattern.word)
        hits = _Hits(files=pairs[:, 0], lines=pairs[:, 1], whole=whole, stopped=stopped)
    return hits if selection.files is None else hits.take(selection.files[hits.files])


def _among(files: Array) -> str:
    """Return a condition that holds for these files, and perhaps for others between them."""
    if not len(files):
        return "false"
    if len(files) > _INLINE:
        return f"file BETWEEN {files[0]} AND {files[-1]}"
    return f"file IN ({','.join(map(str, files.tolist()))})"


def _scores(
    hits: _Hits, pattern: Pattern, selection: Selection, policy: Policy, reader: Reader, connection: Connection
) -> Ledger:
    ledger = Ledger(len(hits.files))
    ledger.add("match", np.ones(len(hits.files)))
    ledger.add("definition", _definitions(hits, pattern, connection))
    ledger.add("whole_word", WHOLE_WORD * hits.whole)
    lifted = frozenset(policy.lifted_by_tests) if selection.tests is True else frozenset[str]()
    for role, factor in role_factors(reader.files.roles[hits.files], lifted, policy).items():
        ledger.scale(role, factor)
    return ledger


def _definitions(hits: _Hits, pattern: Pattern, connection: Connection) -> Floats:
    """Return what each line is worth for the names of symbols that it defines."""
    if not len(hits.files):
        return np.zeros(0)
    matches, wanted = pattern.matches("name")
    named = connection.columns(
        "SELECT file, name_line, regexp_matches(name, ?) AS whole FROM symbols "
        f"WHERE kind <> 'file' AND {_among(distinct(hits.files))} AND {matches}",
        [pattern.whole_word, *wanted],
    )
    lines, names = _places(hits.files, hits.lines), _places(named["file"], named["name_line"])
    whole = np.isin(lines, names[named["whole"].astype(np.bool_)])
    return DEFINITION * np.isin(lines, names) + WHOLE_WORD * whole


def _places(files: Array, lines: Array) -> Array:
    """Return one number for each file and line, in their order."""
    return (files.astype(np.int64) << 32) | lines.astype(np.int64)


def _kept(hits: _Hits, selection: Selection, reader: Reader, connection: Connection) -> Bools:
    """Say which lines belong to allowed symbols; one that no symbol is around belongs to its file."""
    owners = _owners(hits, reader, connection)[0]
    ids = distinct(owners)
    return selection.keep(ids, reader)[np.searchsorted(ids, owners)]


def _owners(hits: _Hits, reader: Reader, connection: Connection) -> tuple[Ids, Bools]:
    """Return the innermost symbol around each line, or the file's own row, and whether it is a symbol."""
    own = reader.files.first_symbol[hits.files]
    files = distinct(hits.files)
    read = connection.columns(
        f"SELECT symbol, file, start_line, end_line FROM symbols WHERE {_among(files)} AND kind <> 'file' ORDER BY symbol"
    )
    bounds = np.searchsorted(read["file"], np.stack([files, files + 1]))
    starts, ends, symbols = (read[name].tolist() for name in ("start_line", "end_line", "symbol"))
    ranges = dict(zip(files.tolist(), bounds.T.tolist(), strict=True))
    owners = own.copy()
    order = np.lexsort((hits.lines, hits.files))
    file, stack, place, stop = -1, list[int](), 0, 0
    for at in order.tolist():
        if hits.files[at] != file:
            file, stack = int(hits.files[at]), []
            place, stop = ranges[file]
        line = int(hits.lines[at])
        while place < stop and starts[place] <= line:
            stack.append(place)
            place += 1
        while stack and ends[stack[-1]] < line:
            stack.pop()
        if stack:
            owners[at] = symbols[stack[-1]]
    return owners, owners != own


def _rows(hits: _Hits, reader: Reader, connection: Connection) -> list[tuple[Row, bool]]:
    if not len(hits.files):
        return []
    owners, inside = _owners(hits, reader, connection)
    return list(zip(reader.rows(owners), inside.tolist(), strict=True))


def _snippets(hits: _Hits, pattern: Pattern, connection: Connection) -> list[Snippet]:
    """Return the lines themselves, with what matched in them."""
    numbers: list[int] = hits.lines.tolist()
    if not numbers:
        return []
    texts = _texts(hits, connection) if hits.texts is None else hits.texts.tolist()
    expression, group = (pattern.line, 1) if pattern.word else (pattern.core, 0)
    every = "SELECT regexp_extract_all(piece, ?, ?) FROM (SELECT unnest(?::VARCHAR[]) AS piece)"
    matches = (found for (found,) in connection.rows(every, [expression, group, texts]))
    return [_snippet(*line) for line in zip(numbers, texts, matches, strict=True)]


def _texts(hits: _Hits, connection: Connection) -> list[str]:
    """Return the lines as they are stored."""
    wanted = list(zip(hits.files.tolist(), hits.lines.tolist(), strict=True))
    pairs = ",".join(f"({file},{line})" for file, line in wanted)
    read = connection.rows(
        f"SELECT file, w.line, string_split(text, chr(10))[w.line] FROM (VALUES {pairs}) w(file, line) JOIN "
        f"(SELECT file, text FROM sources WHERE {_among(distinct(hits.files))}) USING (file)"
    )
    found = {(file, line): text for file, line, text in read}
    return [found[place] for place in wanted]


def _snippet(number: int, text: str, matches: Sequence[str]) -> Snippet:
    spans, done = [], 0
    for match in matches:
        start = text.find(match, done)
        done = start + len(match)
        if match:
            spans.append((start, done))
    text = text.removesuffix("\r")
    cut = max(spans[0][0] - _LEAD, 0) if spans and len(text) > MAX_WIDTH else 0
    shown = text[cut : cut + MAX_WIDTH]
    kept = tuple((0, start - cut, min(end - cut, len(shown))) for start, end in spans if start - cut < len(shown))
    return Snippet(line=number, lines=(shown,), spans=kept)
