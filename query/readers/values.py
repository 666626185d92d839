"""What the ranking reads: postings, columns and rows as plain arrays, and the protocol that both readers keep.

Symbol and file ids are dense from 0. A file's own row comes first among its symbols, so those of file `f` are the ids
from `first_symbol[f] + 1` up to `first_symbol[f + 1]`. Values are named tuples and not dataclasses, here and in the
ranking: making the class of a dataclass takes about a millisecond, and a process of the command line answers one query.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from .arrays import Bools, Codes, Ids, Impacts

__all__ = ["NO_LANGUAGE", "PUBLIC", "TEST", "FileColumns", "Reader", "Row", "SymbolColumns", "TermPostings"]

NO_LANGUAGE = 255
"""Language code of a file that has none."""

PUBLIC, TEST = 1, 2
"""Bits of `SymbolColumns.flags`."""


class TermPostings(NamedTuple):
    """The postings of one term; all id arrays ascend.

    `impacts` and `file_impacts` are saturated BM25F frequencies in 1/65535 without the path; `named` are the symbols
    whose name holds the term, `name_counts` how often; `on_path` are the files whose path holds it, `base_counts` and
    `directory_counts` how often.
    """

    term: str
    df: int
    file_df: int
    symbols: Ids
    impacts: Impacts
    named: Ids
    name_counts: Codes
    files: Ids
    file_impacts: Impacts
    on_path: Ids
    base_counts: Codes
    directory_counts: Codes


class SymbolColumns(NamedTuple):
    """Columns of some symbols, in the order they were asked for; `lines` in lines, `callers` in symbols, `name_length` in terms."""

    file: Ids
    kind: Codes
    flags: Codes
    lines: Ids
    name_parts: Codes
    callers: Ids
    name_length: Impacts


class FileColumns(NamedTuple):
    """Columns of all files; `first_symbol` has one more entry, the number of symbols. Lengths are in terms."""

    first_symbol: Ids
    language: Codes
    repo: Impacts
    directory: Ids
    roles: Codes
    base_length: Ids
    directory_length: Ids

    def has_symbols(self, files: Ids) -> Bools:
        """Say which of these files have symbols beside their own row."""
        return self.first_symbol[files + 1] - self.first_symbol[files] > 1

    def owners(self, symbols: Ids) -> Ids:
        """Return the files of symbols."""
        return (np.searchsorted(self.first_symbol, symbols, side="right") - 1).astype(np.int32)


class Row(NamedTuple):
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

    def longer_terms(self, prefix: str, most: int) -> list[str]:
        """Return the terms that begin with a prefix and are longer, those of most symbols first, then by their bytes."""

    def columns(self, symbols: Ids) -> SymbolColumns:
        """Return the columns of ascending symbol ids."""

    def names(self, symbols: Ids) -> list[str]:
        """Return the names of ascending symbol ids."""

    def owners(self, symbols: Ids) -> list[tuple[str, str | None, str]]:
        """Return name, qualified name and path of ascending symbol ids."""

    def rows(self, symbols: Ids) -> list[Row]:
        """Return the rows of symbol ids, in the order given."""

    def paths(self, files: Ids) -> list[str]:
        """Return the paths of ascending file ids."""
