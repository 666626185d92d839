"""What the ranker writes down as it works, for whoever asks why: kept as it stands, put into words by `query.why`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ..readers.arrays import Array, Floats, Ids, Singles

if TYPE_CHECKING:
    from ..graph.walk import Reached
    from ..readers.values import TermPostings
    from .evidence import Candidates
    from .files import FileScores
    from .gates import Confidence
    from .ledger import Ledger
    from .request import Request

__all__ = ["Gate", "Seeds", "SymbolGate", "Trace"]


class Gate(NamedTuple):
    """A condition on the whole query: a signal speaks only where the value exceeds the threshold."""

    name: str
    value: float
    threshold: float
    passed: bool


class SymbolGate(NamedTuple):
    """A condition on each candidate; `values` are those of the candidates."""

    name: str
    values: Floats
    threshold: float


class Seeds(NamedTuple):
    """Symbols that one way of finding seeds has brought, ids ascending, with that way's own scores."""

    origin: str
    ids: Ids
    scores: Floats


class Trace:
    """A record of one ranking, filled in by its stages; every attribute is empty until its stage has run.

    `scores` are the BM25F scores of all symbols, `order` the ids of all rows that were ranked, the best first; a whole file is
    there by the id of its own row. `share` is how much of the order the files decided.
    """

    __slots__ = (
        "candidates",
        "confidence",
        "file_ledger",
        "files",
        "found",
        "gates",
        "ledger",
        "locked",
        "order",
        "request",
        "scores",
        "seeds",
        "share",
        "symbol_gates",
        "walked",
    )

    def __init__(self) -> None:
        self.request: Request | None = None
        self.found: Sequence[TermPostings] = ()
        self.seeds: list[Seeds] = []
        self.confidence: Confidence | None = None
        self.candidates: Candidates | None = None
        self.walked: Reached | None = None
        self.gates: list[Gate] = []
        self.symbol_gates: list[SymbolGate] = []
        self.files: FileScores | None = None
        self.ledger: Ledger | None = None
        self.file_ledger: Ledger | None = None
        self.share = 0.0
        self.locked: int | None = None
        self.scores: Singles | None = None
        self.order: Sequence[int] = ()

    def seeded(self, origin: str, ids: Ids, scores: Array) -> None:
        """Note what one way of finding seeds has brought."""
        self.seeds.append(Seeds(origin, ids, scores))

    def gate(self, name: str, value: float, threshold: float) -> None:
        """Note a condition on the query."""
        self.gates.append(Gate(name, value, threshold, value > threshold))

    def symbol_gate(self, name: str, values: Floats, threshold: float) -> None:
        """Note a condition on each candidate."""
        self.symbol_gates.append(SymbolGate(name, values, threshold))
