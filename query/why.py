"""Why a row stands where it stands, or does not: what the ranker wrote down of one query, read for one symbol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..schemas.tables import EDGE_KINDS, EVIDENCE
from .graph.naming import Place, places
from .ranking.policy import Policy
from .ranking.request import Request
from .ranking.trace import Trace
from .results import FILE_KIND

if TYPE_CHECKING:
    from .connection import Connection

__all__ = ["PARTS", "Explanation", "Part", "explain", "summary"]

PARTS = {
    "bm25": "its words in name, signature, documentation, body and path (BM25F; the best has 1)",
    "name_overlap": "most of its name is in the query",
    "kind": "what kind of symbol it is",
    "plain_name": "a name of a single word, under a longer query",
    "length": "how long it is",
    "callers": "how many call it",
    "public": "it is public",
    "meaning_share": "what meaning takes from the words",
    "meaning": "how near it is in meaning",
    "exact_name": "the query spells its name",
    "joined_words": "adjacent words of the query join to its name",
    "neighbours": "words of the query in the names around it",
    "walk": "what leads here from the best in the code graph",
    "file": "how good its file is",
    "coverage": "how much of the query its name says",
    "overlap": "how much of its name the query says",
    "name_bm25": "its words in the name alone",
    "nearness": "its cosine with the query",
    "one_part_name": "a name of a single word that the query holds",
    "file_share": "its place by its file",
    "behind_file": "it stands for its file, right behind it",
    "file_cap": "more rows of its file stand before it",
    "promotion": "exact names come first",
    "lock": "the first by words leads by so much that it stays first",
    "path": "the query's words on its path",
    "test": "it is a test",
    "example": "it is an example",
    "docs": "it is documentation",
    "fixture": "it is a fixture",
    "benchmark": "it is a benchmark",
    "vendored": "it is vendored",
    "generated": "it is generated",
    "non_code": "its file is no code",
}
"""What each part of a score says, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a score."""

    name: str
    amount: float
    meaning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """The trace of one query as far as one symbol is concerned.

    `outcome` is `ranked`, `below the cut`, `behind its symbols` (a whole file), `filtered out` or `not a candidate`, `reason` a
    sentence. `rank` counts from 1 among `ranked` rows; both are there, with `score` and `parts`, only for what was scored, and
    the parts add up to the score. `words` say of each word of the query where the symbol holds it, `seeds` how the symbol
    became a candidate (origin, score, rank there), `arrivals` what led to it on the walk.
    """

    query: str
    family: str
    mode: str
    symbol: Place
    outcome: str
    reason: str
    rank: int | None
    ranked: int
    score: float | None
    parts: tuple[Part, ...]
    words: tuple[dict[str, Any], ...]
    seeds: tuple[dict[str, Any], ...]
    arrivals: tuple[dict[str, Any], ...]
    gates: tuple[dict[str, Any], ...]
    trace: Mapping[str, Any]
    first: Mapping[str, Any] | None

    def to_json(self) -> dict[str, Any]:
        """Return what `why --json` prints."""
        return {
            "query": self.query,
            "family": self.family,
            "mode": self.mode,
            "symbol": self.symbol.to_json(),
            "outcome": self.outcome,
            "reason": self.reason,
            "rank": self.rank,
            "ranked": self.ranked,
            "score": self.score,
            "terms": {part.name: part.amount for part in self.parts},
            "words": list(self.words),
            "seeds": list(self.seeds),
            "arrivals": list(self.arrivals),
            "gates": list(self.gates),
            "first": None if self.first is None else dict(self.first),
            "trace": dict(self.trace),
        }


def summary(request: Request, trace: Trace) -> dict[str, Any]:
    """Return what the trace says of the whole query: its policy, seeds, gates, lock and confidence, as plain JSON values."""
    plain, used = Policy(), request.policy
    sure = trace.confidence
    return {
        "policy": {name: getattr(used, name) for name in used._fields if getattr(used, name) != getattr(plain, name)},
        "words": [{"term": found.term, "symbols": found.df, "files": found.file_df} for found in trace.found],
        "seeds": {seeds.origin: len(seeds.ids) for seeds in trace.seeds},
        "candidates": 0 if trace.candidates is None else len(trace.candidates.ids),
        "reached": 0 if trace.walked is None else len(trace.walked.symbols),
        "gates": [_gate(*gate) for gate in dict.fromkeys(trace.gates)],
        "confidence": {
            "lead": None if sure is None else round(sure.lead, 6),
            "specificity": None if sure is None else round(sure.specificity, 6),
            "file_share": round(trace.share, 6),
        },
        "locked": trace.locked is not None,
    }


def explain(request: Request, trace: Trace, family: str, wanted: int, symbol: Place, connection: Connection) -> Explanation:
    """Read the trace of a query for one symbol; `wanted` is how many rows the search would show."""
    reading = _Reading(request, trace, symbol, wanted)
    outcome, reason = reading.outcome()
    score, parts = reading.score()
    return Explanation(
        query=request.query.text,
        family=family,
        mode="lexical" if request.cosines is None else "lexical+meaning",
        symbol=symbol,
        outcome=outcome,
        reason=reason,
        rank=reading.rank,
        ranked=len(trace.order),
        score=score,
        parts=tuple(Part(name=name, amount=amount, meaning=PARTS.get(name, "")) for name, amount in parts.items()),
        words=tuple(reading.words()),
        seeds=tuple(reading.seeds()),
        arrivals=tuple(reading.arrivals(connection)),
        gates=tuple(reading.gates()),
        trace=summary(request, trace),
        first=reading.first(connection),
    )


class _Reading:
    """The trace from the place of one symbol."""

    def __init__(self, request: Request, trace: Trace, symbol: Place, wanted: int) -> None:
        self._request, self._trace, self._symbol, self._wanted = request, trace, symbol, wanted
        self._id = symbol.symbol
        self._is_file = symbol.kind == FILE_KIND
        self._file = int(request.reader.files.owners(np.array([self._id], np.int32))[0])
        self.rank = trace.order.index(self._id) + 1 if self._id in trace.order else None
        self._place = self._among()

    def _among(self) -> int | None:
        """Return the place among what was scored, candidates or files, None where it is not among them."""
        trace = self._trace
        if trace.candidates is None or trace.files is None:
            return None
        ids, wanted = (trace.files.ids, self._file) if self._is_file else (trace.candidates.ids, self._id)
        place = int(np.searchsorted(ids, wanted))
        return place if place < len(ids) and int(ids[place]) == wanted else None

    def score(self) -> tuple[float | None, dict[str, float]]:
        """Return the score and its parts, nothing where the symbol was not scored."""
        ledger = self._trace.file_ledger if self._is_file else self._trace.ledger
        if self._place is None or ledger is None:
            return None, {}
        return float(ledger.rounded()[self._place]), ledger.parts(self._place)

    def outcome(self) -> tuple[str, str]:
        """Return what became of the symbol, and why."""
        if self.rank is not None and self.rank <= self._wanted:
            return "ranked", f"it is row {self.rank}"
        if not self._allowed():
            return "filtered out", "the filters of the search do not allow it"
        if self.rank is not None:
            return "below the cut", f"it would be row {self.rank:,}, and {self._wanted:,} were asked for"
        if not self._trace.found:
            return "not a candidate", "the index holds no word of the query"
        if self._is_file:
            return self._of_file()
        return "not a candidate", self._not_found()

    def _allowed(self) -> bool:
        selection, reader = self._request.selection, self._request.reader
        if self._is_file:
            return selection.file_rows and bool(selection.allowed_files(reader)[self._file])
        return bool(selection.keep(np.array([self._id], np.int32), reader)[0])

    def _of_file(self) -> tuple[str, str]:
        if self._place is None:
            return "not a candidate", "neither its text is among the best nor is a symbol of it"
        first = self._request.reader.files.first_symbol[self._file : self._file + 2].tolist()
        best = next((row for row, id in enumerate(self._trace.order, 1) if first[0] < id < first[1]), None)
        if best is None:
            return "not a candidate", "its score as a whole file is not above 0"
        return (
            "behind its symbols",
            f"a symbol of it stands for it, at row {best:,}: a whole file is a row only above its symbols",
        )

    def _not_found(self) -> str:
        trace, policy = self._trace, self._request.policy
        own = 0.0 if trace.scores is None else float(trace.scores[self._id])
        if own <= 0.0:
            near = ", and it is not among the nearest in meaning" if self._request.cosines is not None else ""
            return f"it holds no word of the query that counts{near}"
        low = min(
            (float(seeds.scores.min()) for seeds in trace.seeds if seeds.origin == "bm25f" and len(seeds.ids)), default=0.0
        )
        return f"its BM25F score of {own:.3f} is below {low:.3f}, that of the last of {policy.candidates:,} candidates"

    def words(self) -> Iterator[dict[str, Any]]:
        """Yield for each word of the query where the symbol holds it."""
        for found in self._trace.found:
            places = {
                "name": _holds(found.named, self._id),
                "text": _holds(found.files, self._file) if self._is_file else _holds(found.symbols, self._id),
                "path": _holds(found.on_path, self._file),
            }
            count = found.file_df if self._is_file else found.df
            yield {"term": found.term, "in": [where for where, held in places.items() if held], "symbols": count}

    def seeds(self) -> Iterator[dict[str, Any]]:
        """Yield how the symbol became a candidate."""
        for seeds in self._trace.seeds:
            if _holds(seeds.ids, self._id):
                own = float(seeds.scores[np.searchsorted(seeds.ids, self._id)])
                rank = int(np.count_nonzero(seeds.scores > own)) + 1
                yield {"origin": seeds.origin, "score": round(own, 6), "rank": rank, "of": len(seeds.ids)}

    def arrivals(self, connection: Connection) -> Iterator[dict[str, Any]]:
        """Yield the edge by which most of what the walk brought has arrived here."""
        reached = self._trace.walked
        if reached is None or not _holds(reached.symbols, self._id):
            return
        at = int(np.searchsorted(reached.symbols, self._id))
        source = int(reached.via[at])
        yield {
            "from": places(connection, [source])[source].key,
            "kind": EDGE_KINDS[reached.kinds[at]],
            "evidence": EVIDENCE[reached.evidence[at]],
            "steps": int(reached.steps[at]),
            "weight": round(float(reached.weights[at]), 6),
        }

    def gates(self) -> Iterator[dict[str, Any]]:
        """Yield the conditions on this symbol."""
        if self._place is None or self._is_file:
            return
        for gate in self._trace.symbol_gates:
            value = float(gate.values[self._place])
            yield _gate(gate.name, value, gate.threshold, value > gate.threshold)

    def first(self, connection: Connection) -> dict[str, Any] | None:
        """Return the first row, to compare with."""
        trace = self._trace
        if not trace.order:
            return None
        top = places(connection, [trace.order[0]])[trace.order[0]]
        score, terms = _Reading(self._request, trace, top, self._wanted).score()
        return {"key": top.key, "score": score, "terms": terms}


def _holds(ids: Sequence[int] | Any, wanted: int) -> bool:
    place = int(np.searchsorted(ids, wanted))
    return place < len(ids) and int(ids[place]) == wanted


def _gate(name: str, value: float, threshold: float, passed: bool) -> dict[str, Any]:
    return {"gate": name, "value": round(value, 6), "threshold": threshold, "passed": passed}
