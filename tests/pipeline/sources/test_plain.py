"""Plain folders: the walk finds what git would find."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from codequarry.pipeline.sources import ListingOptions
from codequarry.schemas.errors import SourceError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ._repos import ENVIRONMENT, Repo, contents, listing, make_repo, reasons


def _tree(root: Path, files: dict[str, str]) -> None:
    for path, content in files.items():
        Repo(root).write(path, content)


def test_a_folder_without_git(tmp_path: Path) -> None:
    _tree(tmp_path, {"b/c.py": "2\n", "a.py": "1\n", "b.py": "3\n", ".gitignore": "build/\n", "build/x.py": "4\n"})
    source = listing(tmp_path)
    assert (source.commit, source.branch, source.dirty, source.notes) == (None, None, None, ())
    assert list(contents(source).items()) == [
        (".gitignore", b"build/\n"),
        ("a.py", b"1\n"),
        ("b.py", b"3\n"),
        ("b/c.py", b"2\n"),
    ]


def test_an_empty_folder(tmp_path: Path) -> None:
    assert listing(tmp_path).entries == ()


def test_nested_ignore_files(tmp_path: Path) -> None:
    _tree(
        tmp_path,
        {
            ".gitignore": "*.log\n/top.py\n",
            "top.py": "",
            "sub/top.py": "",
            "sub/.gitignore": "!keep.log\ngen\n",
            "sub/keep.log": "",
            "sub/gen/x.py": "",
            "keep.log": "",
        },
    )
    assert list(reasons(listing(tmp_path))) == [".gitignore", "sub/.gitignore", "sub/keep.log", "sub/top.py"]


def test_other_ignore_files_do_nothing(tmp_path: Path) -> None:
    _tree(tmp_path, {"a.py": "", ".dockerignore": "*\n", ".npmignore": "*\n", ".ignore": "*\n"})
    assert list(reasons(listing(tmp_path))) == [".dockerignore", ".ignore", ".npmignore", "a.py"]


def test_git_folders_inside_are_not_entered(tmp_path: Path) -> None:
    (tmp_path / "clones").mkdir()
    make_repo(tmp_path / "clones" / "r", a="1\n")
    assert list(reasons(listing(tmp_path))) == ["clones/r/a"]


def test_odd_files_have_reasons(tmp_path: Path) -> None:
    _tree(tmp_path / "r", {"a.py": "1\n", "big.py": "x" * 100, ".env": "A=1\n"})
    root = tmp_path / "r"
    os.mkfifo(root / "pipe")
    os.symlink("a.py", root / "link")
    os.symlink("..", root / "up")
    os.symlink(".", root / "loop")
    expected = {
        ".env": "secret",
        "a.py": None,
        "big.py": "too_large",
        "link": "symlink",
        "loop": "symlink",
        "pipe": "not_regular",
        "up": "outside_root",
    }
    assert reasons(listing(root, options=ListingOptions(max_file_size=99))) == expected


def test_an_ignore_file_that_is_a_link_or_a_fifo_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "patterns").write_text("*\n")
    _tree(tmp_path / "r", {"a.py": "", "sub/b.py": ""})
    os.symlink("../patterns", tmp_path / "r" / ".gitignore")
    os.mkfifo(tmp_path / "r" / ".codequarryignore")
    os.mkfifo(tmp_path / "r" / "sub" / ".gitignore")
    assert [p for p, reason in reasons(listing(tmp_path / "r")).items() if reason is None] == ["a.py", "sub/b.py"]


@pytest.mark.skipif(os.getuid() == 0, reason="root reads everything")
def test_what_cannot_be_read_has_a_reason(tmp_path: Path) -> None:
    _tree(tmp_path, {"a.py": "1\n", "shut/b.py": "2\n"})
    os.chmod(tmp_path / "a.py", 0)
    os.chmod(tmp_path / "shut", 0)
    try:
        source = listing(tmp_path)
        assert contents(source) == {"a.py": "unreadable", "shut": "unreadable"}
    finally:
        os.chmod(tmp_path / "shut", 0o700)


def test_a_source_may_itself_be_a_link(tmp_path: Path) -> None:
    _tree(tmp_path / "real", {"a.py": "1\n"})
    os.symlink("real", tmp_path / "link")
    assert contents(listing(tmp_path / "link")) == {"a.py": b"1\n"}


def test_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be read"):
        listing(tmp_path / "gone")


def test_a_git_file_that_leads_nowhere_makes_a_plain_folder_and_is_said(tmp_path: Path) -> None:
    _tree(tmp_path, {"a.py": "1\n", ".git": "gitdir: ../gone/.git/modules/x\n"})
    source = listing(tmp_path)
    assert list(reasons(source)) == ["a.py"]
    assert len(source.notes) == 1
    assert "leads to no git directory" in source.notes[0]
    with pytest.raises(SourceError, match="leads to no git directory"):
        listing(tmp_path, "HEAD")


_NAMES = st.sampled_from(["a", "b", "ab", "build", "x.log", "x.py", "keep.log"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)
_LINES = st.sampled_from(
    ["a", "/a", "a/", "!a", "!a/", "b", "*.log", "!keep.log", "build/", "!/build/", "/*", "!/*/", "**/b", "a/**", "!a/b",
     "a/*", "*b", "!x.py", "", "# a", "/a/b", "**/a/**", "x.*", "!*/", "*"]
)  # fmt: skip
_IGNORES = st.dictionaries(st.one_of(st.just(""), _PATHS), st.lists(_LINES, max_size=5), max_size=3)


@given(paths=st.lists(_PATHS, min_size=1, max_size=14), ignores=_IGNORES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_walk_finds_what_git_finds(
    tmp_path_factory: pytest.TempPathFactory, paths: list[str], ignores: dict[str, list[str]]
) -> None:
    """`git ls-files -co --exclude-standard` over an empty index is the meaning of the ignore rules."""
    root = tmp_path_factory.mktemp("tree")
    for folder, patterns in ignores.items():
        _write_unless_taken(root / folder / ".gitignore", "\n".join(patterns))
    for path in paths:
        _write_unless_taken(root / path, path)
    subprocess.run(["git", "init", "-q", "--template=", "--separate-git-dir", str(root) + ".git", str(root)], check=True)
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "-z"]
    wanted = subprocess.run(command, env=os.environ | ENVIRONMENT, capture_output=True, check=True).stdout
    (root / ".git").unlink()
    assert list(reasons(listing(root))) == sorted(wanted.decode().split("\0")[:-1])


def _write_unless_taken(file: Path, content: str) -> None:
    """Write a file unless a file stands where a folder is needed, or a folder where the file is to be."""
    if not file.is_dir() and not any(p.is_file() for p in file.parents):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
