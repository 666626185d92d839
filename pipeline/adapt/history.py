"""What earlier commits say of files: their subjects, and the files that they changed. Nothing later than the indexed commit."""

from __future__ import annotations

from typing import NamedTuple

from ..evaluation.history import read_log, touched
from ..evaluation.subjects import ALL_TYPES, read_subject
from ..sources.git import Place

__all__ = ["MOST_COMMITS", "Subject", "subjects"]

MOST_COMMITS = 4_000
"""Of one repository, the latest; older ones speak of code that is gone."""

_MOST_FILES = 8
"""A wider change says little about any one file."""


class Subject(NamedTuple):
    """The subject of a commit, without type and issue numbers, and the paths that it changed, relative to the source."""

    text: str
    paths: tuple[str, ...]


def subjects(place: Place, commit: str) -> tuple[Subject, ...]:
    """Return what `commit` and its ancestors say, in the order of time; merges and routine changes say nothing."""
    found = []
    for _, _, rest in read_log(place, commit, most=MOST_COMMITS):
        subject, _, listing = rest.partition("\0")
        asked = read_subject(subject, "any", ALL_TYPES)
        paths = tuple(path for state, path in touched(listing) if state != "D")
        if asked.refused is None and 0 < len(paths) <= _MOST_FILES:
            found.append(Subject(asked.text, paths))
    return tuple(found)
