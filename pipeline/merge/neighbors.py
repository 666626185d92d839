"""Terms of the symbols around a symbol whose own name says little: `poll`, `run`, `handle`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...query.stems import stem
from ...schemas.manifest import TableInfo
from ...schemas.tables import EDGE_KINDS, NEIGHBOR_TERMS
from ...schemas.terms import DATA_RUN, normalize, split_word, words
from .._arrow import compute
from ..parquet import TableWriter
from ..terms.segments import changes
from .graph import Edges
from .placing import PlacedShard, column, ranges
from .postings import binary, id_blobs

__all__ = ["write_neighbor_terms"]

SHARED = 3
"""Symbols of one name that make it say little; a name of one part does anyway."""

KEPT = 12
"""Terms of one symbol, the weightiest."""

_WEIGHTS = {"calls": 1.0, "references": 0.5, "extends": 1.0, "implements": 1.0, "overrides": 0.7}
_WORTH = np.array([_WEIGHTS.get(kind, 0.0) for kind in EDGE_KINDS])
_ENDS = 1 << 18
"""Ends of edges looked at together: about 60 MB with the terms of their names."""

_POSTINGS = 1 << 20
"""Of one range of terms that is put in order: about 40 MB."""


def write_neighbor_terms(edges: Edges, shards: Sequence[PlacedShard], snapshot: Path) -> TableInfo:
    """Write `neighbor_terms`: of each symbol with a generic name, the terms in the names of its neighbours.

    A neighbour counts by its edge and confidence, and the less the more edges it has itself.
    """
    names = _Names(shards)
    parts = list(_weighted(edges, names))
    with TableWriter(snapshot, NEIGHBOR_TERMS) as writer:
        if parts:
            symbols, codes, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
            del parts
            for rows in _rows(symbols, codes, weights, names.terms):
                writer.append(rows)
    return writer.info


class _Names:
    """The names of all symbols as terms: those of name `n` are `codes[starts[n]:starts[n + 1]]`, exact ones and stems."""

    def __init__(self, shards: Sequence[PlacedShard]) -> None:
        encoded = column(shards, "symbols", "name").dictionary_encode()
        self.of = encoded.indices.to_numpy()
        distinct = list(map(str, encoded.dictionary.to_pylist()))
        split = list(map(_parts, distinct))
        self.terms, self.starts, self.codes = _coded(split)
        few = np.array([len(parts) <= 1 for parts in split], bool)
        counts = np.bincount(self.of, minlength=len(distinct))
        is_file = compute.equal(column(shards, "symbols", "kind"), "file").to_numpy(zero_copy_only=False)
        self.generic = (few | (counts >= SHARED))[self.of] & ~is_file if len(distinct) else np.zeros(0, bool)
        self.is_file = is_file

    def expand(self, symbols: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return how many terms each symbol's name has, and the terms."""
        names = self.of[symbols]
        first, counts = self.starts[names], self.starts[names + 1] - self.starts[names]
        places = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(int(counts.sum()))
        return counts, self.codes[places]


def _parts(name: str) -> Sequence[str]:
    """Return the parts of all words in a name."""
    if len(name) < DATA_RUN and name.isascii() and name.isidentifier():  # as nearly all are: one word
        return split_word(name)
    return [part for word in words(normalize(name)) for part in split_word(word)]


def _coded(split: Sequence[Sequence[str]]) -> tuple[list[str], NDArray[np.int64], NDArray[np.int32]]:
    """Return all terms in order, and those of each name: parts and their stems, as in `_Names`."""
    numbers: dict[str, int] = {}
    for parts in split:
        for part in parts:
            numbers.setdefault(part, len(numbers))
    stems = stem(list(numbers))
    terms = sorted({*numbers, *stems}, key=str.encode)
    places = {term: place for place, term in enumerate(terms)}
    exact, stemmed = (np.array([places[term] for term in of], np.int64) for of in (numbers, stems))
    used = np.fromiter((numbers[part] for parts in split for part in parts), np.int64)
    names = np.repeat(np.arange(len(split)), list(map(len, split))) << 32
    pairs = np.unique(np.concatenate([names | exact[used], names | stemmed[used]]))
    starts = np.searchsorted(pairs >> 32, np.arange(len(split) + 1))
    return terms, starts, (pairs & 0xFFFFFFFF).astype(np.int32)


def _weighted(edges: Edges, names: _Names) -> Iterator[tuple[NDArray[Any], ...]]:
    """Yield (symbols, terms, weights from 1 to 255) for runs of symbols, ascending."""
    used = np.flatnonzero((_WORTH[edges.kind] > 0) & (edges.confidence > 0)).astype(np.int32)
    back = used[np.argsort(edges.dst[used], kind="stable")]
    sources, targets = edges.src[used], edges.dst[back]
    degree = np.bincount(sources, minlength=len(names.of)) + np.bincount(targets, minlength=len(names.of))
    for low, high in ranges(degree, _ENDS):
        out = used[slice(*np.searchsorted(sources, (low, high)))]
        into = back[slice(*np.searchsorted(targets, (low, high)))]
        symbols = np.concatenate([edges.src[out], edges.dst[into]])
        others = np.concatenate([edges.dst[out], edges.src[into]])
        both = np.concatenate([out, into])
        weights = _WORTH[edges.kind[both]] * edges.confidence[both] / np.sqrt(np.maximum(degree[others], 1))
        chosen = np.flatnonzero(names.generic[symbols] & ~names.is_file[others] & (symbols != others))
        order = chosen[np.argsort(symbols[chosen], kind="stable")]
        if len(order):
            yield _best(symbols[order], others[order], weights[order], names)


def _best(
    symbols: NDArray[Any], others: NDArray[Any], weights: NDArray[Any], names: _Names
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Add up the weights of each symbol's terms, drop those of its own name, and keep the KEPT weightiest."""
    counts, terms = names.expand(others)
    keys = np.repeat(symbols.astype(np.int64), counts) << 32 | terms
    distinct, places = np.unique(keys, return_inverse=True)
    sums = np.bincount(places, np.repeat(weights, counts), len(distinct))
    owners = np.unique(symbols)
    own_counts, own_terms = names.expand(owners)
    new = ~np.isin(distinct, np.repeat(owners.astype(np.int64), own_counts) << 32 | own_terms)
    found, terms, sums = (distinct[new] >> 32).astype(np.int32), (distinct[new] & 0xFFFFFFFF).astype(np.int32), sums[new]
    order = np.lexsort((terms, -np.round(sums, 9), found))
    found, terms, sums = found[order], terms[order], sums[order]
    starts = np.flatnonzero(changes(found))
    sizes = np.diff(starts, append=len(found))
    rank = np.arange(len(found)) - np.repeat(starts, sizes)
    most = np.repeat(sums[starts], sizes)
    kept = rank < KEPT
    return found[kept], terms[kept], np.maximum(np.rint(255 * sums / most), 1).astype(np.uint8)[kept]


def _rows(symbols: NDArray[Any], codes: NDArray[Any], weights: NDArray[Any], terms: Sequence[str]) -> Iterator[pa.Table]:
    """Yield the rows of ranges of terms; `symbols` ascend for each code."""
    for low, high in ranges(np.bincount(codes, minlength=len(terms)), _POSTINGS):
        chosen = np.flatnonzero((codes >= low) & (codes < high))
        order = chosen[np.argsort(codes[chosen], kind="stable")]
        own = codes[order]
        first = np.flatnonzero(changes(own))
        yield pa.table(
            {
                "term": pa.array([terms[code] for code in own[first].tolist()], pa.string()),
                "df": np.diff(np.append(first, len(own))).astype(np.int32),
                "symbols": id_blobs(symbols[order], first),
                "frequencies": binary(np.ascontiguousarray(weights[order]), first, 1),
            }
        )
