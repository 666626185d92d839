"""Edges between symbols that share something rare, or where a comment of one names the other.

Groups of symbols around one literal, type or field become pairs only where the group is small, a symbol keeps a few of each
kind, and all of them together are bounded by the number of resolved edges: the cost is linear in the number of tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.tables import EDGE_KINDS
from .._arrow import compute
from ..graph.tokens import TOKEN_KINDS
from ..terms.segments import changes
from .placing import PlacedShard, column, shards_of

__all__ = ["Shared", "deep_edges"]

GROUP = 8
"""Symbols that may share one thing for it to be rare."""

EACH = 6
"""Edges of one kind that a symbol keeps, those to the smallest groups."""

FIELDS = 2
"""Rare fields that two symbols must share for their data to have the same shape."""

MOST = 1.0
"""Edges of all these kinds together for each resolved edge, at most, and SPARE more."""

SPARE = 100

_SURE = 0.9
"""Of a comment that names a symbol of which there is one."""

_CANDIDATES = 3
_KIND = {name: code for code, name in enumerate(EDGE_KINDS)}
_TYPES = ("class", "struct", "interface", "enum", "type", "trait", "protocol", "union", "record")
_ERROR = re.compile(r"(?:Error|Exception|Err|Fault|Failure)s?$")


class Shared(NamedTuple):
    """One edge: `src` is below `dst` where the two share something, and mentions `dst` otherwise."""

    src: int
    dst: int
    kind: int
    confidence: float
    line: int
    detail: str | None


def deep_edges(shards: Sequence[PlacedShard], resolved: NDArray[Any]) -> list[Shared]:
    """Return the edges; `resolved` are those of linking, with the columns src, dst, kind and line."""
    tokens = _tokens(shards)
    found = [
        *_capped(_sharing(tokens, "literal", "shares_literal")),
        *_capped(_same_fields(tokens)),
        *_capped(_same_types(resolved, shards)),
        *_distinct(_mentions(tokens, shards)),
    ]
    found.sort(key=lambda edge: (-edge.confidence, edge.src, edge.kind, edge.dst))
    return found[: int(MOST * len(resolved)) + SPARE]


class _Tokens(NamedTuple):
    """Columns of all tokens, ordered by (text, symbol); `texts` are what `text` indexes."""

    kind: NDArray[np.uint8]
    text: NDArray[np.int32]
    symbol: NDArray[np.int32]
    line: NDArray[np.int32]
    texts: pa.Array[Any]

    def of(self, kind: str) -> _Tokens:
        chosen = np.flatnonzero(self.kind == TOKEN_KINDS.index(kind))
        return _Tokens(self.kind[chosen], self.text[chosen], self.symbol[chosen], self.line[chosen], self.texts)


class _Group(NamedTuple):
    """Ascending symbols around one thing, and the line of each."""

    symbols: list[int]
    lines: list[int]
    text: str


def _tokens(shards: Sequence[PlacedShard]) -> _Tokens:
    parts = [(placed.shard.tokens, placed.first_symbol) for placed in shards if placed.shard.tokens.num_rows]
    texts = pa.chunked_array([c for table, _ in parts for c in table["text"].chunks], pa.string()).combine_chunks()
    encoded: Any = texts.dictionary_encode()
    empty = np.zeros(0, np.int32)
    symbol = np.concatenate([empty, *(table["symbol"].to_numpy() + first for table, first in parts)]).astype(np.int32)
    line = np.concatenate([empty, *(table["line"].to_numpy() for table, _ in parts)]).astype(np.int32)
    kind = np.concatenate([empty, *(table["kind"].to_numpy() for table, _ in parts)]).astype(np.uint8)
    text = encoded.indices.to_numpy().astype(np.int32)
    order = np.lexsort((symbol, text))
    return _Tokens(kind[order], text[order], symbol[order], line[order], encoded.dictionary)


def _groups(keys: NDArray[Any], symbols: NDArray[Any], lines: NDArray[Any], texts: Any) -> Iterator[_Group]:
    """Yield the groups of 2 to GROUP symbols with one key; rows are ordered by (key, symbol)."""
    starts = np.flatnonzero(changes(keys))
    sizes = np.diff(np.append(starts, len(keys)))
    chosen = np.flatnonzero((sizes >= 2) & (sizes <= GROUP))
    for start, size in zip(starts[chosen].tolist(), sizes[chosen].tolist(), strict=True):
        part = slice(start, start + size)
        yield _Group(symbols[part].tolist(), lines[part].tolist(), texts(int(keys[start])))


def _sharing(tokens: _Tokens, kind: str, edge: str) -> Iterator[Shared]:
    own = tokens.of(kind)
    for group in _groups(own.text, own.symbol, own.line, lambda key: tokens.texts[key].as_py()):
        yield from _pairs(group, edge)


def _pairs(group: _Group, edge: str) -> Iterator[Shared]:
    sure = round(2 / len(group.symbols), 2)
    for i, j in combinations(range(len(group.symbols)), 2):
        yield Shared(group.symbols[i], group.symbols[j], _KIND[edge], sure, group.lines[i], group.text)


def _same_fields(tokens: _Tokens) -> Iterator[Shared]:
    together: dict[tuple[int, int], list[Shared]] = {}
    for pair in _sharing(tokens, "field", "shares_data_shape"):
        together.setdefault((pair.src, pair.dst), []).append(pair)
    for pairs in together.values():
        if len(pairs) >= FIELDS:
            best = max(pair.confidence for pair in pairs)
            names = sorted(pair.detail or "" for pair in pairs)[:5]
            yield pairs[0]._replace(confidence=best, line=min(p.line for p in pairs), detail=", ".join(names))


def _same_types(resolved: NDArray[Any], shards: Sequence[PlacedShard]) -> Iterator[Shared]:
    """Yield pairs of symbols that name one type, or raise or return one error."""
    names, kinds = (column(shards, "symbols", name) for name in ("name", "kind"))
    is_type = compute.is_in(kinds, value_set=pa.array(_TYPES)).to_numpy(zero_copy_only=False)
    used = np.isin(resolved["kind"], [_KIND["references"], _KIND["calls"]])
    edges = resolved[used & is_type[resolved["dst"]]] if len(is_type) else resolved[:0]
    edges = edges[np.lexsort((edges["line"], edges["src"], edges["dst"]))]
    edges = edges[changes(edges["src"]) | changes(edges["dst"])]
    for group in _groups(edges["dst"], edges["src"], edges["line"], lambda key: names[key].as_py()):
        yield from _pairs(group, "shares_error_type" if _ERROR.search(group.text) else "shares_type")


def _mentions(tokens: _Tokens, shards: Sequence[PlacedShard]) -> Iterator[Shared]:
    """Yield an edge from a symbol to those of its repository that its comments name, if there are few of that name."""
    own = tokens.of("mention")
    if not len(own.text):
        return
    texts = {int(code): str(tokens.texts[int(code)].as_py()) for code in np.unique(own.text)}
    lasts = {text.rpartition(".")[2] for text in texts.values()}
    names, kinds, qualified = (column(shards, "symbols", name) for name in ("name", "kind", "qualified_name"))
    wanted = compute.and_(compute.is_in(names, value_set=pa.array(sorted(lasts))), compute.not_equal(kinds, "file"))
    ids = np.flatnonzero(wanted.to_numpy(zero_copy_only=False))
    sources, firsts = np.array([placed.source for placed in shards]), [placed.first_symbol for placed in shards]
    named: dict[tuple[int, str], list[tuple[int, str]]] = {}
    found = (sources[shards_of(firsts, ids)].tolist(), names.take(ids).to_pylist(), qualified.take(ids).to_pylist())
    for symbol, source, name, full in zip(ids.tolist(), *found, strict=True):
        named.setdefault((source, str(name)), []).append((symbol, f".{full}"))
    own_sources = sources[shards_of(firsts, own.symbol)].tolist()
    rows = zip(own.text.tolist(), own.symbol.tolist(), own.line.tolist(), own_sources, strict=True)
    for code, symbol, line, source in rows:
        text = texts[code]
        alike = named.get((source, text.rpartition(".")[2]), ())
        fitting = [other for other, full in alike if other != symbol and full.endswith(f".{text}")]
        if 0 < len(fitting) <= _CANDIDATES:
            sure = _SURE / len(fitting)
            yield from (Shared(symbol, other, _KIND["mentions"], sure, line, None) for other in fitting)


def _distinct(edges: Iterator[Shared]) -> Iterator[Shared]:
    """Yield one edge a pair and kind, the surest; of equally sure ones the first."""
    best: dict[tuple[int, int, int], Shared] = {}
    for edge in edges:
        old = best.get(edge[:3])
        if old is None or (-edge.confidence, edge.line) < (-old.confidence, old.line):
            best[edge[:3]] = edge
    yield from best.values()


def _capped(edges: Iterator[Shared]) -> Iterator[Shared]:
    """Yield one edge a pair and kind, and for each symbol those of the smallest groups only."""
    seen: set[tuple[int, int, int]] = set()
    held: Counter[tuple[int, int]] = Counter()
    for edge in sorted(edges, key=lambda e: (-e.confidence, e.src, e.dst, e.detail or "")):
        ends = (edge.src, edge.kind), (edge.dst, edge.kind)
        if edge[:3] not in seen and edge.src != edge.dst and all(held[end] < EACH for end in ends):
            seen.add(edge[:3])
            held.update(ends)
            yield edge
