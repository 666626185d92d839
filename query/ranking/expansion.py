"""Seeds that the words alone do not bring: along edges of the family's kinds, by shared literals, by quoted lines, by prefixes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...schemas.tables import EVIDENCE
from ..filters import Selection
from ..readers.arrays import Floats, Ids, distinct
from ..readers.values import TermPostings
from .request import Request
from .seeds import FileSeeds, SymbolSeeds, best

__all__ = ["expand_seeds", "with_prefixes"]

_EVIDENCE = dict.fromkeys(EVIDENCE, 1.0)


def with_prefixes(request: Request, found: tuple[TermPostings, ...]) -> tuple[TermPostings, ...]:
    """Add the postings of longer words for each word of the query that nothing holds."""
    policy, query = request.policy, request.query
    known = {postings.term for postings in found}
    missing = [t for t in query.terms if t not in known and t in request.parts and len(t) >= policy.prefix_length]
    longer = [word for term in missing for word in request.reader.longer_terms(term, policy.prefixes)]
    fresh = [word for word in dict.fromkeys(longer) if word not in known]
    return (*found, *request.reader.postings(fresh)) if fresh else found


def expand_seeds(request: Request, seeds: SymbolSeeds, by_text: FileSeeds) -> SymbolSeeds:
    """Merge further seeds with those by words, by score, before anything is cut."""
    policy = request.policy
    for share, kinds, origin in (
        (policy.expand, policy.expand_kinds, "edges"),
        (policy.literals if request.query.has_literal else 0.0, ("shares_literal",), "literals"),
    ):
        if share and kinds and request.graph is not None and len(seeds.ids):
            seeds = _merged(request, seeds, *_along(request, seeds, share, kinds), origin)
    if policy.scan and request.query.quoted and request.texts is not None and len(seeds.ids):
        seeds = _merged(request, seeds, *_with_quoted_lines(request, by_text, float(seeds.scores.max())), "lines")
    return seeds


def _along(request: Request, seeds: SymbolSeeds, share: float, kinds: Sequence[str]) -> tuple[Ids, Floats]:
    """Return what edges of these kinds lead to from the best seeds; each gets a share of its best neighbour's score."""
    from ..graph.walk import walk, walk_policy

    assert request.graph is not None
    top = np.sort(np.lexsort((np.arange(len(seeds.ids)), -seeds.scores))[: request.policy.expand_from])
    weights = dict.fromkeys(kinds, 1.0)
    edges = walk_policy(weights, weights, _EVIDENCE, hops=1)
    reached = walk(request.graph().neighbours, seeds.ids[top], seeds.scores[top], edges)
    source = seeds.scores[top][np.searchsorted(seeds.ids[top], reached.via)]
    return reached.symbols, share * source


def _with_quoted_lines(request: Request, by_text: FileSeeds, score: float) -> tuple[Ids, Floats]:
    """Return the symbols around lines that hold a quoted string as it stands, of the files whose texts match best."""
    from ..content import search_lines
    from ..patterns import make_pattern

    assert request.texts is not None
    files = best(by_text.scores.astype(np.float32), request.policy.scan_files)
    allowed = np.zeros(len(by_text.scores), np.bool_)
    allowed[files] = request.selection.allowed_files(request.reader)[files]
    within = Selection(
        files=allowed, kinds=request.selection.kinds, file_rows=False, tests=request.selection.tests, notes=()
    )
    symbols: set[int] = set()
    for text in request.query.quoted:
        pattern = make_pattern(text, regex=False, case="exact", word=False, multiline=False)
        found = search_lines(
            text, pattern, request.policy.scan_files, within, request.policy, request.reader, request.texts()
        )
        symbols.update(line.row.symbol for line in found.lines if line.inside)
    ids = np.array(sorted(symbols), np.int32)
    return ids, np.full(len(ids), request.policy.scan * score)


def _merged(request: Request, seeds: SymbolSeeds, ids: Ids, scores: Floats, origin: str) -> SymbolSeeds:
    """Return the seeds with others among them; a symbol that both hold has its better score."""
    kept = np.ones(len(ids), np.bool_) if request.selection.all else request.selection.keep(ids, request.reader)
    kept &= request.reader.files.first_symbol[request.reader.files.owners(ids)] != ids  # a file's own row is no symbol
    ids, scores = ids[kept], scores[kept]
    if request.trace is not None:
        request.trace.seeded(origin, ids, scores)
    every = distinct(np.concatenate([seeds.ids, ids]))
    merged = np.zeros(len(every))
    merged[np.searchsorted(every, seeds.ids)] = seeds.scores
    place = np.searchsorted(every, ids)
    merged[place] = np.maximum(merged[place], scores)
    return SymbolSeeds(ids=every, scores=merged, total=max(seeds.total, len(every)))
