"""Stage 4: how good each file is, by its own text and by its symbols."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...schemas.tables import ROLES
from ..readers.arrays import Codes, Floats, Ids, distinct
from .evidence import Candidates
from .graph import file_walk
from .ledger import norm
from .meaning import file_meaning
from .policy import Policy
from .request import Request
from .seeds import FileSeeds, best

__all__ = ["FileScores", "role_factors", "score_files"]


class FileScores(NamedTuple):
    """The final scores of the files that are scored, ids ascending; every candidate's file is among them."""

    ids: Ids
    scores: Floats


def score_files(request: Request, seeds: FileSeeds, candidates: Candidates, symbol_scores: Floats) -> FileScores:
    """Score the files that match best or hold a candidate symbol; `symbol_scores` are those of the candidates."""
    policy, columns, owners = request.policy, request.reader.files, candidates.columns.file
    text = norm(np.where(request.selection.allowed_files(request.reader), _text_scores(seeds, request), 0.0))
    text = _with_meaning(request, text)
    by_symbols = np.bincount(owners, np.maximum(symbol_scores, 0.0) ** policy.file_power, len(text))
    best_texts = best(text.astype(np.float32), max(policy.candidates, request.wanted))
    ids = distinct(np.concatenate([best_texts, owners]))
    symbols = norm(by_symbols[ids] ** (1 / policy.file_power))
    symbols = np.where(columns.has_symbols(ids), symbols, text[ids])
    scores = policy.file_text * text[ids] + policy.file_symbols * symbols
    for factor in role_factors(columns.roles[ids], request.lifted, policy).values():
        scores = scores * factor
    top = scores.max(initial=0.0)
    near = policy.directory_mates * norm(_mates(scores, columns.directory[ids], policy.mates))
    return FileScores(ids=ids, scores=scores + top * (near + policy.file_walk * file_walk(request, ids, scores)))


def _with_meaning(request: Request, text: Floats) -> Floats:
    """Mix the scores of all files by their text with their cosines, where meaning has a say."""
    near = file_meaning(request)
    if near is None:
        return text
    share, allowed = request.policy.file_meaning, request.selection.allowed_files(request.reader)
    return norm((1.0 - share) * text + share * np.where(allowed, near, 0.0))


def _text_scores(seeds: FileSeeds, request: Request) -> Floats:
    policy = request.policy
    hits = (seeds.base_hits + policy.path_hits_directory * seeds.directory_hits) / max(request.query.parts, 1)
    return norm(seeds.scores) + policy.path_hits * np.minimum(hits, 1.0)


def _mates(scores: Floats, directories: Ids, count: int) -> Floats:
    """Return for each file the mean score of the best `count` files of its folder (fewer where there are fewer)."""
    order = np.lexsort((-scores, directories))
    folders = directories[order]
    starts = np.flatnonzero(np.append(True, folders[1:] != folders[:-1])[: len(folders)])
    sizes = np.diff(np.append(starts, len(folders)))
    rank = np.arange(len(folders)) - np.repeat(starts, sizes)
    top = np.where(rank < count, scores[order], 0.0)
    means = np.add.reduceat(top, starts) / np.minimum(sizes, count) if len(starts) else np.zeros(0)
    out = np.empty(len(scores))
    out[order] = np.repeat(means, sizes)
    return out


def role_factors(roles: Codes, lifted: frozenset[str], policy: Policy) -> dict[str, Floats]:
    """Return for each role that lowers anything here what the scores are multiplied by."""
    factors = {}
    for role, factor in policy.roles:
        held = (roles & (1 << ROLES.index(role))) > 0
        if role not in lifted and held.any():
            factors[role] = np.where(held, factor, 1.0)
    return factors
