"""Open a source: find out what it is, list it, and say how it will be read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...schemas.errors import SourceError, UsageError
from .discovery import find_place
from .disk import Tree
from .git import Place, blobs, git_answer
from .listing import IGNORE_FILE, Found, Selection, entries, outside, printable
from .model import Content, Entry, ListingOptions, Source, SourceRequest
from .plain import read_rules, walk
from .revision import branch_of, list_commit, read_blobs, resolve
from .worktree import list_worktree

__all__ = ["open_source"]

_NAMED = 5
"""Repositories that a note names before it counts the rest."""


def open_source(request: SourceRequest, options: ListingOptions) -> Source:
    """List a source; its files are read later, by `Source.read`.

    Raises UsageError for a revision that is not there and SourceError for a source that cannot be listed.
    """
    try:
        place, note = find_place(request.location), None
    except SourceError as error:
        if request.rev is not None:
            raise
        place, note = None, f"{request.name}: listed as a plain folder, because {error}"
    except OSError as error:
        raise SourceError(f"{request.location} cannot be read ({error.strerror}): check its permissions") from None
    if request.rev is not None and place is None:
        raise UsageError(f"{request.location} is no git repository, so it has no revision {request.rev!r}: leave it out")
    if place is not None and (request.rev is not None or place.work_tree is None):
        return _commit(request, options, place)
    if place is None or _is_ignored(place):
        return _plain(request, options, note)
    return _work_tree(request, options, place)


def _plain(request: SourceRequest, options: ListingOptions, note: str | None) -> Source:
    with _tree(request.location) as tree:
        selection = Selection(request, outside(request.location, options.leave_out))
        kept = [f for f in walk(tree, selection) if selection.keeps(f.path, is_folder=f.folder)]
    return Source(
        name=request.name,
        commit=None,
        branch=None,
        dirty=None,
        entries=entries(kept, options),
        plain=True,
        notes=(note,) if note else (),
        reader=partial(_read_files, request.location, options.max_file_size),
    )


def _work_tree(request: SourceRequest, options: ListingOptions, place: Place) -> Source:
    with _tree(request.location) as tree:
        listed = list_worktree(place, tree, tracked_only=options.tracked_only)
        selection = Selection(request, outside(request.location, options.leave_out))
        selection.read_ignore_files((f.path for f in listed.found), partial(read_rules, tree))
    kept = [f for f in listed.found if selection.keeps(f.path, is_folder=f.folder)]
    commit = resolve(place, "HEAD")
    return Source(
        name=request.name,
        commit=commit,
        branch=branch_of(place, "HEAD"),
        dirty=None if commit is None else listed.staged or any(f.changed for f in kept),
        entries=entries(kept, options),
        notes=tuple(_notes(request.name, kept, listed.submodules)),
        place=place,
        reader=partial(_read_files, request.location, options.max_file_size),
    )


def _commit(request: SourceRequest, options: ListingOptions, place: Place) -> Source:
    rev = "HEAD" if request.rev is None else request.rev
    commit = resolve(place, rev)
    found = list_commit(place, commit) if commit else []
    rules = {f.path: f.oid for f in found if f.oid and f.path.rpartition(b"/")[2] == IGNORE_FILE}
    texts = dict(zip(rules, blobs(place, rules.values()), strict=True)) if rules else {}
    selection = Selection(request)
    selection.read_ignore_files(rules, texts.get)
    kept = [f for f in found if selection.keeps(f.path, is_folder=f.folder)]
    return Source(
        name=request.name,
        commit=commit,
        branch=branch_of(place, rev),
        dirty=False if commit else None,
        entries=entries(kept, options),
        notes=tuple(_notes(request.name, kept, ())),
        place=place,
        reader=partial(read_blobs, place),
    )


def _is_ignored(place: Place) -> bool:
    """Tell whether the folder is one that its repository ignores, such as a download below a home under git."""
    if place.work_tree is None or place.folder == place.work_tree:
        return False
    below = os.path.join(".", os.path.relpath(place.folder, place.work_tree))
    return git_answer(replace(place, folder=place.work_tree), "check-ignore", "-q", "--", below).code == 0


def _read_files(root: Path, limit: int, wanted: Iterable[Entry]) -> Iterator[Content]:
    with _tree(root) as tree:
        for entry in wanted:
            yield Content(entry=entry, data=None, reason=entry.reason) if entry.reason else tree.content(entry, limit)


def _tree(root: Path) -> Tree:
    try:
        return Tree(root)
    except OSError as error:
        raise SourceError(f"{root} cannot be read ({error.strerror}): check its permissions") from None


def _notes(name: str, kept: list[Found], submodules: tuple[bytes, ...]) -> Iterator[str]:
    """Say of every repository inside the source whether its files are indexed."""
    for path in submodules:
        count = sum(f.path.startswith(path + b"/") for f in kept)
        verb = "is" if count == 1 else "are"
        yield f"{name}: {printable(path)} is a submodule, {count} of its files {verb} listed below that path"
    skipped: dict[str, list[str]] = {}
    for found in kept:
        if found.folder and found.reason:
            skipped.setdefault(found.reason, []).append(printable(found.path))
    for reason, paths in sorted(skipped.items()):
        more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
        yield f"{name}: skipped {', '.join(sorted(paths)[:_NAMED])}{more}, {reason}"
