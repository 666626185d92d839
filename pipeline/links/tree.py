"""The files of one repository as links see them: which paths there are, and what a written path means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Place", "Tree", "joined"]

_PAGES = (".md", ".mdx", ".markdown", ".rst", ".qmd", ".txt")
"""Extensions that links to pages leave out."""

_FOLDER_PAGES = tuple(
    f"{name}{extension}"
    for extension in (".md", ".mdx", ".rst", ".markdown")
    for name in ("README", "readme", "Readme", "index", "_index")
)
"""What is shown of a folder, the first that is there."""

_BUILT = (".html", ".htm")
"""Extensions of pages that are made of documents."""

_CLOSED = frozenset({"submodule", "symlink", "outside_root"})
"""Reasons of entries below which there may be more than is known."""


class Place(NamedTuple):
    """Where a path leads: to a file by its number, or to a folder, whose path ends with `/`, or to what is not known."""

    path: str
    file: int | None


class Tree:
    """The paths of a repository, in order, with the reasons of those that were skipped."""

    def __init__(self, paths: Sequence[str], reasons: Sequence[str | None]) -> None:
        self.paths = paths
        self._files = {path: number for number, path in enumerate(paths)}
        self._folders = {""}
        for path in paths:
            self._folders.update(_above(path, self._folders))
        slugs = ((path, (reason or "").partition(":")[0]) for path, reason in zip(paths, reasons, strict=True))
        self._closed = frozenset(path for path, slug in slugs if slug in _CLOSED)

    def file(self, path: str) -> Place | None:
        """Return the file of exactly this path."""
        number = self._files.get(path)
        return None if number is None else Place(path, number)

    def page(self, path: str) -> Place | None:
        """Return what a link to `path` shows: a file, the page or listing of a folder, a page named without extension."""
        return self.file(path) or self._folder(path) or self.document(path) or self._built(path) or self._unknown(path)

    def document(self, path: str) -> Place | None:
        """Return the page named `path` without its extension."""
        return next((place for extension in _PAGES if path and (place := self.file(path + extension))), None)

    def root_of(self, path: str, name: str) -> str:
        """Return the nearest folder at or above a file's that has a file of this name; else the root, ''."""
        return next((folder for folder in folders_of(path) if _under(folder, name) in self._files), "")

    def _folder(self, path: str) -> Place | None:
        if path not in self._folders:
            return None
        pages = (self.file(_under(path, name)) for name in _FOLDER_PAGES)
        return next((page for page in pages if page), Place(f"{path or '.'}/", None))

    def _built(self, path: str) -> Place | None:
        stem, dot, extension = path.rpartition(".")
        return self.document(stem) if dot + extension in _BUILT else None

    def _unknown(self, path: str) -> Place | None:
        return Place(path, None) if any(folder in self._closed for folder in folders_of(path)) else None


def joined(folder: str, path: str) -> str | None:
    """Return a path relative to `folder` as one relative to the root, None if it leads out of it or is none at all."""
    if any(char < " " or char == "\x7f" for char in path):
        return None
    parts = folder.split("/") if folder else []
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def folders_of(path: str) -> Iterator[str]:
    """Yield the folders that a path lies in, its own first, the root, '', last."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def _above(path: str, known: set[str]) -> Iterator[str]:
    """Yield the folders of a path up to the first that is known."""
    for folder in folders_of(path):
        if folder in known:
            return
        yield folder


def _under(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name
