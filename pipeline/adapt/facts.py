"""Facts of files as a shard holds them: what vectors are made of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..facts import FileFacts, SymbolFact
from ..shards import Shard

__all__ = ["shard_facts"]

_READ = ("kind", "name", "qualified_name", "signature", "doc", "start_byte", "end_byte", "body_start", "is_test")

_BLANK: dict[str, Any] = dict.fromkeys(SymbolFact._fields, "") | {
    **dict.fromkeys(("start_line", "end_line", "name_line"), 1), "parent": -1, "decorators": (),
}  # fmt: skip
_UNREAD = SymbolFact(**_BLANK)
"""What is not read has these values."""


def shard_facts(shard: Shard, start: int, stop: int) -> list[FileFacts]:
    """Return the files `start` to `stop` (exclusive) of a shard with their symbols; lines, parents and links are left out."""
    bounds = np.append(shard.files["symbol"].to_numpy(), shard.symbols.num_rows)
    first = int(bounds[start]) if start < stop else 0
    columns = [shard.symbols[name].slice(first, int(bounds[stop]) - first).to_pylist() for name in _READ]
    given: Iterator[dict[str, Any]] = (
        {name: "" if value is None else value for name, value in zip(_READ, row, strict=True)}
        for row in zip(*columns, strict=True)
    )
    rows = [_UNREAD._replace(**one) for one in given]
    texts = _texts(shard, start, stop)
    facts = []
    for number in range(start, stop):
        own = rows[int(bounds[number]) - first : int(bounds[number + 1]) - first]
        facts.append(_file(own[0], tuple(own[1:]), texts.get(number)))
    return facts


def _texts(shard: Shard, start: int, stop: int) -> dict[int, str]:
    numbers = shard.texts["file"].to_numpy()
    low, high = np.searchsorted(numbers, [start, stop])
    texts = shard.texts["text"].slice(int(low), int(high - low)).to_pylist()
    return dict(zip(numbers[low:high].tolist(), texts, strict=True))


def _file(own: SymbolFact, symbols: tuple[SymbolFact, ...], text: str | None) -> FileFacts:
    return FileFacts(
        status="skipped" if text is None else "indexed",
        reason=None,
        encoding=None,
        generated=False,
        lines=None,
        text=text,
        symbols=symbols,
        doc=own.doc,
    )
