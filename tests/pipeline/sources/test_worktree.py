"""Git work trees: what is listed, in which state, and what the blobs say."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from codequarry.pipeline.sources import ListingOptions
from codequarry.pipeline.sources.disk import blob_digest

from ._repos import contents, listing, make_repo, reasons


def test_tracked_untracked_and_ignored_files(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n", b__c="2\n", _dot_gitignore="*.log\nbuild/\n")
    repo.write("new.py")
    repo.write("x.log")
    repo.write("build/x.py")
    source = listing(tmp_path)
    assert list(reasons(source)) == [".gitignore", "a", "b/c", "new.py"]
    assert contents(source)["b/c"] == b"2\n"


def test_only_tracked_files_on_request(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    repo.write("new.py")
    source = listing(tmp_path, options=ListingOptions(tracked_only=True))
    assert list(reasons(source)) == ["a"]
    assert source.dirty is False


def test_a_committed_file_counts_though_a_pattern_ignores_it(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, _dot_gitignore="config/\n")
    repo.write("config/kept.py")
    repo.git("add", "-f", "config/kept.py")
    repo.write("config/other.py")
    assert list(reasons(listing(tmp_path))) == [".gitignore", "config/kept.py"]


def test_commit_branch_and_clean_state(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    source = listing(tmp_path)
    assert (source.commit, source.branch, source.dirty) == (repo.git("rev-parse", "HEAD"), "main", False)
    repo.git("checkout", "-q", "--detach")
    assert listing(tmp_path).branch is None


def test_a_branch_name_may_hold_slashes(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    repo.git("checkout", "-q", "-b", "feature/é-x")
    assert listing(tmp_path).branch == "feature/é-x"


def test_without_commits_commit_and_dirty_are_unknown(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    repo.write("a.py")
    source = listing(tmp_path)
    assert list(reasons(source)) == ["a.py"]
    assert (source.commit, source.branch, source.dirty) == (None, "main", None)


def test_an_empty_repository_has_no_entries(tmp_path: Path) -> None:
    assert listing(make_repo(tmp_path).root).entries == ()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("modified", lambda r: r.write("a", "other\n")),
        ("of the same size", lambda r: r.write("a", "2\n")),
        ("staged", lambda r: (r.write("a", "2\n"), r.git("add", "a"))),
        ("removed", lambda r: (r.root / "a").unlink()),
        ("removed and staged", lambda r: r.git("rm", "-q", "a")),
        ("untracked", lambda r: r.write("new")),
        ("renamed", lambda r: r.git("mv", "a", "b")),
        ("swapped for a folder", lambda r: ((r.root / "a").unlink(), r.write("a/b"))),
        ("intended to be added", lambda r: (r.write("new"), r.git("add", "-N", "new"))),
    ],
)
def test_dirty_when_the_files_differ_from_the_commit(tmp_path: Path, name: str, change: object) -> None:
    repo = make_repo(tmp_path, a="1\n", other="x\n")
    assert listing(tmp_path).dirty is False
    assert callable(change)
    change(repo)
    assert listing(tmp_path).dirty is True, name


def test_files_out_of_the_selection_do_not_make_it_dirty(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n", _dot_codequarryignore="notes/\n")
    repo.write("notes/n.md")
    assert listing(tmp_path).dirty is False


def test_a_copy_is_as_clean_as_its_original(tmp_path: Path) -> None:
    """A copy has new inodes and times, so only the bytes can tell; the state must not depend on the root path."""
    repo = make_repo(tmp_path / "a", a="1\n", b="2\n")
    os.symlink("a", repo.root / "link")
    repo.commit()
    shutil.copytree(repo.root, tmp_path / "b", symlinks=True)
    (tmp_path / "b" / "a").touch()
    one, two = listing(tmp_path / "a"), listing(tmp_path / "b")
    assert one.dirty is two.dirty is False
    assert [(e.path, e.blob, e.reason) for e in one.entries] == [(e.path, e.blob, e.reason) for e in two.entries]


def test_the_blob_of_a_clean_file_is_known_without_reading(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n", b="2\n")
    repo.write("b", "3\n")
    repo.write("c", "4\n")
    source = listing(tmp_path)
    assert {e.path: e.blob for e in source.entries} == {"a": blob_digest(b"1\n"), "b": None, "c": None}
    assert {c.entry.path: c.blob for c in source.read(source.entries)} == {
        "a": blob_digest(b"1\n"),
        "b": blob_digest(b"3\n"),
        "c": blob_digest(b"4\n"),
    }
    assert blob_digest(b"1\n") == repo.git("rev-parse", "HEAD:a")


def test_a_file_whose_line_ends_git_converts_has_no_known_blob_and_is_clean(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "a", a="1\n2\n", _dot_gitattributes="a text eol=crlf\n")
    (repo.root / "a").unlink()
    repo.git("checkout", "-q", "--", "a")
    for root in (repo.root, shutil.copytree(repo.root, tmp_path / "b")):
        source = listing(root)
        (entry,) = (e for e in source.entries if e.path == "a")
        assert (entry.blob, source.dirty) == (None, False)
        assert contents(source)["a"] == b"1\r\n2\r\n"


def test_a_file_that_a_filter_may_have_changed_has_no_known_blob(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, _dot_gitattributes="*.x filter=swap\n")
    repo.git("config", "filter.swap.clean", "tr ab ba")
    repo.git("config", "filter.swap.smudge", "tr ab ba")
    repo.commit(f_dot_x="aabb\n")
    source = listing(tmp_path)
    assert [e.blob for e in source.entries] == [None, None]
    (content,) = (c for c in source.read(source.entries) if c.entry.path == "f.x")
    assert (content.data, content.blob) == (b"aabb\n", blob_digest(b"aabb\n"))


def test_unmerged_paths_are_listed_once(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="base\n")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit(a="side\n")
    repo.git("checkout", "-q", "main")
    repo.commit(a="main\n")
    with pytest.raises(AssertionError):
        repo.git("merge", "-q", "side")
    source = listing(tmp_path)
    assert [(e.path, e.reason, e.blob) for e in source.entries] == [("a", None, None)]
    assert source.dirty is True
    assert "<<<<<<<" in str(contents(source)["a"])


def test_a_stale_index_lock_does_not_matter(tmp_path: Path) -> None:
    make_repo(tmp_path, a="1\n")
    (tmp_path / ".git" / "index.lock").touch()
    assert list(reasons(listing(tmp_path))) == ["a"]


def test_links_and_odd_files_are_named_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "s.py").write_text("password = 1\n")
    repo = make_repo(tmp_path / "r", real="x\n")
    for name, target in {
        "inside": "real",
        "up": "../secret/s.py",
        "folder": "../secret",
        "absolute": "/etc/passwd",
        "dangling": "nothing",
        "loop": "loop",
        "sub/inner": "../real",
        "sub/outer": "../../real",
    }.items():
        (repo.root / name).parent.mkdir(exist_ok=True)
        os.symlink(target, repo.root / name)
    repo.commit()
    expected = {
        "absolute": "outside_root",
        "dangling": "symlink",
        "folder": "outside_root",
        "inside": "symlink",
        "loop": "symlink",
        "real": None,
        "sub/inner": "symlink",
        "sub/outer": "outside_root",
        "up": "outside_root",
    }
    assert reasons(listing(repo.root)) == expected
    assert reasons(listing(repo.root, "HEAD")) == expected


def test_a_folder_swapped_for_a_link_does_not_lead_outside(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "a.py").write_text("stolen\n")
    repo = make_repo(tmp_path / "r", d__a_dot_py="mine\n")
    shutil.rmtree(repo.root / "d")
    os.symlink("../outside", repo.root / "d")
    assert reasons(listing(repo.root)) == {"d": "outside_root", "d/a.py": "missing"}


def test_a_tracked_file_that_became_a_fifo_is_not_read(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    (repo.root / "a").unlink()
    os.mkfifo(repo.root / "a")
    assert reasons(listing(tmp_path)) == {"a": "not_regular"}


def test_large_files_are_skipped_unread(tmp_path: Path) -> None:
    make_repo(tmp_path, a=b"x" * 11, b=b"x" * 10)
    options = ListingOptions(max_file_size=10)
    for rev in (None, "HEAD"):
        source = listing(tmp_path, rev, options=options)
        assert reasons(source) == {"a": "too_large", "b": None}
        assert [e.size for e in source.entries] == [11, 10]


def test_secrets_by_name_unless_allowed(tmp_path: Path) -> None:
    make_repo(tmp_path, _dot_env="A=1\n", _dot_env_dot_example="A=\n", id_rsa="x\n")
    assert reasons(listing(tmp_path)) == {".env": "secret", ".env.example": None, "id_rsa": "secret"}
    allowed = listing(tmp_path, options=ListingOptions(allow_secrets=True))
    assert set(reasons(allowed).values()) == {None}


def test_vendored_files_are_listed_and_flagged(tmp_path: Path) -> None:
    make_repo(tmp_path, vendor__a_dot_go="x\n", node_modules__p__i_dot_js="x\n", src__a_dot_go="x\n")
    assert {e.path: e.vendored for e in listing(tmp_path).entries} == {
        "node_modules/p/i.js": True,
        "src/a.go": False,
        "vendor/a.go": True,
    }


def test_sparse_files_are_not_checked_out(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, inside__a="1\n", outside__b="2\n")
    repo.git("sparse-checkout", "set", "inside")
    source = listing(tmp_path)
    assert reasons(source) == {"inside/a": None, "outside/b": "not_checked_out"}
    assert source.dirty is False


def test_a_sparse_index_is_listed_in_full(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, inside__a="1\n", outside__deep__b="2\n")
    repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "inside")
    assert reasons(listing(tmp_path)) == {"inside/a": None, "outside/deep/b": "not_checked_out"}


def test_a_shallow_detached_clone(tmp_path: Path) -> None:
    origin = make_repo(tmp_path / "main", a="1\n")
    origin.commit(a="2\n")
    origin.git("clone", "-q", "--depth", "1", f"file://{origin.root}", str(tmp_path / "ci"))
    clone = type(origin)(tmp_path / "ci")
    clone.git("checkout", "-q", "--detach")
    source = listing(clone.root)
    assert (source.commit, source.branch, source.dirty) == (origin.git("rev-parse", "HEAD"), None, False)
    assert contents(source) == {"a": b"2\n"}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")
def test_a_repository_of_another_user(tmp_path: Path) -> None:
    make_repo(tmp_path / "r", a="1\n")
    for path in [tmp_path / "r", *(tmp_path / "r").rglob("*")]:
        os.chown(path, 12345, 12345)
    source = listing(tmp_path / "r")
    assert (list(reasons(source)), source.branch, source.dirty) == (["a"], "main", False)


def test_a_linked_work_tree_has_its_own_commit_and_branch(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "main", a="1\n")
    repo.git("worktree", "add", "-q", "-b", "feat", "../wt")
    linked = type(repo)(tmp_path / "wt")
    commit = linked.commit(only="2\n")
    source = listing(linked.root)
    assert (source.commit, source.branch, source.dirty) == (commit, "feat", False)
    assert list(reasons(source)) == ["a", "only"]
    assert listing(repo.root).commit != commit


def test_a_linked_work_tree_below_the_root_is_not_indexed_twice(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    repo.git("worktree", "add", "-q", "-b", "agent", "trees/agent")
    source = listing(tmp_path)
    assert reasons(source) == {"a": None, "trees/agent": "submodule"}
    assert any("trees/agent" in note for note in source.notes)


def test_an_untracked_repository_is_one_path_and_said(tmp_path: Path) -> None:
    make_repo(tmp_path, a="1\n")
    make_repo(tmp_path / "loose").write("l.py")
    make_repo(tmp_path / "deep" / "full", f="1\n")
    source = listing(tmp_path)
    assert reasons(source) == {"a": None, "deep/full": "submodule", "loose": "submodule"}
    assert [note for note in source.notes if "loose" in note]


def test_a_subfolder_is_listed_by_itself(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, src__a="1\n", src__deep__b="2\n", other__c="3\n", _dot_gitignore="*.log\n")
    repo.write("src/x.log")
    repo.write("other/changed")
    source = listing(tmp_path / "src")
    assert list(reasons(source)) == ["a", "deep/b"]
    assert (source.branch, source.dirty) == ("main", False)
    assert contents(listing(tmp_path / "src", "HEAD")) == {"a": b"1\n", "deep/b": b"2\n"}


def test_a_folder_that_its_repository_ignores_is_a_plain_folder(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, _dot_gitignore="downloads/\n")
    repo.write("downloads/x/a.py")
    source = listing(tmp_path / "downloads" / "x")
    assert list(reasons(source)) == ["a.py"]
    assert source.commit is None


def test_the_store_that_is_written_is_never_listed(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n")
    repo.write("out/snapshots/x/manifest.json")
    repo.write("outer.py")
    options = ListingOptions(leave_out=(tmp_path / "out", Path("/elsewhere")))
    assert list(reasons(listing(tmp_path, options=options))) == ["a", "outer.py"]


def test_odd_names(tmp_path: Path) -> None:
    names = ["src/中文/血条.py", "src/é.py", "🙂.py", "a b.py", "tab\t.py", 'q".py', "line\nbreak.py", "back\\slash"]
    repo = make_repo(tmp_path)
    for name in names:
        repo.write(name)
    repo.commit()
    for rev in (None, "HEAD"):
        source = listing(tmp_path, rev)
        assert [e.path for e in source.entries] == sorted(names, key=str.encode)
        assert set(contents(source).values()) == {b"x = 1\n"}


def test_names_that_are_not_utf8_are_skipped_under_a_readable_name(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, ok="1\n")
    repo.write(b"caf\xe9.py")
    repo.write(b"caf\\xe9.py")
    repo.write(b"d\xff/x.py")
    repo.commit()
    for rev in (None, "HEAD"):
        assert reasons(listing(tmp_path, rev)) == {
            "caf\\xe9.py": None,
            "caf\\xe9.py~": "path_not_utf8",
            "d\\xff/x.py": "path_not_utf8",
            "ok": None,
        }


def test_names_that_differ_in_case_or_normal_form_stay_apart(tmp_path: Path) -> None:
    repo = make_repo(tmp_path)
    names = ["Util.py", "util.py", "SRC/A.py", "src/A.py", "caf\u00e9.py", "cafe\u0301.py"]
    for name in names:
        repo.write(name, name)
    repo.commit()
    assert contents(listing(tmp_path)) == {name: name.encode() for name in names}


def test_a_sha256_repository_gives_no_sha1(tmp_path: Path) -> None:
    tmp_path.joinpath("r").mkdir()
    repo = make_repo(tmp_path / "r")
    shutil.rmtree(repo.root / ".git")
    repo.git("init", "-q", "-b", "main", "--object-format=sha256", ".")
    commit = repo.commit(a="1\n")
    (repo.root / "a").touch()
    for rev in (None, "HEAD"):
        source = listing(repo.root, rev)
        assert (source.commit, source.dirty) == (commit, False)
        assert [e.blob for e in source.entries] == [None]
        assert contents(source) == {"a": b"1\n"}
