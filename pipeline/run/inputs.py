"""A digest of all that a snapshot follows from, so that a run over the same inputs need not make it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict

from ..cache import QUERY_CODE, code_digest
from ..sources import Entry
from ..vectors import Model
from .changes import Files, FileState
from .options import IndexOptions
from .origins import Origin
from .versions import versions

__all__ = ["inputs_digest", "listed"]

_CODE = ("pipeline", "schemas", *QUERY_CODE)

_PASSING = ("changed", "missing", "parse_failed", "timeout", "unreadable")
"""Reasons that the next run may not meet: files skipped for them are tried again."""


def listed(entries: Sequence[Entry]) -> dict[str, FileState]:
    """Return the states of the files of an origin before any is read for its facts."""
    return {entry.path: FileState(entry.blob, entry.size, entry.reason) for entry in entries}


def inputs_digest(
    options: IndexOptions, origins: Sequence[Origin], files: Files, model: Model, history: str | None = None
) -> str | None:
    """Return the hex digest of the code, options, sources and files of a run, and of the `history` that the model is adapted with.

    None where a file's content is not known, or was lost to what may pass.
    """
    states = [(o.name, path, *state) for o in origins for path, state in sorted(files.get(o.name, {}).items())]
    reasons = (reason or ("" if blob else "unreadable") for _, _, blob, _, reason in states)
    if any(reason.partition(":")[0] in _PASSING for reason in reasons):
        return None
    made_of = {
        "code": code_digest(*_CODE),
        "versions": versions(),
        "options": options.recorded(),
        "limits": asdict(options.extraction),
        "model": asdict(model.info),
        "history": history,
        "sources": [(origin.name, origin.commit, origin.branch, origin.dirty) for origin in origins],
        "files": [(repo, path, blob or (size, reason)) for repo, path, blob, size, reason in states],
    }
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()
