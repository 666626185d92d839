"""Names that lead to a document wherever it lies: labels of reStructuredText, pages of a wiki."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile

from ._rst import identifier
from .marks import ANCHOR, LABEL, Mark
from .tree import Place, Tree

__all__ = ["Names"]

_DOCUMENT = re.compile(r"\.(?:md|mdx|markdown|rst|qmd|txt)\Z")
_SPACES = re.compile(r"[\s_-]+")


class Names:
    """The names of one repository; of several documents with one name the nearest is meant. Tables are made on demand."""

    def __init__(self, tree: Tree, marks: Mapping[int, Sequence[Mark]]) -> None:
        self._tree = tree
        self._marks = marks
        self._labels: dict[str, list[int]] | None = None
        self._titles: dict[str, list[int]] | None = None
        self._pages: dict[str, list[int]] | None = None

    def labelled(self, label: str, file: int) -> int | None:
        """Return the document with a label, or else with a title, as `sphinx.ext.autosectionlabel` has it."""
        if self._labels is None:
            self._labels = self._by_mark(LABEL)
        if label in self._labels:
            return self._nearest(self._labels[label], file)
        if self._titles is None:
            self._titles = self._by_mark(ANCHOR)
        titled = [number for number in self._titles.get(identifier(label), ()) if self._tree.paths[number].endswith(".rst")]
        return self._nearest(titled, file)

    def page(self, name: str, file: int) -> Place | None:
        """Return the page of a wiki: its name without folder and extension, or the end of its path; case and blanks aside."""
        if self._pages is None:
            self._pages = {}
            for number, path in enumerate(self._tree.paths):
                if _DOCUMENT.search(path):
                    self._pages.setdefault(_page_name(path.rpartition("/")[2]), []).append(number)
        wanted = f"/{_page_name(name.strip('/'))}"
        paths = self._tree.paths
        found = self._pages.get(wanted.rpartition("/")[2], [])
        nearest = self._nearest([n for n in found if f"/{_page_name(paths[n])}".endswith(wanted)], file)
        return None if nearest is None else Place(paths[nearest], nearest)

    def _by_mark(self, form: str) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number in sorted(self._marks):
            for text in dict.fromkeys(mark.text for mark in self._marks[number] if mark.form == form):
                found.setdefault(text, []).append(number)
        return found

    def _nearest(self, numbers: Sequence[int], file: int) -> int | None:
        """Return the number whose path shares most folders with the file's, and of those the shortest, then the first."""
        if not numbers:
            return None
        own = self._tree.paths[file].split("/")[:-1]

        def distance(number: int) -> tuple[int, int, int]:
            folders = self._tree.paths[number].split("/")[:-1]
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(own, folders, strict=False)))
            return -shared, len(folders), number

        return min(numbers, key=distance)


def _page_name(path: str) -> str:
    return _SPACES.sub("-", _DOCUMENT.sub("", path)).lower()
