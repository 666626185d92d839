"""Repositories inside a repository: their files count when they are checked out submodules, and it is always said."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from codequarry.pipeline.sources import ListingOptions

from ._repos import Repo, contents, listing, make_repo, reasons


def _with_submodule(tmp_path: Path) -> Repo:
    """Make `main` with the submodule `vendor/sub`, which has the submodule `deep` itself."""
    make_repo(tmp_path / "deep_src", bottom_dot_py="bottom\n")
    inner = make_repo(tmp_path / "sub_src", inner_dot_py="inner\n", _dot_gitignore="*.log\n")
    inner.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", "../deep_src", "deep")
    inner.commit()
    repo = make_repo(tmp_path / "main", ok_dot_py="ok\n")
    add = ("-c", "protocol.file.allow=always", "submodule")
    repo.git(*add, "add", "-q", "../sub_src", "vendor/sub")
    repo.git(*add, "update", "-q", "--init", "--recursive")
    repo.commit()
    return repo


def test_files_of_submodules_are_listed_below_their_path(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
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


def test_a_commit_names_its_submodules(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
    source = listing(repo.root, "HEAD")
    assert reasons(source) == {".gitmodules": None, "ok.py": None, "vendor/sub": "submodule"}
    assert source.notes == ("s: vendor/sub is skipped, submodule: not part of this commit",)


def test_a_changed_submodule_makes_the_source_dirty(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
    repo.write("vendor/sub/inner.py", "other\n")
    assert listing(repo.root).dirty is True


def test_a_submodule_at_another_commit_makes_the_source_dirty(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
    Repo(repo.root / "vendor" / "sub").commit(inner_dot_py="other\n")
    assert listing(repo.root).dirty is True


def test_ignore_files_of_the_outer_source_hold_in_a_submodule(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
    repo.write(".codequarryignore", "deep/\n")
    assert "vendor/sub/deep/bottom.py" not in reasons(listing(repo.root))


def test_only_tracked_files_of_submodules_on_request(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
    repo.write("vendor/sub/new.py")
    assert "vendor/sub/new.py" in reasons(listing(repo.root))
    assert "vendor/sub/new.py" not in reasons(listing(repo.root, options=ListingOptions(tracked_only=True)))


def test_a_submodule_is_a_source_of_its_own(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
    source = listing(repo.root / "vendor" / "sub")
    assert source.commit == Repo(repo.root / "vendor" / "sub").git("rev-parse", "HEAD")
    assert "deep/bottom.py" in reasons(source)


def test_a_submodule_that_is_not_checked_out(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
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
    assert source.notes == ("s: nested is skipped, submodule: not listed in .gitmodules",)
    shutil.rmtree(tmp_path / "nested")
    assert reasons(listing(tmp_path))["nested"] == "submodule"


def test_a_submodule_with_a_damaged_repository(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
    (repo.root / ".git" / "modules" / "vendor" / "sub" / "index").write_bytes(b"broken")
    source = listing(repo.root)
    (entry,) = (e for e in source.entries if e.reason)
    assert entry.path == "vendor/sub"
    assert (entry.reason or "").startswith("submodule: git ls-files failed")


def test_a_submodule_whose_git_directory_lies_outside(tmp_path: Path) -> None:
    """A crafted `.git` file could name any repository of this machine."""
    repo = _with_submodule(tmp_path)
    other = make_repo(tmp_path / "private", secret_dot_py="secret\n")
    (repo.root / "vendor" / "sub" / ".git").write_text(f"gitdir: {other.root}/.git\n")
    source = listing(repo.root)
    assert [(e.path, e.reason) for e in source.entries if e.reason] == [
        ("vendor/sub", "submodule: its git directory lies outside")
    ]


def test_a_submodule_behind_a_link(tmp_path: Path) -> None:
    repo = _with_submodule(tmp_path)
    shutil.move(repo.root / "vendor", tmp_path / "elsewhere")
    os.symlink("../elsewhere", repo.root / "vendor")
    assert reasons(listing(repo.root)) == {
        ".gitmodules": None,
        "ok.py": None,
        "vendor": "outside_root",
        "vendor/sub": "submodule",
    }
