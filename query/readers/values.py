"""What the ranking reads: postings, columns and rows as plain arrays, and the protocol that both readers keep.

Symbol and file ids are dense from 0. A file's own row comes first among its symbols, so those of file `f` are the ids
from `first_symbol[f] + 1` up to `first_symbol[f + 1]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["NO_LANGUAGE", "FileColumns", "Floats", "Ids", "Reader", "Row", "SymbolColumns", "TermPostings"]

Ids = NDArray[np.int32]
Floats = NDArray[np.float64]
Array = NDArray[Any]

NO_LANGUAGE = 255
"""Language code of a file that has none."""

PUBLIC, TEST = 1, 2
"""Bits of `SymbolColumns.flags`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TermPostings:
    """The postings of one term; all id arrays ascend.

    `impacts` and `file_impacts` are saturated BM25F frequencies in 1/65535 without the path; `named` are the symbols
    whose name holds the term, `name_counts` how often; `on_path` are the files whose path holds it, `base_counts` and
    `directory_counts` how often.
    """

    term: str
    df: int
    file_df: int
    symbols: Ids
    impacts: NDArray[np.uint16]
    named: Ids
    name_counts: NDArray[np.uint8]
    files: Ids
    file_impacts: NDArray[np.uint16]
    on_path: Ids
    base_counts: NDArray[np.uint8]
    directory_counts: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolColumns:
    """Columns of some symbols, in the order they were asked for; `lines` in lines, `name_length` in terms."""

    file: Ids
    kind: NDArray[np.uint8]
    flags: NDArray[np.uint8]
    lines: Ids
    name_parts: NDArray[np.uint8]
    name_length: NDArray[np.uint16]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileColumns:
    """Columns of all files; `first_symbol` has one more entry, the number of symbols. Lengths are in terms."""

    first_symbol: Ids
    language: NDArray[np.uint8]
    repo: NDArray[np.uint16]
    directory: Ids
    roles: NDArray[np.uint8]
    base_length: Ids
    directory_length: Ids

    def has_symbols(self, files: Ids) -> NDArray[np.bool_]:
        """Say which of these files have symbols beside their own row."""
        return self.first_symbol[files + 1] - self.first_symbol[files] > 1

    def owners(self, symbols: Ids) -> Ids:
        """Return the files of symbols."""
        return (np.searchsorted(self.first_symbol, symbols, side="right") - 1).astype(np.int32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is shown of one symbol or file."""

    symbol: int
    file: int
    key: str
    repo: str
    path: str
    language: str | None
    kind: str
    name: str
    qualified_name: str | None
    signature: str | None
    start_line: int
    end_line: int


class Reader(Protocol):
    """Read access to one snapshot; every method may be called from several threads."""

    @property
    def symbols(self) -> int:
        """Rows of the symbol table, those of files included."""

    @property
    def files(self) -> FileColumns:
        """Columns of all files."""

    def postings(self, terms: Sequence[str]) -> list[TermPostings]:
        """Return the postings of those terms that the snapshot holds, in the order given."""

    def columns(self, symbols: Ids) -> SymbolColumns:
        """Return the columns of ascending symbol ids."""

    def owners(self, symbols: Ids) -> list[tuple[str, str | None, str]]:
        """Return name, qualified name and path of ascending symbol ids."""

    def rows(self, symbols: Ids) -> list[Row]:
        """Return the rows of symbol ids, in the order given."""

    def paths(self, files: Ids) -> list[str]:
        """Return the paths of ascending file ids."""
