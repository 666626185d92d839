"""The vector of a symbol: the sum of unit vectors of its fields, each with a weight; one bag of words is worse than none.

Facts of a file give all fields but the path, so that they can be kept by content; the path is added when paths are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..facts import FileFacts, SymbolFact
from ..terms.counting import container
from ..terms.lexicon import joined
from .words import Vectorizer

__all__ = ["PATH_WEIGHTS", "WEIGHTS", "body_text", "field_vectors", "path_vectors"]

WEIGHTS = (1.5, 0.3, 0.7, 1.0, 0.8)
"""Of name, container, signature, doc and the first BODY_LINES lines of the body."""

PATH_WEIGHTS = (0.3, 1.0)
"""Of the path in the vector of a symbol and in that of a file, whose text, comments and names have weight 1 too."""

BODY_LINES = 30

_BODY_BYTES = 4000
"""Of a body, at most: 30 lines of code are under 2,000."""

_FILE_BYTES = 200_000


def field_vectors(facts: Sequence[FileFacts], vectorizer: Vectorizer) -> NDArray[np.float16]:
    """Return a row [dimensions] for each file and then each of its symbols, without the path; files without text are zero."""
    symbols = [symbol for file in facts for symbol in file.symbols]
    texts = [
        *(s.name for s in symbols),
        *(container(s.qualified_name, s.name) for s in symbols),
        *(s.signature for s in symbols),
        *(s.doc for s in symbols),
        *(body for file in facts for body in _bodies(file)),
        *((file.text or "")[:_FILE_BYTES] for file in facts),
        *("\n".join([file.doc, *(s.doc for s in file.symbols)]) for file in facts),
        *(" ".join(s.name for s in file.symbols) for file in facts),
    ]
    units = vectorizer.units(joined(texts), len(texts))
    bounds = np.cumsum([0, *[len(symbols)] * len(WEIGHTS), *[len(facts)] * 3]).tolist()
    parts = [units[start:stop] for start, stop in pairwise(bounds)]
    of_symbols = sum((weight * part for weight, part in zip(WEIGHTS, parts, strict=False)), np.zeros_like(parts[0]))
    of_files = parts[-3] + parts[-2] + parts[-1]
    counts = np.array([len(file.symbols) for file in facts], np.int64)
    out = np.zeros((len(symbols) + len(facts), units.shape[1]), np.float16)
    rows = np.cumsum(counts + 1) - counts - 1
    out[rows] = of_files
    inside = np.ones(len(out), bool)
    inside[rows] = False
    out[inside] = of_symbols
    return out


def path_vectors(paths: Sequence[str], vectorizer: Vectorizer) -> NDArray[np.float32]:
    """Return the unit vector of each path."""
    return vectorizer.units(joined(paths), len(paths))


def _bodies(file: FileFacts) -> Iterable[str]:
    source = (file.text or "").encode("utf-8", "replace")
    return (body_text(source, symbol) for symbol in file.symbols)


def body_text(source: bytes, symbol: SymbolFact) -> str:
    """Return the first lines of a symbol's body in the UTF-8 of its file."""
    part = source[symbol.body_start : min(symbol.end_byte, symbol.body_start + _BODY_BYTES)]
    return b"\n".join(part.lstrip(b" \t:{\r\n").split(b"\n", BODY_LINES)[:BODY_LINES]).decode("utf-8", "replace")
