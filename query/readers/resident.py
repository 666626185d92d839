"""The warm reader: every column that a search needs, decoded once into compact arrays; queries issue no SQL.

At a million symbols the postings take six bytes each, names and signatures the bytes they have.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..connection import Connection
from ..ranking.policy import Fields
from ..store import Snapshot
from ._load_postings import Postings, load_postings
from ._load_symbols import Display, load_display, load_symbols
from .arrays import Ids
from .averages import file_averages, symbol_averages
from .decode import BadBlobError
from .files import blaming, read_files
from .values import NO_LANGUAGE, FileColumns, Row, SymbolColumns, TermPostings

__all__ = ["Resident"]


class Resident:
    """A reader (see `values.Reader`) over arrays in memory; needs no connection once it is made."""

    def __init__(self, snapshot: Snapshot, connection: Connection, fields: Fields) -> None:
        self._manifest = snapshot.manifest
        self.symbols = snapshot.rows("symbols")
        self._files, file_lengths = read_files(snapshot, connection)
        self._symbols, lengths = load_symbols(snapshot, connection)
        self._postings: Postings = load_postings(
            snapshot, connection, fields, (lengths, symbol_averages(snapshot)), (file_lengths, file_averages(snapshot))
        )
        del lengths, file_lengths
        self._display: Display = load_display(snapshot, connection)
        with blaming(snapshot, "symbol_statistics"):
            self._check_codes()

    def _check_codes(self) -> None:
        manifest, files = self._manifest, self._files
        kinds, repos = self._symbols.kind, files.repo
        languages = files.language[files.language != NO_LANGUAGE]
        for values, words in ((kinds, manifest.kinds), (repos, manifest.sources), (languages, manifest.languages)):
            if len(values) and int(values.max()) >= len(words):
                raise BadBlobError("a code has no word in the manifest")

    @property
    def files(self) -> FileColumns:
        """Columns of all files."""
        return self._files

    def postings(self, terms: Sequence[str]) -> list[TermPostings]:
        """Return the postings of those terms that the snapshot holds, in the order given."""
        return [found for term in terms if (found := self._postings.of(term)) is not None]

    def longer_terms(self, prefix: str, most: int) -> list[str]:
        """Return the terms that begin with a prefix and are longer, those of most symbols first, then by their bytes."""
        return self._postings.longer(prefix, most)

    def columns(self, symbols: Ids) -> SymbolColumns:
        """Return the columns of ascending symbol ids."""
        arrays = self._symbols
        return SymbolColumns(
            file=self._files.owners(symbols),
            kind=arrays.kind[symbols],
            flags=arrays.flags[symbols],
            lines=arrays.lines[symbols],
            name_parts=arrays.name_parts[symbols],
            callers=arrays.callers[symbols],
            name_length=arrays.name_length[symbols],
        )

    def names(self, symbols: Ids) -> list[str]:
        """Return the names of ascending symbol ids."""
        return [self._display.names[i] for i in symbols.tolist()]

    def owners(self, symbols: Ids) -> list[tuple[str, str | None, str]]:
        """Return name, qualified name and path of ascending symbol ids."""
        display = self._display
        places = zip(symbols.tolist(), self._files.owners(symbols).tolist(), strict=True)
        return [(display.names[i], display.qualified(i), display.paths[file]) for i, file in places]

    def rows(self, symbols: Ids) -> list[Row]:
        """Return the rows of symbol ids, in the order given."""
        return [self._row(i, file) for i, file in zip(symbols.tolist(), self._files.owners(symbols).tolist(), strict=True)]

    def paths(self, files: Ids) -> list[str]:
        """Return the paths of ascending file ids."""
        return [self._display.paths[i] for i in files.tolist()]

    def _row(self, symbol: int, file: int) -> Row:
        display, manifest = self._display, self._manifest
        repo, path = manifest.sources[int(self._files.repo[file])].repo, display.paths[file]
        language = int(self._files.language[file])
        qualified = display.qualified(symbol)
        return Row(
            symbol=symbol,
            file=file,
            key=display.key(symbol, repo, path, qualified),
            repo=repo,
            path=path,
            language=None if language == NO_LANGUAGE else manifest.languages[language],
            kind=manifest.kinds[int(self._symbols.kind[symbol])],
            name=display.names[symbol],
            qualified_name=qualified,
            signature=display.signatures[symbol] or None,
            start_line=int(display.start_line[symbol]),
            end_line=int(display.end_line[symbol]),
        )
