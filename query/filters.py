"""Filters of a search: which files and symbols may be in the answer, decided before the best are taken."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ..schemas.errors import UsageError
from ..schemas.manifest import Manifest
from ..schemas.tables import ROLES
from .readers.arrays import Array, Bools, Ids
from .readers.values import TEST, Reader
from .results import FILE_KIND

__all__ = ["TEST_ROLE", "Filters", "Selection", "compiled", "glob_pattern", "select"]

TEST_ROLE = 1 << ROLES.index("test")
"""Bit of a file's roles that says it holds tests."""


class Filters(NamedTuple):
    """What may be in an answer; an empty tuple allows everything, several values allow each of them.

    `tests` is True for tests only, False for none of them, None for both.
    """

    repos: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    tests: bool | None = None


class Selection(NamedTuple):
    """Filters in terms of one snapshot: `files` are allowed ones (None: all), `kinds` allowed codes (None: all)."""

    files: Bools | None
    kinds: Bools | None
    file_rows: bool
    tests: bool | None
    notes: tuple[str, ...]

    @property
    def all(self) -> bool:
        """Say whether every symbol is allowed."""
        return self.files is None and self.kinds is None and self.tests is None

    def allowed_files(self, reader: Reader) -> Bools:
        """Say for every file whether it is allowed."""
        return np.ones(len(reader.files.language), np.bool_) if self.files is None else self.files

    def keep(self, symbols: Ids, reader: Reader) -> Bools:
        """Say which of these symbols (ascending ids) are allowed."""
        kept = np.ones(len(symbols), np.bool_)
        if self.files is not None:
            kept &= self.files[reader.files.owners(symbols)]
        if self.kinds is None and self.tests is None:
            return kept
        rest = np.flatnonzero(kept)
        columns = reader.columns(symbols[rest])
        if self.kinds is not None:
            kept[rest] &= self.kinds[columns.kind]
        if self.tests is not None:
            is_test = ((columns.flags & TEST) > 0) | ((reader.files.roles[columns.file] & TEST_ROLE) > 0)
            kept[rest] &= is_test == self.tests
        return kept


def select(filters: Filters, manifest: Manifest, reader: Reader) -> Selection:
    """Apply filters to a snapshot; a value that nothing there has is noted and matches nothing."""
    repos = [source.repo for source in manifest.sources]
    notes = tuple(
        note
        for what, wanted, known in (
            ("repository", filters.repos, repos),
            ("language", filters.languages, manifest.languages),
            ("kind", filters.kinds, (*manifest.kinds, FILE_KIND)),
        )
        for note in _unknown(what, wanted, known)
    )
    return Selection(
        files=_files(filters, repos, manifest, reader),
        kinds=np.array([kind in filters.kinds for kind in manifest.kinds], np.bool_) if filters.kinds else None,
        file_rows=not filters.kinds or FILE_KIND in filters.kinds,
        tests=filters.tests,
        notes=notes,
    )


def _files(filters: Filters, repos: Sequence[str], manifest: Manifest, reader: Reader) -> Bools | None:
    if not (filters.repos or filters.languages or filters.paths):
        return None
    columns = reader.files
    kept = np.ones(len(columns.language), np.bool_)
    if filters.repos:
        kept &= _coded(columns.repo, repos, filters.repos)
    if filters.languages:
        kept &= _coded(columns.language, manifest.languages, filters.languages)
    if filters.paths:
        places = np.flatnonzero(kept).astype(np.int32)
        pattern = compiled(filters.paths)
        kept[places] = [pattern.fullmatch(path) is not None for path in reader.paths(places)]
    return kept


def compiled(globs: Sequence[str]) -> re.Pattern[str]:
    """Return one pattern for several globs; UsageError for one that is none."""
    try:
        return re.compile("|".join(glob_pattern(glob) for glob in globs))
    except re.error as error:
        raise UsageError(f"{', '.join(map(repr, globs))} is not a path pattern ({error.msg}): see `search --help`") from None


def _coded(codes: Array, words: Sequence[str], wanted: Collection[str]) -> Bools:
    return np.isin(codes, [i for i, word in enumerate(words) if word in wanted])


def _unknown(what: str, wanted: Iterable[str], known: Sequence[str]) -> Iterator[str]:
    for value in wanted:
        if value not in known:
            has = ", ".join(sorted(set(known))) or "none"
            yield f"unknown {what} {value!r}: this index has {has}"


def glob_pattern(glob: str) -> str:
    """Return the regular expression of a path glob, to be matched against a whole path.

    `*` and `?` stay within one part of the path, `**` crosses parts, `[...]` is a set of characters. A glob without `/`
    is looked for at any depth; one that ends in `/`, or names a folder, takes everything below it.
    """
    body = glob.removeprefix("./").removeprefix("/")
    anywhere = "" if "/" in body.rstrip("/") or glob.startswith("/") else "(?:.*/)?"
    tail = "/.+" if body.endswith("/") else "(?:/.*)?"
    return f"(?s:{anywhere}{''.join(_pieces(body.rstrip('/')))}{tail})"


_PIECE = re.compile(r"(\*\*/)|(\*\*)|(\*)|(\?)|\[([!^]?)(\][^\]]*|[^\]]+)\]|(.)", re.S)


def _pieces(glob: str) -> Iterator[str]:
    for deep, crossing, star, one, negated, members, plain in _PIECE.findall(glob):
        if deep:
            yield "(?:.*/)?"
        elif crossing:
            yield ".*"
        elif star:
            yield "[^/]*"
        elif one:
            yield "[^/]"
        elif plain:
            yield re.escape(plain)
        else:
            yield f"(?!/)[{'^' if negated else ''}{_members(members)}]"


def _members(text: str) -> str:
    """Escape what is special inside brackets of a regular expression but for ranges."""
    return "".join(f"\\{c}" if c in "\\[]^&~|" else c for c in text)
