"""Statistics of symbols and files as blocks of arrays, which a reader takes up without decoding rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.manifest import TableInfo
from ...schemas.tables import (
    BLOCK_ROWS,
    FILE_FIELDS,
    FILE_STATISTICS,
    SYMBOL_FIELDS,
    SYMBOL_STATISTICS,
    Table,
)
from .._arrow import compute
from ..parquet import TableWriter
from ..vocabulary import unify
from .placing import PlacedShard

__all__ = ["write_file_statistics", "write_symbol_statistics"]

NO_LANGUAGE = 255
PUBLIC, TEST = 1, 2

_Columns = dict[str, NDArray[np.generic]]


def write_symbol_statistics(
    shards: Sequence[PlacedShard], degrees: tuple[NDArray[np.int32], NDArray[np.int32]], snapshot: Path
) -> tuple[TableInfo, tuple[str, ...], list[int]]:
    """Write `symbol_statistics`, with the callers and degrees of all symbols.

    Also returns the kinds that its codes index, and the summed lengths of each field.
    """
    kinds, codes = unify([placed.shard.symbols["kind"] for placed in shards])
    columns = _joined([_symbol_columns(placed, kind) for placed, kind in zip(shards, codes, strict=True)])
    sums = columns["lengths"].sum(axis=1, dtype=np.int64).tolist() if columns else [0] * len(SYMBOL_FIELDS)
    if columns:
        columns |= {"callers": degrees[0], "degree": degrees[1]}
    return _write(SYMBOL_STATISTICS, columns, snapshot), tuple(map(str, kinds.to_pylist())), sums


def write_file_statistics(shards: Sequence[PlacedShard], snapshot: Path) -> tuple[TableInfo, tuple[str, ...], list[int]]:
    """Write `file_statistics`; also return the languages that its codes index, and the summed lengths of each field."""
    languages, codes = _languages(shards)
    folders: dict[tuple[int, str], int] = {}
    columns = _joined([_file_columns(placed, code, folders) for placed, code in zip(shards, codes, strict=True)])
    sums = columns["lengths"].sum(axis=1, dtype=np.int64).tolist() if columns else [0] * len(FILE_FIELDS)
    return _write(FILE_STATISTICS, columns, snapshot), languages, sums


def _symbol_columns(placed: PlacedShard, kinds: NDArray[np.int32]) -> _Columns:
    symbols = placed.shard.symbols
    public = compute.equal(symbols["visibility"], "public").to_numpy()
    lines = symbols["end_line"].to_numpy() - symbols["start_line"].to_numpy() + 1
    lengths = np.array([symbols[f"{field}_length"].to_numpy() for field in SYMBOL_FIELDS])
    return {
        "file": symbols["file"].to_numpy() + np.int32(placed.first_file),
        "kind": kinds.astype(np.uint8),
        "flags": (public * PUBLIC | symbols["is_test"].to_numpy() * TEST).astype(np.uint8),
        "lines": lines.astype(np.int32),
        "name_parts": symbols["name_parts"].to_numpy(),
        "lengths": np.minimum(lengths, np.iinfo(np.uint16).max).astype(np.uint16),
    }


def _file_columns(placed: PlacedShard, languages: NDArray[np.uint8], folders: dict[tuple[int, str], int]) -> _Columns:
    files = placed.shard.files
    names = [str(path).rpartition("/")[0] for path in files["path"].to_pylist()]
    return {
        "symbol": files["symbol"].to_numpy() + np.int32(placed.first_symbol),
        "language": languages,
        "repo": np.full(placed.files, placed.source, np.uint16),
        "directory": np.array([folders.setdefault((placed.source, name), len(folders)) for name in names], np.int32),
        "roles": files["roles"].to_numpy(),
        "lengths": np.array([files[f"{field}_length"].to_numpy() for field in FILE_FIELDS], np.int32),
    }


def _languages(shards: Sequence[PlacedShard]) -> tuple[tuple[str, ...], list[NDArray[np.uint8]]]:
    """Return all languages, sorted, and the code of each file's own."""
    words, places = unify([compute.fill_null(placed.shard.files["language"], "") for placed in shards])
    languages = tuple(word for word in words.to_pylist() if word)
    none = len(words) - len(languages)  # the empty word, if any, is the first
    codes = np.append(np.full(none, NO_LANGUAGE), np.arange(len(languages))).astype(np.uint8)
    return languages, [codes[place] for place in places]


def _joined(parts: Sequence[_Columns]) -> _Columns:
    """Put the columns of all shards together; arrays of several planes are [planes, rows]."""
    return {name: np.concatenate([part[name] for part in parts], axis=-1) for name in parts[0]} if parts else {}


def _write(table: Table, columns: _Columns, snapshot: Path) -> TableInfo:
    """Cut columns into blocks of BLOCK_ROWS rows, one row a block, little-endian and plane after plane."""
    rows = next(iter(columns.values())).shape[-1] if columns else 0
    starts = range(0, rows, BLOCK_ROWS)
    blobs = {
        name: [np.ascontiguousarray(values[..., start : start + BLOCK_ROWS]).tobytes() for start in starts]
        for name, values in columns.items()
    }
    with TableWriter(snapshot, table) as writer:
        if rows:
            writer.append(pa.table({"block": pa.array(range(len(starts)), pa.int32()), **blobs}))
    return writer.info
