"""The ways to match a query: by what is indexed (`auto`), by names alone, by meaning, by the text of lines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ..schemas.errors import DamagedError, StoreError, UsageError
from .connection import Connection
from .ranking.pipeline import matched_by, rank
from .ranking.request import Request
from .readers.values import Row
from .results import FILE_KIND, Chain, Cluster, Link, Snippet

if TYPE_CHECKING:
    from .encoder import Encoder
    from .readers.arrays import Singles
    from .readers.vectors import Vectors

__all__ = ["WAYS", "Match", "Matching", "Reply", "answer", "check_request"]

WAYS = ("auto", "name", "content", "meaning")


class Matching(NamedTuple):
    """How to match; all but `match` is for content."""

    match: str = "auto"
    regex: bool = False
    case: str = "smart"
    word: bool = False
    multiline: bool = False


class Match(NamedTuple):
    """One row of a reply: a symbol or file, or a line of a file.

    `row` is the symbol's or file's own; of a line that no symbol is around it is its file's, and `inside` is False.
    """

    row: Row
    score: float
    matched_by: tuple[str, ...]
    evidence: str
    terms: dict[str, float]
    line: int | None = None
    snippet: Snippet | None = None
    inside: bool = True


class Reply(NamedTuple):
    """The rows found, best first, and what is to be said of them."""

    mode: str
    matches: tuple[Match, ...]
    notes: tuple[str, ...] = ()
    complete: bool = True
    clusters: tuple[Cluster, ...] | None = None
    paths: tuple[Chain, ...] | None = None


def check_request(k: int, how: Matching) -> None:
    """Raise UsageError for a request that means nothing."""
    if k < 1:
        raise UsageError(f"k is {k}, but an answer has at least one row: give a k of 1 or more")
    if how.match not in WAYS:
        raise UsageError(f"there is no way to match {how.match!r}: use one of {', '.join(WAYS)}")
    if how.case != "smart":
        from .patterns import CASES  # at its use: patterns of lines are nothing to most searches

        if how.case not in CASES:
            raise UsageError(f"there is no case {how.case!r}: use one of {', '.join(CASES)}")
    if how.match != "content" and how._replace(match="auto") != Matching():
        raise UsageError("regex, case, word and multiline are about lines: use them with match content")


def answer(
    request: Request,
    how: Matching,
    k: int,
    connection: Callable[[], Connection],
    meaning: Callable[[], tuple[Encoder, Vectors]],
) -> Reply:
    """Return the `k` best matches of a request; connection and model are asked for where they are needed."""
    if how.match == "content":
        return _by_content(request, how, k, connection())
    if how.match == "meaning":
        return _by_meaning(request, k, meaning)
    if how.match == "name":
        return _by_terms(request, k, only_names=True)
    if not request.policy.meaning or request.query.only_stop_words:
        return _by_terms(request, k, only_names=False)
    cosines, note = _cosines(request, meaning)
    reply = _by_terms(request._replace(cosines=cosines), k, only_names=False)
    return reply if note is None else reply._replace(notes=(*reply.notes, note), complete=False)


def _cosines(request: Request, meaning: Callable[[], tuple[Encoder, Vectors]]) -> tuple[Singles | None, str | None]:
    """Return the cosines of the query, None where the model knows none of its words, or a note why they can't be had."""
    try:
        encoder, vectors = meaning()
    except DamagedError:
        raise
    except StoreError as error:
        return None, f"meaning is unavailable: {error}"
    query = encoder.encode(request.query.text)
    return (vectors.cosines(query) if query.any() else None), None


def _by_terms(request: Request, k: int, *, only_names: bool) -> Reply:
    import numpy as np

    if only_names:  # the best of all, of which those by name are kept
        request = request._replace(wanted=min(max(k, request.policy.candidates), request.reader.symbols))
    shape = "rows" if only_names else request.policy.shape
    if shape == "clusters":
        request = request._replace(wanted=min(max(k, request.policy.pool), request.reader.symbols))
    ranking = rank(request)
    found = list(zip(ranking.rows, matched_by(request, ranking), strict=True))
    if only_names:
        found = [(row, ways) for row, ways in found if "name" in ways][:k]
    rows = request.reader.rows(np.array([row.symbol for row, _ in found], np.int32))
    return Reply(
        clusters=_clusters(request, rows) if shape == "clusters" else None,
        paths=_paths(request) if shape == "paths" else None,
        mode="lexical" if request.cosines is None else "lexical+meaning",
        matches=tuple(
            Match(
                row=row,
                score=ranked.score,
                matched_by=ways,
                evidence=FILE_KIND if ranked.is_file else "symbol",
                terms=ranked.terms,
            )
            for row, (ranked, ways) in zip(rows[:k], found[:k], strict=True)
        ),
        notes=request.query.notes,
        complete=not request.query.cut,
    )


def _clusters(request: Request, rows: list[Row]) -> tuple[Cluster, ...]:
    """Return what the rows of symbols share."""
    from .ranking.shapes import cluster

    own = [row for row in rows if row.kind != FILE_KIND]
    keys = {row.symbol: row.key for row in own}
    return tuple(
        Cluster(
            key=found.key,
            reason=found.reason,
            coverage=len(found.members),
            of=found.pool,
            members=tuple(keys[symbol] for symbol in found.members),
        )
        for found in cluster(request, own)
    )


def _paths(request: Request) -> tuple[Chain, ...]:
    """Return how the two symbols that the query names best hang together, nothing where it does not name two."""
    import numpy as np

    from .ranking.shapes import connect, sides

    if request.graph is None or len(named := [_named(side) for side in sides(request)]) != 2:
        return ()
    starts, ends = named[0], [symbol for symbol in named[1] if symbol not in named[0]]
    if not starts or not ends:
        return ()
    path = connect(request.graph().neighbours, starts, ends, request.reader.files.first_symbol[:-1])
    symbols = [path.start, path.end, *(step.symbol for step in path.steps)]
    keys = dict(zip(symbols, (row.key for row in request.reader.rows(np.array(symbols, np.int32))), strict=True))
    links = tuple(Link(key=keys[step.symbol], kind=step.kind, forward=step.forward) for step in path.steps)
    return (Chain(start=keys[path.start], end=keys[path.end], links=links),)


def _named(side: Request) -> list[int]:
    """Return the best symbol for one side of a relationship, with the others that bear the name which is spelled out there."""
    rows = [row for row in rank(side).rows if not row.is_file]
    spelled = [row.terms.get("exact_name", 0.0) for row in rows]
    return [row.symbol for i, row in enumerate(rows) if i == 0 or (spelled[i] > 0.0 and spelled[i] == spelled[0])]


def _by_meaning(request: Request, k: int, meaning: Callable[[], tuple[Encoder, Vectors]]) -> Reply:
    import numpy as np

    from .similar import allowed_nearest

    cosines, note = _cosines(request, meaning)
    if note is not None:
        return Reply(mode="meaning", matches=(), notes=(note,), complete=False)
    if cosines is None:
        known = ("the query holds no word that the model knows",) if request.query.text.strip() else ()
        return Reply(mode="meaning", matches=(), notes=known)
    nearest = allowed_nearest(cosines, k, request.selection, request.reader)
    rows = request.reader.rows(np.array([symbol for symbol, _ in nearest], np.int32))
    return Reply(
        mode="meaning",
        matches=tuple(
            Match(
                row=row,
                score=score,
                matched_by=("meaning",),
                evidence=FILE_KIND if row.kind == FILE_KIND else "symbol",
                terms={"meaning": score},
            )
            for row, (_, score) in zip(rows, nearest, strict=True)
        ),
    )


def _by_content(request: Request, how: Matching, k: int, connection: Connection) -> Reply:
    from .content import search_lines
    from .patterns import make_pattern

    query = request.query.text
    if not query:
        return Reply(mode="content", matches=())
    pattern = make_pattern(query, regex=how.regex, case=how.case, word=how.word, multiline=how.multiline)
    found = search_lines(query, pattern, k, request.selection, request.policy, request.reader, connection)
    notes = list(found.notes)
    if not found.total and not how.multiline and "\n" in (query.replace("\\n", "\n") if how.regex else query):
        notes.append("the query holds the end of a line: give --multiline for matches that span lines")
    return Reply(
        mode="content",
        matches=tuple(
            Match(
                row=line.row,
                score=line.score,
                matched_by=("content",),
                evidence="line",
                terms=line.terms,
                line=line.number,
                snippet=line.snippet,
                inside=line.inside,
            )
            for line in found.lines
        ),
        notes=tuple(notes),
        complete=not found.notes,
    )
