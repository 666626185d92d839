"""The tables with one row a file, symbol or stored text: ids made global, repository and keys put in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ...schemas.manifest import TableInfo
from ...schemas.tables import FILES, SOURCES, SYMBOLS, Table
from .._arrow import compute
from ..parquet import TableWriter
from .placing import PlacedShard, each

__all__ = ["write_files", "write_sources", "write_symbols"]

_ESCAPES = {"%": "%25", "#": "%23"}
"""What ends a path in a key, and what escapes it; in a repository's name also the `:` that ends it, as `%3A`."""


def write_files(shards: Sequence[PlacedShard], snapshot: Path) -> TableInfo:
    """Write `files`."""
    return _write(FILES, shards, snapshot, _files)


def write_symbols(shards: Sequence[PlacedShard], snapshot: Path) -> TableInfo:
    """Write `symbols`."""
    return _write(SYMBOLS, shards, snapshot, _symbols)


def write_sources(shards: Sequence[PlacedShard], snapshot: Path) -> TableInfo:
    """Write `sources`."""
    return _write(SOURCES, shards, snapshot, _sources)


def _write(
    table: Table, shards: Sequence[PlacedShard], snapshot: Path, rows: Callable[[PlacedShard], pa.Table]
) -> TableInfo:
    with TableWriter(snapshot, table) as writer:
        for shard in each(shards):
            writer.append(rows(shard))
    return writer.info


def _files(placed: PlacedShard) -> pa.Table:
    files = placed.shard.files
    files = files.append_column("file", pa.array(np.arange(placed.files) + placed.first_file, pa.int32()))
    files = files.append_column("repo", pa.repeat(placed.repo, placed.files))
    return _shifted(files, "symbol", placed.first_symbol)


def _sources(placed: PlacedShard) -> pa.Table:
    texts = placed.shard.texts
    paths = placed.shard.files["path"].take(texts["file"])
    texts = _shifted(texts, "file", placed.first_file)
    return texts.append_column("path", paths).append_column("repo", pa.repeat(placed.repo, texts.num_rows))


def _symbols(placed: PlacedShard) -> pa.Table:
    symbols, files = placed.shard.symbols, placed.shard.files
    for name in ("path", "language"):
        symbols = symbols.append_column(name, files[name].take(symbols["file"]))
    symbols = symbols.append_column("key", _keys(placed))
    symbols = symbols.append_column("symbol", pa.array(np.arange(placed.symbols) + placed.first_symbol, pa.int32()))
    symbols = symbols.append_column("repo", pa.repeat(placed.repo, placed.symbols))
    return _shifted(_shifted(symbols, "file", placed.first_file), "parent", placed.first_symbol)


def _keys(placed: PlacedShard) -> pa.ChunkedArray[Any]:
    """Return `repo:path` for files and `repo:path#qualified_name` for symbols, with `~n` for the n-th of equal ones.

    Repository and path are escaped (see _ESCAPES), and a name that itself ends like `~2` always gets its `~n`: so no two
    keys are equal.
    """
    symbols = placed.shard.symbols
    names = symbols["qualified_name"]
    repo, paths = placed.repo, placed.shard.files["path"]
    for character, escaped in _ESCAPES.items():
        repo, paths = repo.replace(character, escaped), compute.replace_substring(paths, character, escaped)
    prefixes = compute.binary_join_element_wise(repo.replace(":", "%3A"), paths, ":").take(symbols["file"])
    like_numbered = compute.fill_null(compute.match_substring_regex(names, r"~\d+\z"), False)
    numbered = compute.or_(compute.greater(symbols["ordinal"], 1), like_numbered)
    ordinals = compute.binary_join_element_wise("~", symbols["ordinal"].cast(pa.string()), "")
    suffixes = compute.if_else(numbered, ordinals, "")
    keys = compute.binary_join_element_wise(prefixes, "#", names, suffixes, "")
    return compute.if_else(names.is_null(), prefixes, keys)  # type: ignore[no-any-return]  # see _arrow


def _shifted(table: pa.Table, name: str, by: int) -> pa.Table:
    """Add `by` to a column of ids."""
    return table.set_column(table.column_names.index(name), name, compute.add(table[name], pa.scalar(by, pa.int32())))
