"""Average lengths of fields in terms, from the statistics of the manifest."""

from __future__ import annotations

from ...schemas import layout
from ...schemas.errors import DamagedError
from ...schemas.tables import FILE_FIELDS, SYMBOL_FIELDS
from ..store import AGAIN, Snapshot

__all__ = ["file_averages", "searchable_symbols", "symbol_averages"]

_LARGEST = 1e18
"""More terms than any corpus; larger numbers are damage and would overflow."""


def symbol_averages(snapshot: Snapshot) -> list[float]:
    """Return the average length of each symbol field."""
    return _averages(snapshot, "symbol_lengths", searchable_symbols(snapshot), len(SYMBOL_FIELDS))


def file_averages(snapshot: Snapshot) -> list[float]:
    """Return the average length of each file field."""
    return _averages(snapshot, "file_lengths", snapshot.rows("files"), len(FILE_FIELDS))


def searchable_symbols(snapshot: Snapshot) -> int:
    """Return the number of symbols, rows that stand for files left out."""
    return max(snapshot.rows("symbols") - snapshot.rows("files"), 0)


def _averages(snapshot: Snapshot, name: str, documents: int, fields: int) -> list[float]:
    try:
        totals = [float(value) for value in snapshot.manifest.statistics[name]]
    except (KeyError, TypeError, ValueError, OverflowError):
        totals = []
    if len(totals) != fields or not all(0 <= total < _LARGEST for total in totals):
        where = snapshot.folder / layout.MANIFEST
        raise DamagedError(f"{where} lacks the statistics {name} of {fields} fields: {AGAIN}")
    return [total / max(documents, 1) for total in totals]
