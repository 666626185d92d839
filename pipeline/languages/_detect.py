"""Tell the language of a file from its name and its first bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ._facts import Language

__all__ = ["Detector"]

_SHEBANG = re.compile(rb"#![ \t]*(\S+)(?:[ \t]+(.*))?")
_VERSION = re.compile(r"[-\d.]+\Z")


class Detector:
    """Lookup tables built once from the rows."""

    def __init__(self, languages: Iterable[Language]) -> None:
        self._names: dict[str, str] = {}
        self._interpreters: dict[str, str] = {}
        self._extensions: dict[str, list[Language]] = {}
        for language in languages:
            self._names.update(dict.fromkeys(language.names, language.id))
            self._interpreters.update(dict.fromkeys(language.interpreters, language.id))
            for extension in language.extensions:
                self._extensions.setdefault(extension, []).append(language)

    def __call__(self, path: str, head: bytes) -> str | None:
        """Return the language id of a file, None if it is of no known language.

        `path` has `/` between its parts; `head` is the beginning of the file's bytes, 8 KB and more tell best. The
        order: exact file name, extension (the longest first; letter case counts, then not), `#!` line.
        """
        name = path.rpartition("/")[2]
        return self._names.get(name) or self._by_extension(name, head) or self._by_shebang(head)

    def candidates(self, name: str) -> tuple[str, ...]:
        """Return the ids that a base name allows; whatever has equal ones and equal bytes is of one language.

        One where the name decides; several of which the content chooses; none where only a `#!` line may tell.
        """
        named = self._names.get(name)
        return (named,) if named is not None else tuple(row.id for row in self._rows(name))

    def is_ambiguous(self, name: str) -> bool:
        """Say whether the content decides the language of files of this name."""
        return name not in self._names and len(self._rows(name)) > 1

    def _rows(self, name: str) -> list[Language]:
        dot = name.find(".", 1)
        while dot > 0:
            suffix = name[dot:]
            rows = self._extensions.get(suffix) or self._extensions.get(suffix.lower())
            if rows:
                return rows
            dot = name.find(".", dot + 1)
        return []

    def _by_extension(self, name: str, head: bytes) -> str | None:
        rows = self._rows(name)
        return _by_evidence(rows, head) if len(rows) > 1 else rows[0].id if rows else None

    def _by_shebang(self, head: bytes) -> str | None:
        found = _SHEBANG.match(head)
        if not found:
            return None
        words = [found[1].decode("utf-8", "replace"), *(found[2] or b"").decode("utf-8", "replace").split()]
        return _first(self._interpreters, (word.rpartition("/")[2] for word in words if not word.startswith("-")))


def _first(table: Mapping[str, str], words: Iterable[str]) -> str | None:
    """Look up the interpreter: the program itself, or after `env` its first argument that is no assignment."""
    for word in words:
        if word != "env" and "=" not in word:
            return table.get(word) or table.get(_VERSION.sub("", word))
    return None


def _by_evidence(rows: list[Language], head: bytes) -> str:
    for row in rows:
        if row.evidence is not None and row.evidence(head):
            return row.id
    return next((row for row in rows if row.evidence is None), rows[0]).id
