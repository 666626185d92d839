"""Edges between symbols that share something rare, or where a comment of one names the other.

Groups of symbols around one literal, type or field become pairs only where the group is small, a symbol keeps a few of each
kind, and all of them together are bounded by the number of resolved edges: the cost is linear in the number of tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.tables import EDGE_KINDS
from .._arrow import compute
from ..graph.tokens import TOKEN_KINDS
from ..terms.segments import changes
from .placing import PlacedShard, column, shards_of

__all__ = ["SHARED", "deep_edges"]

GROUP = 8
"""Symbols that may share one thing for it to be rare."""

EACH = 6
"""Edges of one kind that a symbol keeps, those to the smallest groups."""

FIELDS = 2
"""Rare fields that two symbols must share for their data to have the same shape."""

_NAMED = 5
"""Fields of one shape that its edge names."""

MOST = 1.0
"""Edges of all these kinds together for each resolved edge, at most, and SPARE more."""

SPARE = 100

_SURE = 0.9
"""Of a comment that names a symbol of which there is one."""

_CANDIDATES = 3
_KIND = {name: code for code, name in enumerate(EDGE_KINDS)}
_TYPES = ("class", "struct", "interface", "enum", "type", "trait", "protocol", "union", "record")
_ERROR = re.compile(r"(?:Error|Exception|Err|Fault|Failure)s?$")


SHARED = np.dtype([
    ("src", "<i4"), ("dst", "<i4"), ("kind", "u1"), ("confidence", "<f8"), ("line", "<i4"), ("detail", "<i4"),
])  # fmt: skip
"""One edge: `src` is below `dst` where the two share something, and mentions `dst` otherwise; `detail` is a place or -1."""

_Edges = NDArray[Any]


def deep_edges(shards: Sequence[PlacedShard], resolved: _Edges) -> tuple[_Edges, tuple[str, ...]]:
    """Return the edges as rows of SHARED, and what their details index; `resolved` are those of linking (src, dst, kind, line)."""
    tokens = _tokens(shards)
    parts = [
        _capped(*_sharing(tokens.of("literal"), "shares_literal")),
        _capped(*_same_fields(tokens)),
        _capped(*_same_types(resolved, shards)),
        (_distinct(_mentions(tokens, shards)), ()),
    ]
    words = sorted({word for _, details in parts for word in details})
    places = {word: place for place, word in enumerate(words)}
    for edges, details in parts:
        said = edges["detail"] >= 0
        edges["detail"][said] = np.array([places[word] for word in details], np.int32)[edges["detail"][said]]
    found = np.concatenate([edges for edges, _ in parts])
    found = found[np.lexsort((found["dst"], found["kind"], found["src"], -found["confidence"]))]
    return _used(found[: int(MOST * len(resolved)) + SPARE], words)


def _used(edges: _Edges, words: Sequence[str]) -> tuple[_Edges, tuple[str, ...]]:
    """Leave out the words that no edge has for a detail."""
    said = edges["detail"] >= 0
    kept, places = np.unique(edges["detail"][said], return_inverse=True)
    edges["detail"][said] = places
    return edges, tuple(words[place] for place in kept.tolist())


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


def _pairs(keys: NDArray[Any], symbols: NDArray[Any], lines: NDArray[Any], kinds: NDArray[Any]) -> _Edges:
    """Return the pairs within each group of 2 to GROUP symbols with one key, which is their detail; rows are ordered by (key, symbol).

    `kinds` are those of the edges, by row.
    """
    starts = np.flatnonzero(changes(keys))
    sizes = np.diff(np.append(starts, len(keys)))
    parts = [np.zeros(0, SHARED)]
    for size in range(2, GROUP + 1):
        i, j = np.triu_indices(size, 1)
        first = starts[sizes == size][:, None]
        one, other = (first + i).ravel(), (first + j).ravel()
        pairs = np.zeros(len(one), SHARED)
        pairs["src"], pairs["dst"], pairs["line"] = symbols[one], symbols[other], lines[one]
        pairs["kind"], pairs["detail"] = kinds[one], keys[one]
        pairs["confidence"] = round(2 / size, 2)
        parts.append(pairs)
    return np.concatenate(parts)


def _sharing(tokens: _Tokens, kind: str) -> tuple[_Edges, list[str]]:
    """Return the pairs of symbols that share a token, and what their details index."""
    kinds = np.full(len(tokens.text), _KIND[kind], np.uint8)
    return _detailed(_pairs(tokens.text, tokens.symbol, tokens.line, kinds), tokens.texts)


def _detailed(edges: _Edges, texts: pa.Array[Any]) -> tuple[_Edges, list[str]]:
    """Return edges whose details are places in `texts`, with these words alone, in order."""
    used, places = np.unique(edges["detail"], return_inverse=True)
    words = list(map(str, texts.take(used).to_pylist()))
    order = sorted(range(len(words)), key=words.__getitem__)
    ranks = np.zeros(len(words), np.int32)
    ranks[order] = np.arange(len(words))
    edges["detail"] = ranks[places]
    return edges, [words[place] for place in order]


def _same_fields(tokens: _Tokens) -> tuple[_Edges, list[str]]:
    """Return the pairs of symbols that share FIELDS rare fields or more: what they share most surely, and the names."""
    pairs, words = _sharing(tokens.of("field"), "shares_data_shape")
    pairs = pairs[np.lexsort((pairs["detail"], pairs["dst"], pairs["src"]))]
    starts = np.flatnonzero(changes(pairs["src"]) | changes(pairs["dst"]))
    sizes = np.diff(np.append(starts, len(pairs)))
    several = sizes >= FIELDS
    edges, names = pairs[starts[several]], []
    for at, (start, size) in enumerate(zip(starts[several].tolist(), sizes[several].tolist(), strict=True)):
        own = pairs[start : start + size]
        edges[at]["confidence"], edges[at]["line"] = own["confidence"].max(), own["line"].min()
        names.append(", ".join(words[place] for place in own["detail"][:_NAMED].tolist()))
    edges["detail"] = np.arange(len(edges))
    return edges, names


def _same_types(resolved: _Edges, shards: Sequence[PlacedShard]) -> tuple[_Edges, list[str]]:
    """Return the pairs of symbols that name one type, or raise or return one error."""
    names, kinds = (column(shards, "symbols", name) for name in ("name", "kind"))
    is_type = compute.is_in(kinds, value_set=pa.array(_TYPES)).to_numpy(zero_copy_only=False)
    used = np.isin(resolved["kind"], [_KIND["references"], _KIND["calls"]])
    edges = resolved[used & is_type[resolved["dst"]]] if len(is_type) else resolved[:0]
    edges = edges[np.lexsort((edges["line"], edges["src"], edges["dst"]))]
    edges = edges[changes(edges["src"]) | changes(edges["dst"])]
    whose = np.zeros(len(edges), np.uint8)
    pairs, words = _detailed(_pairs(edges["dst"], edges["src"], edges["line"], whose), names)
    kinds_of = [_KIND["shares_error_type" if _ERROR.search(word) else "shares_type"] for word in words]
    pairs["kind"] = np.array(kinds_of, np.uint8)[pairs["detail"]]
    return pairs, words


def _mentions(tokens: _Tokens, shards: Sequence[PlacedShard]) -> Iterator[tuple[int, int, float, int]]:
    """Yield (symbol, one of its repository that its comments name, confidence, line), if there are few of that name."""
    own = tokens.of("mention")
    if not len(own.text):
        return
    codes = np.unique(own.text)
    texts = dict(zip(codes.tolist(), map(str, tokens.texts.take(codes).to_pylist()), strict=True))
    sources, firsts = np.array([placed.source for placed in shards]), [placed.first_symbol for placed in shards]
    named = _named(shards, sorted({text.rpartition(".")[2] for text in texts.values()}))
    own_sources = sources[shards_of(firsts, own.symbol)].tolist()
    alike: dict[tuple[int, int], list[int]] = {}
    for code, symbol, line, source in zip(
        own.text.tolist(), own.symbol.tolist(), own.line.tolist(), own_sources, strict=True
    ):
        found = alike.get((source, code))
        if found is None:
            text = texts[code]
            last = named.get((source, text.rpartition(".")[2]), ())
            found = alike[source, code] = [other for other, full in last if full.endswith(f".{text}")]
        fitting = [other for other in found if other != symbol] if len(found) <= _CANDIDATES + 1 else ()
        if 0 < len(fitting) <= _CANDIDATES:
            sure = _SURE / len(fitting)
            yield from ((symbol, other, sure, line) for other in fitting)


def _named(shards: Sequence[PlacedShard], wanted: Sequence[str]) -> dict[tuple[int, str], list[tuple[int, str]]]:
    """Return the symbols of some names by (source, name), each with its qualified name behind a dot."""
    names, kinds, qualified = (column(shards, "symbols", name) for name in ("name", "kind", "qualified_name"))
    meant = compute.and_(compute.is_in(names, value_set=pa.array(wanted)), compute.not_equal(kinds, "file"))
    ids = np.flatnonzero(meant.to_numpy(zero_copy_only=False))
    sources, firsts = np.array([placed.source for placed in shards]), [placed.first_symbol for placed in shards]
    columns = (sources[shards_of(firsts, ids)].tolist(), names.take(ids).to_pylist(), qualified.take(ids).to_pylist())
    named: dict[tuple[int, str], list[tuple[int, str]]] = {}
    for symbol, source, name, full in zip(ids.tolist(), *columns, strict=True):
        named.setdefault((source, str(name)), []).append((symbol, f".{full}"))
    return named


def _distinct(mentions: Iterator[tuple[int, int, float, int]]) -> _Edges:
    """Return one edge a pair, the surest; of equally sure ones the first by line."""
    rows = np.array([(src, dst, _KIND["mentions"], sure, line, -1) for src, dst, sure, line in mentions], SHARED)
    rows = rows[np.lexsort((rows["line"], -rows["confidence"], rows["dst"], rows["src"]))]
    return rows[changes(rows["src"]) | changes(rows["dst"])]


def _capped(edges: _Edges, details: Sequence[str]) -> tuple[_Edges, Sequence[str]]:
    """Return one edge a pair and kind, and for each symbol those of the smallest groups only; details are in order."""
    edges = edges[edges["src"] != edges["dst"]]
    edges = edges[np.lexsort((edges["detail"], edges["dst"], edges["src"], -edges["confidence"]))]
    together = np.lexsort((edges["dst"], edges["src"], edges["kind"]))  # stable: the first of a pair stays the first
    first = changes(edges["src"][together]) | changes(edges["dst"][together]) | changes(edges["kind"][together])
    edges = edges[np.sort(together[first])]
    held: Counter[tuple[int, int]] = Counter()
    kept = []
    for at, (src, dst, kind) in enumerate(zip(*(edges[name].tolist() for name in ("src", "dst", "kind")), strict=True)):
        one, other = (src, kind), (dst, kind)
        if held[one] < EACH and held[other] < EACH:
            held[one] += 1
            held[other] += 1
            kept.append(at)
    return edges[kept], details
