"""Terms of paths: the base name and the folders of every file, counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .terms.lexicon import Lexicon, joined

__all__ = ["PATH_FIELDS", "PathTerms", "path_terms"]

PATH_FIELDS = ("basename", "directory")
"""Fields of a file that its path decides, in the order of schemas.tables.FILE_FIELDS."""

_LEXICON = Lexicon()
"""Names of folders and files repeat within and between repositories."""


class PathTerms(NamedTuple):
    """Postings in the order (file, term): `terms` are places in `vocabulary`, `planes` int64 [path fields, postings].

    `lengths` int64 [path fields, files] counts the terms of each field.
    """

    vocabulary: list[str]
    files: NDArray[np.int64]
    terms: NDArray[np.int64]
    planes: NDArray[np.int64]
    lengths: NDArray[np.int64]


def path_terms(paths: Sequence[str]) -> PathTerms:
    """Count the terms of relative paths with `/`."""
    parts = [path.rpartition("/") for path in paths]
    fields = [name for _, _, name in parts] + [folder for folder, _, _ in parts]
    found = _LEXICON.read(joined(fields))
    used, terms = np.unique(found.codes >> 1, return_inverse=True)
    is_directory, files = np.divmod(found.segments, max(len(paths), 1))
    keys, pairs = np.unique(files.astype(np.int64) << 32 | terms, return_inverse=True)
    planes = np.zeros((len(PATH_FIELDS), len(keys)), np.int64)
    np.add.at(planes, (is_directory, pairs), 1)
    return PathTerms(
        vocabulary=_LEXICON.spell(used),
        files=keys >> 32,
        terms=keys & 0xFFFFFFFF,
        planes=planes,
        lengths=np.bincount(found.segments, minlength=len(fields)).reshape(len(PATH_FIELDS), -1),
    )
