"""Repositories inside a repository: their files count when they are checked out submodules, and it is always said."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from codequarry.pipeline.sources import ListingOptions

from ._repos import Repo, contents, listing, make_repo, reasons


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make `main` with the submodule `vendor/sub`, which has the submodule `deep` itself."""
    root = tmp_path_factory.mktemp("template")
    make_repo(root / "deep_src", bottom_dot_py="bottom\n")
    inner = make_repo(root / "sub_src", inner_dot_py="inner\n", _dot_gitignore="*.log\n")
    inner.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "../deep_src", "deep")
    inner.commit()
    repo = make_repo(root / "main", ok_dot_py="ok\n")
    add = ("-c", "protocol.file.allow=always", "submodule")
    repo.git(*add, "add", "-q", "../sub_src", "vendor/sub")
    repo.git(*add, "update", "-q", "--init", "--recursive")
    repo.commit()
    return root / "main"


@pytest.fixture
def repo(template: Path, tmp_path: Path) -> Repo:
    return Repo(shutil.copytree(template, tmp_path / "main", symlinks=True))


def test_files_of_submodules_are_listed_below_their_path(repo: Repo) -> None:
    repo.write("vendor/sub/x.log")
    source = listing(repo.root)
    assert reasons(source) == {
        ".gitmodules": None,
        "ok.py": None,
        "vendor/sub/.gitignore": None,
        "vendor/sub/.gitmodules": None,
        "vendor/sub/deep/bottom.py": None,
        "vendor/sub/inner.py": None,
    }
    assert contents(source)["vendor/sub/deep/bottom.py"] == b"bottom\n"
    assert source.dirty is False
    assert all(e.blob for e in source.entries)
    assert source.notes == (
        "s: vendor/sub is a submodule, 4 of its files are listed below that path",
        "s: vendor/sub/deep is a submodule, 1 of its files is listed below that path",
    )


def test_a_commit_names_its_submodules(repo: Repo) -> None:
    source = listing(repo.root, "HEAD")
    assert reasons(source) == {".gitmodules": None, "ok.py": None, "vendor/sub": "submodule"}
    assert source.notes == ("s: skipped vendor/sub, submodule: not part of this commit",)


def test_a_changed_submodule_makes_the_source_dirty(repo: Repo) -> None:
    repo.write("vendor/sub/inner.py", "other\n")
    assert listing(repo.root).dirty is True


def test_a_submodule_at_another_commit_makes_the_source_dirty(repo: Repo) -> None:
    Repo(repo.root / "vendor" / "sub").commit(inner_dot_py="other\n")
    assert listing(repo.root).dirty is True


def test_ignore_files_of_the_outer_source_hold_in_a_submodule(repo: Repo) -> None:
    repo.write(".codequarryignore", "deep/\n")
    assert "vendor/sub/deep/bottom.py" not in reasons(listing(repo.root))


def test_only_tracked_files_of_submodules_on_request(repo: Repo) -> None:
    repo.write("vendor/sub/new.py")
    assert "vendor/sub/new.py" in reasons(listing(repo.root))
    assert "vendor/sub/new.py" not in reasons(listing(repo.root, options=ListingOptions(tracked_only=True)))


def test_a_submodule_is_a_source_of_its_own(repo: Repo) -> None:
    source = listing(repo.root / "vendor" / "sub")
    assert source.commit == Repo(repo.root / "vendor" / "sub").git("rev-parse", "HEAD")
    assert "deep/bottom.py" in reasons(source)


def test_a_submodule_that_is_not_checked_out(repo: Repo) -> None:
    repo.git("submodule", "deinit", "-q", "-f", "vendor/sub")
    source = listing(repo.root)
    assert [(e.path, e.reason) for e in source.entries if e.reason] == [("vendor/sub", "submodule: not checked out")]
    assert source.dirty is False
    (repo.root / "vendor" / "sub").rmdir()
    assert reasons(listing(repo.root))["vendor/sub"] == "submodule"


def test_a_gitlink_without_gitmodules(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, ok="1\n")
    make_repo(tmp_path / "nested", n_dot_py="1\n")
    repo.git("-c", "advice.addEmbeddedRepo=false", "add", "nested")
    repo.commit()
    source = listing(tmp_path)
    assert [(e.path, e.reason) for e in source.entries if e.reason] == [("nested", "submodule: not listed in .gitmodules")]
    assert source.notes == ("s: skipped nested, submodule: not listed in .gitmodules",)
    shutil.rmtree(tmp_path / "nested")
    assert reasons(listing(tmp_path))["nested"] == "submodule"


def test_a_submodule_with_a_damaged_repository(repo: Repo) -> None:
    (repo.root / ".git" / "modules" / "vendor" / "sub" / "index").write_bytes(b"broken")
    source = listing(repo.root)
    (entry,) = (e for e in source.entries if e.reason)
    assert entry.path == "vendor/sub"
    assert (entry.reason or "").startswith("submodule: git ls-files failed")


def test_a_submodule_whose_git_directory_lies_outside(repo: Repo, tmp_path: Path) -> None:
    """A crafted `.git` file could name any repository of this machine."""
    other = make_repo(tmp_path / "private", secret_dot_py="secret\n")
    (repo.root / "vendor" / "sub" / ".git").write_text(f"gitdir: {other.root}/.git\n")
    source = listing(repo.root)
    assert [(e.path, e.reason) for e in source.entries if e.reason] == [
        ("vendor/sub", "submodule: its git directory lies outside")
    ]


def test_a_submodule_behind_a_link(repo: Repo, tmp_path: Path) -> None:
    shutil.move(repo.root / "vendor", tmp_path / "elsewhere")
    os.symlink("../elsewhere", repo.root / "vendor")
    assert reasons(listing(repo.root)) == {
        ".gitmodules": None,
        "ok.py": None,
        "vendor": "outside_root",
        "vendor/sub": "submodule",
    }


def test_a_note_names_a_few_of_many(tmp_path: Path) -> None:
    make_repo(tmp_path, a="1\n")
    for i in range(8):
        make_repo(tmp_path / f"r{i}")
    assert listing(tmp_path).notes == (
        "s: skipped r0, r1, r2, r3, r4 and 3 more, submodule: a repository of its own, not tracked",
    )
