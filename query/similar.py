"""What is nearest to a query or a symbol by the cosine of their vectors, and which of it is the same code again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..schemas.errors import StoreError
from .connection import Connection
from .filters import Selection
from .graph.naming import Place, places
from .meaning import unavailable
from .ranking.ledger import DIGITS
from .ranking.seeds import best
from .readers.arrays import Ids, Singles
from .readers.values import Reader
from .readers.vectors import LookupVectors

__all__ = ["Neighbour", "Similar", "allowed_nearest", "similar"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A symbol or file near to another; `score` is the cosine, `duplicate` None where the texts are not stored.

    A duplicate has the same text but for blanks and for its own name.
    """

    place: Place
    score: float
    duplicate: bool | None

    def to_json(self) -> dict[str, Any]:
        """Return the row without its rank."""
        return {"score": self.score, "duplicate": self.duplicate, **self.place.to_json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Similar:
    """What is nearest to `symbol`, the nearest first; `notes` say what could not be told."""

    symbol: Place
    snapshot: str
    results: tuple[Neighbour, ...]
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the envelope of `similar --json` as plain JSON values."""
        rows = [{"rank": rank, **row.to_json()} for rank, row in enumerate(self.results, 1)]
        complete = all(row.duplicate is not None for row in self.results)
        return {
            "symbol": self.symbol.to_json(),
            "snapshot": self.snapshot,
            "complete": complete,
            "notes": list(self.notes),
            "results": rows,
        }


def similar(connection: Connection, place: Place, k: int) -> Similar:
    """Return the `k` symbols nearest to a symbol, or the files nearest to a file.

    Raises StoreError with the reason where the snapshot has no vectors. The connection needs `files`, `symbols`, `vectors`
    and, for duplicates, `sources`.
    """
    snapshot = connection.snapshot
    reason = unavailable(snapshot)
    if reason is not None:
        raise StoreError(f"{snapshot.folder} cannot be searched by meaning: {reason}")
    vectors = LookupVectors(snapshot, connection)
    own = vectors.rows(np.array([place.symbol]))[0]
    cosines = vectors.cosines(own)
    is_file = np.zeros(len(cosines), np.bool_)
    is_file[[symbol for (symbol,) in connection.rows("SELECT symbol FROM files")]] = True
    cosines[is_file != (place.kind == "file")] = 0.0
    cosines[place.symbol] = 0.0
    order = _ranked(best(cosines, k), cosines)
    found = places(connection, [symbol for symbol, _ in order])
    texts = _texts(connection, [place, *found.values()]) if connection.has("sources") else None
    rows = tuple(
        Neighbour(
            place=found[symbol],
            score=score,
            duplicate=None if texts is None else texts[symbol] == texts[place.symbol] != "",
        )
        for symbol, score in order
    )
    return Similar(symbol=place, snapshot=snapshot.id, results=rows, notes=tuple(_notes(own, texts is not None)))


def allowed_nearest(cosines: Singles, k: int, selection: Selection, reader: Reader) -> list[tuple[int, float]]:
    """Return the `k` allowed symbols and files with the highest positive cosines, as (symbol id, cosine), best first."""
    if selection.files is not None or not selection.file_rows:
        cosines = np.where(_in_files(selection, reader), cosines, np.float32(0))
    taken = k
    while True:
        ids = best(cosines, taken)
        kept = ids if selection.all else ids[selection.keep(ids, reader)]
        if len(kept) >= k or len(ids) < taken or taken >= len(cosines):
            return _ranked(kept, cosines)[:k]
        taken *= 8  # filters of kinds and tests are asked of the best only


def _in_files(selection: Selection, reader: Reader) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Say for each symbol whether its file is allowed, and a file's own row too."""
    first = reader.files.first_symbol
    allowed = np.repeat(selection.allowed_files(reader), np.diff(first))
    if not selection.file_rows:
        allowed[first[:-1]] = False
    return allowed


def _ranked(ids: Ids, cosines: Singles) -> list[tuple[int, float]]:
    scores = np.round(cosines[ids].astype(np.float64), DIGITS)
    order = np.lexsort((ids, -scores))
    return list(zip(ids[order].tolist(), scores[order].tolist(), strict=True))


def _notes(own: Singles, has_texts: bool) -> list[str]:
    notes = []
    if not own.any():
        notes.append("the symbol has no vector: it holds no word that the model knows")
    if not has_texts:
        notes.append("duplicates are not told: the index holds no source texts")
    return notes


def _texts(connection: Connection, wanted: Sequence[Place]) -> dict[int, str]:
    """Return the text of each symbol with one blank for any number of them, and without its own name."""
    ids = ",".join(str(place.symbol) for place in wanted)
    bounds = connection.rows(f"SELECT symbol, file, start_byte, end_byte, kind, name FROM symbols WHERE symbol IN ({ids})")
    files = ",".join(str(file) for _, file, *_ in bounds)
    sources = dict(connection.rows(f"SELECT file, text FROM sources WHERE file IN ({files})"))
    return {
        symbol: _normal(sources.get(file, "").encode()[start:end].decode(errors="replace"), "" if kind == "file" else name)
        for symbol, file, start, end, kind, name in bounds
    }


def _normal(text: str, name: str) -> str:
    unnamed = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "_", text) if name else text
    return " ".join(unnamed.split())
