"""Whether the files of a checkout still are what was indexed, by the hashes that the index recorded."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .connection import Connection
from .provenance import DIFFERS, MATCHES, MISSING, UNKNOWN, file_state

__all__ = ["Freshness", "compare"]

_NAMED = 10
"""Changed files that are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """Numbers of indexed files by their state in a checkout; `changed` names the first that differ or are missing.

    Files of the checkout that were never indexed are not looked for.
    """

    matches: int
    differs: int
    missing: int
    unknown: int
    changed: tuple[str, ...]

    @property
    def fresh(self) -> bool:
        """Say whether nothing that was indexed has changed."""
        return not self.differs and not self.missing


def compare(connection: Connection, checkout: Path) -> Freshness:
    """Compare every indexed file with a checkout; of several repositories it holds a folder each."""
    several = len(connection.snapshot.manifest.sources) > 1
    rows = connection.rows("SELECT repo, path, blob FROM files WHERE status <> 'skipped' ORDER BY file")
    states: Counter[str] = Counter()
    changed: list[str] = []
    for repo, path, blob in rows:
        state = file_state(checkout / repo if several else checkout, path, blob)
        states[state] += 1
        if state in (DIFFERS, MISSING) and len(changed) < _NAMED:
            changed.append(f"{repo}:{path}" if several else path)
    return Freshness(
        matches=states[MATCHES],
        differs=states[DIFFERS],
        missing=states[MISSING],
        unknown=states[UNKNOWN],
        changed=tuple(changed),
    )
