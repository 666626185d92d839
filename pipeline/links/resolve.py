"""Resolution: what the links of one repository's documents lead to, and which of them are broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from ._names import Names
from ._rst import identifier
from .documents import DOCUMENTS
from .marks import ANCHOR, LABEL, Mark
from .tree import Place, Tree, folders_of, joined

__all__ = ["Link", "Repository", "resolve"]

_LINES = re.compile(r"L(\d{1,9})(?:C\d+)?(?:-L?(\d{1,9})(?:C\d+)?)?\Z")
_ALWAYS = frozenset({"top"})
"""Fragments that every page has (HTML, 7.4.6.4)."""

_PREFIX = "user-content-"
"""What GitHub puts before ids in the pages that it makes."""


class Link(NamedTuple):
    """One link; `file` and `target_file` are numbers of files, `target` a path, that of a folder ending with `/`.

    `anchor` is what stands after `#`; `destination` the link as written. A link is broken if what it leads to, or the anchor
    there, is not there; then `target` is None, or the file without that anchor.
    """

    file: int
    line: int
    form: str
    destination: str
    target: str | None
    target_file: int | None
    anchor: str | None
    broken: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """What resolution needs of a repository: a value a file, in order of paths, and the marks of its documents by number."""

    paths: Sequence[str]
    languages: Sequence[str | None]
    lines: Sequence[int | None]
    reasons: Sequence[str | None]
    marks: Mapping[int, Sequence[Mark]]


def resolve(repository: Repository) -> list[Link]:
    """Return the links of a repository in the order of files, in a file by line and place."""
    if not any(mark.form not in (ANCHOR, LABEL) for marks in repository.marks.values() for mark in marks):
        return []
    return list(_Resolver(repository).run())


class _Resolver:
    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._tree = Tree(repository.paths, repository.reasons)
        self._names = Names(self._tree, repository.marks)
        self._anchors: dict[int, frozenset[str]] = {}
        self._by_form: dict[str, Callable[[int, str], Place | None]] = {
            "wiki": self._wiki, "doc": self._document, "toctree": self._document, "include": self._exact,
            "download": self._exact,
        }  # fmt: skip

    def run(self) -> Iterator[Link]:
        links = [link for file in sorted(self._repository.marks) for link in self._of_file(file)]
        has_wiki = any(link.form == "wiki" and link.target is not None for link in links)
        # Double brackets are also arrays, attributes, sections of TOML: they count where some of them name pages.
        return (link for link in links if has_wiki or link.form != "wiki")

    def _of_file(self, file: int) -> Iterator[Link]:
        for mark in self._repository.marks[file]:
            if mark.form not in (ANCHOR, LABEL):
                place, anchor = self._end(file, mark)
                broken = place is None or not self._has(place, anchor)
                target, number = place if place else (None, None)
                yield Link(file, mark.line, mark.form, mark.text, target, number, anchor, broken)

    def _end(self, file: int, mark: Mark) -> tuple[Place | None, str | None]:
        """Return where a link leads and the anchor there."""
        if mark.form == "ref":
            number = self._names.labelled(mark.text, file)
            place = None if number is None else Place(self._tree.paths[number], number)
            return place, identifier(mark.text)
        find = self._by_form.get(mark.form, self._page)
        if find in (self._document, self._exact):
            return find(file, mark.text), None
        path, _, fragment = mark.text.partition("#")
        if mark.form != "wiki":
            path = path.partition("?")[0]
        anchor = unquote(fragment).partition(":~:")[0] or None
        if not path:
            return Place(self._tree.paths[file], file), anchor
        return find(file, path), anchor

    def _page(self, file: int, path: str) -> Place | None:
        """Return what a URL leads to: relative to the file; `/` is the root, or that of a site in a folder above the file."""
        own = self._repository.paths[file]
        folders = sorted(folders_of(own), key=len) if path.startswith("/") else [own.rpartition("/")[0]]
        for written in dict.fromkeys((unquote(path), path)):
            for folder in folders:
                inner = joined(folder, written)
                if inner is None:
                    break  # it leads out of the repository, or is no path
                if place := self._tree.page(inner):
                    return place
        return None

    def _wiki(self, file: int, page: str) -> Place | None:
        return self._names.page(page, file) or self._page(file, page)

    def _document(self, file: int, name: str) -> Place | None:
        """Return the document of a name as Sphinx has it: without extension, `/` for the folder of its configuration."""
        path = self._in_project(file, name)
        return None if path is None else self._tree.document(path) or self._tree.file(path)

    def _exact(self, file: int, name: str) -> Place | None:
        path = self._in_project(file, name)
        return None if path is None else self._tree.file(path)

    def _in_project(self, file: int, name: str) -> str | None:
        own = self._repository.paths[file]
        folder = self._tree.root_of(own, "conf.py") if name.startswith("/") else own.rpartition("/")[0]
        return joined(folder, name)

    def _has(self, place: Place, anchor: str | None) -> bool:
        """Say whether a place has an anchor; only documents and lines are judged, of others it is taken on trust."""
        file = place.file
        if anchor is None or file is None or anchor.lower() in _ALWAYS:
            return True
        lines = self._repository.lines[file]
        if lines is None:
            return True
        if found := _LINES.match(anchor):
            if max(int(found[1]), int(found[2] or 1)) <= lines:
                return True
        elif self._repository.languages[file] not in DOCUMENTS:
            return True
        return anchor.removeprefix(_PREFIX).lower() in self._anchors_of(file)

    def _anchors_of(self, file: int) -> frozenset[str]:
        """Return the anchors of a document in small letters: browsers and code hosts find them whatever the case."""
        if file not in self._anchors:
            marks = self._repository.marks.get(file, ())
            self._anchors[file] = frozenset(mark.text.lower() for mark in marks if mark.form == ANCHOR)
        return self._anchors[file]
