"""A hostile repository runs nothing and reads nothing outside itself.

Each test plants programs wherever git's documentation says that one is run, all of which leave a mark, does everything
that codequarry does with a source, and looks for the mark. A first test shows that the marks do appear when git is
called without care.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from codequarry.schemas.errors import SourceError, UsageError

from ._repos import ENVIRONMENT, Repo, contents, listing, make_repo, reasons

_COMMAND_SETTINGS = """
[core]
    fsmonitor = {run}
    hooksPath = {hooks}
    pager = {run}
    editor = {run}
    sshCommand = {run}
    askPass = {run}
    gitProxy = {run}
    alternateRefsCommand = {run}
    attributesFile = {attributes}
[alias]
    ls-files = !{run}
    ls-tree = !{run}
    rev-parse = !{run}
    cat-file = !{run}
[pager]
    ls-files = {run}
    ls-tree = {run}
    config = {run}
[filter "evil"]
    clean = {run}
    smudge = {run}
    process = {run}
    required = true
[diff]
    external = {run}
[diff "evil"]
    command = {run}
    textconv = {run}
[merge "evil"]
    driver = {run}
[submodule "sub"]
    update = !{run}
    url = ext::{run}
[credential]
    helper = !{run}
[gpg]
    program = {run}
[uploadpack]
    packObjectsHook = {run}
[protocol]
    allow = always
[protocol "ext"]
    allow = always
[trace2]
    eventTarget = {mark}
"""
_HOOKS = ("post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc", "fsmonitor-watchman")


class Trap:
    """A program that leaves a mark, and a repository that has it everywhere."""

    def __init__(self, folder: Path) -> None:
        self.mark = folder / "mark"
        self.run = self.program(folder / "run.sh")
        self.repo = make_repo(folder / "r", a_dot_py="a\n", b_dot_py="b\n", d__c_dot_py="c\n")
        self._plant(folder)

    def program(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho $0 $* >> {self.mark}\nexit 0\n")
        path.chmod(0o755)
        return path

    def _plant(self, folder: Path) -> None:
        for hook in _HOOKS:
            self.program(folder / "hooks" / hook)
            self.program(self.repo.root / ".git" / "hooks" / hook)
        attributes = folder / "attributes"
        attributes.write_text("* filter=evil diff=evil merge=evil\n")
        self.repo.write(".gitattributes", attributes.read_text())
        settings = _COMMAND_SETTINGS.format(run=self.run, hooks=folder / "hooks", attributes=attributes, mark=self.mark)
        (folder / "included").write_text(settings)
        with open(self.repo.root / ".git" / "config", "a") as config:
            config.write(f"[include]\n    path = {folder}/included\n{settings}")
        self.repo.write("a.py", "z\n")  # of the same size: git would have to run the filter to tell
        (self.repo.root / "b.py").touch()
        self.repo.write("new.py")

    def sprung(self) -> str:
        return self.mark.read_text() if self.mark.exists() else ""


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def _use(location: Path) -> None:
    """Do all that codequarry does with a source."""
    for rev in (None, "HEAD"):
        contents(listing(location, rev))


@pytest.mark.parametrize(
    "arguments", [("status",), ("ls-files", "-o"), ("ls-files", "-m"), ("diff-files", "-p"), ("diff", "--stat")]
)
def test_the_trap_springs_when_git_is_called_without_care(trap: Trap, arguments: tuple[str, ...]) -> None:
    subprocess.run(["git", "-C", str(trap.repo.root), *arguments], env=os.environ | ENVIRONMENT, capture_output=True)
    assert trap.sprung()


def test_settings_run_nothing(trap: Trap) -> None:
    _use(trap.repo.root)
    assert not trap.sprung()
    source = listing(trap.repo.root)
    assert list(reasons(source)) == [".gitattributes", "a.py", "b.py", "d/c.py", "new.py"]
    assert source.dirty is True


def test_settings_of_a_subfolder_of_a_bare_clone_and_of_an_ignored_folder_run_nothing(trap: Trap, tmp_path: Path) -> None:
    trap.repo.write(".gitignore", "ignored/\n")
    trap.repo.write("ignored/x.py")
    _use(trap.repo.root / "d")
    listing(trap.repo.root / "ignored")
    bare = trap.repo.root.parent / "bare"
    os.rename(trap.repo.root / ".git", bare)
    with open(bare / "config", "a") as config:
        config.write("[core]\n    bare = true\n")
    _use(bare)
    assert not trap.sprung()


def test_settings_of_a_submodule_run_nothing(trap: Trap, tmp_path: Path) -> None:
    outer = make_repo(tmp_path / "outer", a="1\n")
    os.rename(trap.repo.root, outer.root / "sub")
    outer.write(".gitmodules", f'[submodule "sub"]\n    path = sub\n    url = ext::{trap.run}\n    update = !{trap.run}\n')
    head = (outer.root / "sub" / ".git" / "refs" / "heads" / "main").read_text().strip()
    outer.git("update-index", "--add", "--cacheinfo", f"160000,{head},sub")
    outer.git("add", ".gitmodules")
    outer.git("commit", "-qm", "two")
    assert not trap.sprung()
    _use(outer.root)
    assert not trap.sprung()
    assert "sub/d/c.py" in reasons(listing(outer.root))


def test_inherited_variables_do_nothing(trap: Trap, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = make_repo(tmp_path / "other", other="1\n")
    for name, value in {
        "GIT_DIR": other.root / ".git",
        "GIT_WORK_TREE": other.root,
        "GIT_INDEX_FILE": other.root / ".git" / "index",
        "GIT_OBJECT_DIRECTORY": other.root / ".git" / "objects",
        "GIT_EXTERNAL_DIFF": trap.run,
        "GIT_PAGER": trap.run,
        "GIT_SSH_COMMAND": trap.run,
        "GIT_ASKPASS": trap.run,
        "GIT_TRACE": trap.mark,
        "GIT_TRACE2": trap.mark,
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.fsmonitor",
        "GIT_CONFIG_VALUE_0": trap.run,
        "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor={trap.run}'",
        "GIT_EXEC_PATH": tmp_path,
    }.items():
        monkeypatch.setenv(name, str(value))
    source = listing(trap.repo.root)
    assert "a.py" in reasons(source)
    contents(source)
    assert not trap.sprung()


def test_missing_objects_are_not_fetched(trap: Trap) -> None:
    """A partial clone fetches what is missing, by whatever transport its configuration names."""
    oid = trap.repo.git("-c", "core.fsmonitor=false", "rev-parse", "HEAD:b.py")
    trap.repo.git("config", "core.repositoryFormatVersion", "1")
    trap.repo.git("config", "extensions.partialClone", "origin")
    trap.repo.git("config", "remote.origin.promisor", "true")
    trap.repo.git("config", "remote.origin.url", f"ext::{trap.run} %S")
    trap.repo.git("config", "remote.origin.uploadpack", str(trap.run))
    (trap.repo.root / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    trap.mark.unlink(missing_ok=True)
    assert contents(listing(trap.repo.root, "HEAD"))["b.py"] == "missing: its object is not in this repository"
    assert contents(listing(trap.repo.root))["b.py"] == b"b\n"
    assert not trap.sprung()


@pytest.mark.parametrize("rev", ["--upload-pack=x", "--exec={run}", "-c core.pager={run}", "--help", "--git-dir=/"])
def test_a_revision_is_never_an_option(trap: Trap, rev: str) -> None:
    with pytest.raises(UsageError, match="has no revision"):
        listing(trap.repo.root, rev.format(run=trap.run))
    assert not trap.sprung()


def test_a_work_tree_setting_does_not_lead_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "diary.txt").write_text("mine\n")
    repo = make_repo(tmp_path / "r", a="1\n")
    repo.git("config", "core.worktree", str(tmp_path / "private"))
    assert contents(listing(repo.root)) == {"a": b"1\n"}


def test_links_in_the_tree_are_not_followed_while_reading(tmp_path: Path) -> None:
    """What was a file or folder when it was listed may be a link when it is read."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "a.py").write_text("mine\n")
    for number, root in enumerate((make_repo(tmp_path / "r", d__a_dot_py="1\n", e="2\n").root, tmp_path / "plain")):
        if number:
            Repo(root).write("d/a.py")
            Repo(root).write("e")
        source = listing(root)
        os.rename(root / "d", root / "was_d")
        os.symlink(tmp_path / "private", root / "d")
        (root / "e").unlink()
        os.symlink(tmp_path / "private" / "a.py", root / "e")
        assert contents(source) == {"d/a.py": "missing", "e": "changed"}


def test_an_ignore_file_may_not_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "private").write_text("*\n")
    repo = make_repo(tmp_path / "r", a="1\n")
    os.symlink("../private", repo.root / ".codequarryignore")
    assert reasons(listing(repo.root)) == {".codequarryignore": "outside_root", "a": None}


def test_gitmodules_may_not_be_a_link(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", a="1\n")
    make_repo(repo.root / "sub", b="1\n")
    repo.git("-c", "advice.addEmbeddedRepo=false", "add", "sub")
    (tmp_path / "modules").write_text('[submodule "sub"]\n    path = sub\n')
    os.symlink("../modules", repo.root / ".gitmodules")
    assert reasons(listing(repo.root))["sub"] == "submodule"


def test_settings_that_git_cannot_read_are_one_sentence(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    (tmp_path / ".git" / "config").write_text("[core\n")
    with pytest.raises(SourceError, match=r"git \S+ failed in .*bad config"):
        listing(repo.root)


@pytest.mark.parametrize("above", ["home", "home/shared"])
@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_a_repository_of_a_stranger_above_the_folder_is_not_used(tmp_path: Path, above: str) -> None:
    stranger = make_repo(tmp_path / above, _dot_gitignore="*\n")
    folder = tmp_path / "home" / "shared" / "mine"
    Repo(folder).write("a.py")
    os.chown(stranger.root / ".git", 12345, 12345)
    assert reasons(listing(folder)) == {"a.py": None}
