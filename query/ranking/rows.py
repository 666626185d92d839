"""Stage 6: one list of rows, symbols and files by one score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..filters import TEST_ROLE
from ..readers.arrays import Bools, Floats, Ids, Places
from ..readers.values import PUBLIC
from .evidence import Candidates
from .files import FileScores
from .ledger import Ledger, norm
from .request import Request
from .seeds import FileSeeds

__all__ = ["RankedRow", "blend_files", "file_share", "merge_rows", "place_in_file", "represent", "score_file_rows"]

_STEP = 1e-6
"""How far a symbol stands behind its file, and behind the one before it, where symbols only represent their files."""


class RankedRow(NamedTuple):
    """One row of the answer: the id of a symbol (for a file that of its own row), the score and its parts."""

    symbol: int
    is_file: bool
    score: float
    terms: dict[str, float]


def file_share(request: Request, candidates: Candidates, scores: Floats) -> float:
    """Return how much of the order the files decide, from 0 to 1; `scores` are those of the candidates.

    The less of the query the best symbol's name says, and the less the best stand out, the more. A request for a change
    asks for places and not for a name, so there it does not matter whether one symbol stands out.
    """
    if not len(scores):
        return 1.0
    policy, best = request.policy, int(np.argmax(scores))
    unsaid = 1.0 - float(candidates.hits[best]) / max(request.query.parts, 1)
    if request.query.asks_for_change:
        return policy.file_share * max(unsaid, 0.0)
    rank = min(policy.flat_rank, len(scores))
    later = float(np.partition(scores, len(scores) - rank)[len(scores) - rank])
    flatness = max(later, 0.0) / scores[best] if scores[best] > 0.0 else 1.0
    return policy.file_share * max(unsaid, 0.0) * flatness


def blend_files(request: Request, ledger: Ledger, candidates: Candidates, files: FileScores, share: float) -> float:
    """Mix the scores of symbols with those of their files and return the highest before that, 1 where none is positive.

    The best symbol of a file takes the file's whole score, the others less the further they are behind it.
    """
    scores = np.maximum(ledger.total, 0.0)
    top = float(scores.max(initial=0.0)) or 1.0
    place = np.searchsorted(files.ids, candidates.columns.file)
    best = np.zeros(len(files.ids))
    np.maximum.at(best, place, scores)
    rest = (scores / np.where(best > 0.0, best, 1.0)[place]) ** request.policy.file_fall
    ledger.add("file_share", share * (top * norm(files.scores)[place] * rest - ledger.total))
    return top


def score_file_rows(request: Request, files: FileScores, seeds: FileSeeds, share: float, top: float) -> Ledger:
    """Score the rows that stand for whole files on the scale of symbols, whose highest score is `top`.

    Where the query holds a path, and the family is that of paths, what a file's path says of the query counts most.
    """
    policy = request.policy
    ledger = Ledger(len(files.ids))
    ledger.add("file", top * norm(files.scores) * (share + (1.0 - share) * policy.file_row))
    hits = (seeds.base_hits + seeds.directory_hits)[files.ids]
    asked = policy.file_row_path if request.query.has_path else 0.0
    ledger.add("path", asked * np.minimum(hits / max(request.query.parts, 1), 1.0))
    return ledger


def represent(
    request: Request, candidates: Candidates, symbol_ledger: Ledger, files: FileScores, file_ledger: Ledger
) -> None:
    """Put the symbols that stand for each file right behind its row, as many as the policy says.

    Those are the ones whose whole name the query says, as it says the file's, then those that many call. A symbol of such a
    file takes the score of its file but for a step for its place there, so that files are in their order, each with what
    represents it.
    """
    count = request.policy.representatives if request.query.has_path else 0
    if not count or not len(candidates.ids):
        return
    at = np.searchsorted(files.ids, candidates.columns.file)
    columns = candidates.columns
    worth = (
        candidates.hits / candidates.parts + 0.5 * norm(np.log1p(columns.callers)) + 0.25 * ((columns.flags & PUBLIC) > 0)
    )
    place = place_in_file(worth, columns.file)
    behind = file_ledger.total[at] - _STEP * (1 + place)
    chosen = (place < count) & (files.scores[at] > 0.0)
    symbol_ledger.add("behind_file", np.where(chosen, behind - symbol_ledger.total, 0.0))


def place_in_file(scores: Floats, files: Ids) -> Ids:
    """Return the place of each candidate among those of its file, the best first, from 0."""
    order = np.lexsort((np.arange(len(scores)), -scores, files))
    ordered = files[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])[: len(ordered)])
    sizes = np.diff(np.append(starts, len(ordered)))
    place = np.empty(len(scores), np.int32)
    place[order] = np.arange(len(ordered)) - np.repeat(starts, sizes)
    return place


def merge_rows(
    request: Request, candidates: Candidates, symbol_ledger: Ledger, files: FileScores, file_ledger: Ledger
) -> list[RankedRow]:
    """Return the best rows by (score, repo, path, start byte), as many as are wanted.

    A file stands as a row of its own only above its symbols: below one of them it would say nothing new.
    """
    own, whole = symbol_ledger.rounded(), file_ledger.rounded()
    leading = _leads(files.ids, whole, candidates.columns.file, own) & _allowed(request, files.ids)
    whole_kept = np.flatnonzero(leading)
    scores = np.concatenate([own, whole[whole_kept]])
    ids = np.concatenate([candidates.ids, request.reader.files.first_symbol[files.ids[whole_kept]]])
    order = _best_first(scores, ids, None if request.trace is not None else request.wanted)
    if request.trace is not None:
        request.trace.order = ids[order].tolist()
    order = order[: request.wanted]
    rows = []
    for place in order.tolist():
        is_file = place >= len(own)
        ledger, at = (file_ledger, int(whole_kept[place - len(own)])) if is_file else (symbol_ledger, place)
        rows.append(RankedRow(symbol=int(ids[place]), is_file=is_file, score=float(scores[place]), terms=ledger.parts(at)))
    return rows


def _best_first(scores: Floats, ids: Ids, count: int | None) -> Places:
    """Return the places of scores, the highest first, equal ones by ids; at least `count` of them, all for None."""
    if count is None or count >= len(scores):
        return np.lexsort((ids, -scores))
    border = np.partition(scores, len(scores) - count)[len(scores) - count]
    kept = np.flatnonzero(scores >= border)
    return kept[np.lexsort((ids[kept], -scores[kept]))]


def _leads(files: Ids, scores: Floats, symbol_files: Ids, symbol_scores: Floats) -> Bools:
    """Say for each file whether its score is above that of each of its symbols."""
    if not len(files):
        return np.zeros(0, np.bool_)
    place = np.searchsorted(files, symbol_files)
    top = np.full(len(files), -np.inf)
    np.maximum.at(top, place, symbol_scores)
    return (scores > top) & (scores > 0.0)


def _allowed(request: Request, files: Ids) -> Bools:
    """Say which files may stand as rows: all that were scored are of an allowed path, language and repository."""
    selection = request.selection
    allowed = np.full(len(files), selection.file_rows)
    if selection.tests is not None:
        is_test = (request.reader.files.roles[files] & TEST_ROLE) > 0
        allowed &= is_test == selection.tests
    return allowed
