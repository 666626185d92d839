"""Find the repository that a folder belongs to, without asking git: its configuration could answer for another one."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ...schemas.errors import SourceError
from .disk import Tree
from .git import Place, git_answer, lines

__all__ = ["find_place", "registered_submodules", "submodule_place"]

_POINTER_LIMIT = 4096
"""Bytes of a `.git` file: a path and the word `gitdir:`."""


def find_place(location: Path) -> Place | None:
    """Return the repository of a folder: a work tree it is or lies in, or a git directory; None if there is none.

    Raises SourceError for a `.git` that leads nowhere. A repository above the folder counts only when it belongs to the
    user who runs this or to the folder's owner, as anyone may leave one in a shared parent folder.
    """
    location = Path(os.path.realpath(location))
    if os.path.lexists(location / ".git"):
        return _work_tree(location, location)
    if _is_git_dir(location):
        return Place(folder=location, git_dir=location, common_dir=_common_dir(location))
    trusted = {os.getuid(), os.stat(location).st_uid}
    for above in location.parents:
        dot_git = above / ".git"
        if os.path.lexists(dot_git):
            apart = location.is_relative_to(dot_git) or os.lstat(dot_git).st_uid not in trusted
            return None if apart else _work_tree(location, above)
    return None


def registered_submodules(place: Place) -> frozenset[bytes]:
    """Return the paths of `.gitmodules`, relative to the work tree's root."""
    modules = (place.work_tree or place.folder) / ".gitmodules"
    try:
        if not stat.S_ISREG(os.lstat(modules).st_mode):
            return frozenset()
    except OSError:
        return frozenset()
    answer = git_answer(place, "config", "-z", "-f", str(modules), "--get-regexp", r"^submodule\..*\.path$")
    return frozenset(record.partition(b"\n")[2].rstrip(b"/") for record in lines(answer.out))


def submodule_place(place: Place, tree: Tree, path: bytes, below: bytes, *, registered: bool) -> Place:
    """Return where git works on a submodule at `below` in `place`, `path` below the root of `tree`.

    Raises SourceError, with the reason only, when it is not checked out or its git directory lies outside.
    """
    if not registered:
        raise SourceError("not listed in .gitmodules")
    try:
        tree.folder(path)
    except OSError:
        raise SourceError("not checked out") from None
    folder = place.folder / os.fsdecode(below)
    if not os.path.lexists(folder / ".git"):
        raise SourceError("not checked out")
    git_dir = _git_dir(folder / ".git")
    if not any(git_dir.is_relative_to(os.path.realpath(root)) for root in (folder, place.common_dir)):
        raise SourceError("its git directory lies outside")
    return Place(folder=folder, git_dir=git_dir, common_dir=place.common_dir, work_tree=folder)


def _work_tree(folder: Path, root: Path) -> Place:
    git_dir = _git_dir(root / ".git")
    return Place(folder=folder, git_dir=git_dir, common_dir=_common_dir(git_dir), work_tree=root)


def _git_dir(dot_git: Path) -> Path:
    """Follow a `.git`, a folder or a file that names one, to the real git directory."""
    git_dir = dot_git
    if dot_git.is_file():
        pointer = _first_line(dot_git)
        git_dir = dot_git.parent / pointer.removeprefix("gitdir:").strip()
    git_dir = Path(os.path.realpath(git_dir))
    if not _is_git_dir(git_dir):
        raise SourceError(f"{dot_git} leads to no git directory: repair it, or remove it to index a plain folder")
    return git_dir


def _common_dir(git_dir: Path) -> Path:
    """Return where the objects are: for a linked work tree its `commondir` file says it."""
    pointer = git_dir / "commondir"
    return Path(os.path.realpath(git_dir / _first_line(pointer))) if pointer.is_file() else git_dir


def _is_git_dir(folder: Path) -> bool:
    """Tell a git directory as git does: HEAD and, there or in the common directory, objects and refs."""
    if not os.path.lexists(folder / "HEAD"):
        return False
    common = _common_dir(folder)
    return (common / "objects").is_dir() and (common / "refs").is_dir()


def _first_line(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return os.fsdecode(file.read(_POINTER_LIMIT).split(b"\n", 1)[0])
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error.strerror}): check its permissions") from None
