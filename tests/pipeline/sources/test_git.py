"""The one place where git is started."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.pipeline.sources import git
from codequarry.pipeline.sources.discovery import find_place
from codequarry.schemas.errors import SourceError

from ._repos import listing, make_repo


def _place(root: Path) -> git.Place:
    place = find_place(root)
    assert place is not None
    return place


def test_objects_come_in_the_order_asked_and_may_be_left_out_by_size(tmp_path: Path) -> None:
    repo = make_repo(tmp_path, a="1\n", b="2" * 100_000, c="")
    oids = [repo.git("rev-parse", f"HEAD:{name}") for name in "cabca"]
    place = _place(tmp_path)
    assert list(git.blobs(place, oids)) == [b"", b"1\n", b"2" * 100_000, b"", b"1\n"]
    assert list(git.blobs(place, oids, largest=10)) == [b"", b"1\n", None, b"", b"1\n"]
    assert list(git.blobs(place, ["HEAD", "HEAD^{tree}", "0" * 40, "nonsense", oids[1]])) == [None, None, None, None, b"1\n"]
    assert list(git.blobs(place, [])) == []


def test_a_failing_command_is_one_sentence(tmp_path: Path) -> None:
    make_repo(tmp_path)
    with pytest.raises(SourceError, match=r"^git ls-tree failed in .*: Not a valid object name nonsense: check the repo"):
        git.call(_place(tmp_path), "ls-tree", "nonsense")


def test_a_command_that_does_not_end_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    make_repo(tmp_path)
    os.mkfifo(tmp_path / ".gitignore")  # git opens it and waits for a writer
    monkeypatch.setattr(git, "DEADLINE", 0.5)
    with pytest.raises(SourceError, match=r"^git ls-files in .* did not end within 0 s"):
        listing(tmp_path)


def test_git_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_repo(tmp_path / "r", a="1\n")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a").touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="install git"):
        listing(tmp_path / "r")
    assert [e.path for e in listing(tmp_path / "plain").entries] == ["a"]
