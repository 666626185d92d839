"""Commits without a work tree: bare repositories and PATH@REV."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from codequarry.pipeline.sources.disk import blob_digest
from codequarry.schemas.errors import UsageError

from ._repos import Repo, contents, listing, make_repo, reasons


def _bare(tmp_path: Path) -> tuple[Repo, Repo]:
    repo = make_repo(tmp_path / "work", a="1\n", b__c="22\n")
    repo.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    return repo, Repo(tmp_path / "bare.git")


def test_a_bare_repository_is_read_at_its_head(tmp_path: Path) -> None:
    repo, bare = _bare(tmp_path)
    source = listing(bare.root)
    assert (source.commit, source.branch, source.dirty) == (repo.git("rev-parse", "HEAD"), "main", False)
    assert contents(source) == {"a": b"1\n", "b/c": b"22\n"}
    assert [(e.size, e.blob) for e in source.entries] == [(2, blob_digest(b"1\n")), (3, blob_digest(b"22\n"))]
    assert [c.blob for c in source.read(source.entries)] == [e.blob for e in source.entries]


def test_the_git_directory_of_a_work_tree_is_read_as_a_bare_one(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    repo.write("a", "changed\n")
    assert contents(listing(tmp_path / ".git")) == {"a": b"1\n"}


def test_an_empty_bare_repository(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    repo.git("init", "-q", "--bare", "../bare")
    source = listing(tmp_path / "bare")
    assert (source.commit, source.dirty, source.entries) == (None, None, ())


def test_a_revision_of_a_work_tree_ignores_its_state(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    first = repo.git("rev-parse", "HEAD")
    repo.git("tag", "-a", "v1", "-m", "first")
    second = repo.commit(a="2\n")
    repo.git("branch", "topic")
    repo.write("a", "3\n")
    repo.write("untracked")
    for rev, data, commit, branch in [
        ("HEAD", b"2\n", second, "main"),
        ("topic", b"2\n", second, "topic"),
        ("HEAD~1", b"1\n", first, None),
        ("v1", b"1\n", first, None),
        (first[:10], b"1\n", first, None),
    ]:
        source = listing(tmp_path, rev)
        assert contents(source) == {"a": data}
        assert (source.commit, source.branch, source.dirty) == (commit, branch, False)


@pytest.mark.parametrize(
    "rev",
    ["nothing", "--all", "-h", "--output=x", "HEAD:a", "HEAD..HEAD", "^HEAD", "", "a\nb", "HEAD^{tree}", "--", "@{-9}"],
)
def test_an_unknown_revision_is_one_sentence(tmp_path: Path, rev: str) -> None:
    make_repo(tmp_path, a="1\n")
    with pytest.raises(UsageError, match="has no revision"):
        listing(tmp_path, rev)
    assert sorted(os.listdir(tmp_path)) == [".git", "a"]


def test_a_plain_folder_has_no_revisions(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no git repository, so it has no revision 'HEAD'"):
        listing(tmp_path, "HEAD")


def test_no_commit_yet_has_no_head_to_name(tmp_path: Path) -> None:
    make_repo(tmp_path)
    with pytest.raises(UsageError, match="has no revision 'main'"):
        listing(tmp_path, "main")


def test_ignore_files_and_globs_hold_for_a_commit(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, _dot_codequarryignore="*.md\n", a_dot_md="", b_dot_py="", sub__c_dot_md="", sub__d_dot_py="")
    repo.commit(sub___dot_codequarryignore="!c.md\n")
    assert list(reasons(listing(tmp_path, "HEAD"))) == [
        ".codequarryignore",
        "b.py",
        "sub/.codequarryignore",
        "sub/c.md",
        "sub/d.py",
    ]
    assert list(reasons(listing(tmp_path, "HEAD", include=("sub",), exclude=("*.py", ".*")))) == ["sub/c.md"]


def test_a_missing_object_is_said(tmp_path: Path) -> None:
    repo, bare = _bare(tmp_path)
    oid = repo.git("rev-parse", "HEAD:a")
    (bare.root / "objects" / oid[:2] / oid[2:]).unlink()
    source = listing(bare.root)
    assert contents(source)["a"] == "missing: its object is not in this repository"
    assert contents(source)["b/c"] == b"22\n"


def test_many_large_and_small_files_in_order(tmp_path: Path) -> None:
    """Enough objects and bytes to fill every pipe many times over."""
    repo = make_repo(tmp_path)
    wanted = {f"d{i % 7}/f{i}": bytes([i % 256]) * (300_000 if i % 40 == 0 else i) for i in range(1200)}
    for path, data in wanted.items():
        repo.write(path, data)
    repo.commit()
    source = listing(tmp_path, "HEAD")
    assert contents(source) == wanted
    assert [c.entry.path for c in source.read(source.entries)] == sorted(wanted)


def test_a_reader_may_stop_early(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    for i in range(300):
        repo.write(f"f{i}", f"{i}\n" * 5000)
    repo.commit()
    source = listing(tmp_path, "HEAD")
    reading = iter(source.read(source.entries))
    assert next(reading).data == b"0\n" * 5000
    del reading
    assert len(contents(source)) == 300


def test_entries_are_read_in_the_order_asked(tmp_path: Path) -> None:
    make_repo(tmp_path, a="1\n", b="2\n", c="3\n")
    for rev in (None, "HEAD"):
        source = listing(tmp_path, rev)
        wanted = [source.entries[i] for i in (2, 0, 1, 2)]
        assert [c.data for c in source.read(wanted)] == [b"3\n", b"1\n", b"2\n", b"3\n"]
