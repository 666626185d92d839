"""What the commits of a real repository say, and which of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.pipeline.adapt import history
from codequarry.pipeline.adapt.history import Subject, subjects
from codequarry.pipeline.sources.discovery import find_place
from codequarry.pipeline.sources.git import Place

from ..evaluation.made_history import commit, git


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    git(tmp_path, "init", "-q", "-b", "main")
    commit(tmp_path, "feat: the cart and its parser (#1)", 0, cart="1", parser="1")
    commit(tmp_path, "docs(cart): say what a cart holds", 1, cart="2")
    commit(tmp_path, "chore: bump the version from 1 to 2", 2, cart="3")
    commit(tmp_path, "feat: touch all there is", 3, **{f"part{i}": "1" for i in range(9)})
    commit(tmp_path, "cart: count each item once, fixes #3", 4, cart="4")
    return tmp_path


def place(repo: Path) -> Place:
    found = find_place(repo)
    assert found is not None
    return found


def test_subjects_in_the_order_of_time_with_their_files(repo: Path) -> None:
    assert subjects(place(repo), git(repo, "rev-parse", "HEAD")) == (
        Subject("the cart and its parser", ("cart.py", "parser.py")),
        Subject("say what a cart holds", ("cart.py",)),
        Subject("count each item once", ("cart.py",)),
    )


def test_nothing_later_than_the_commit(repo: Path) -> None:
    assert [s.text for s in subjects(place(repo), git(repo, "rev-parse", "HEAD~3"))] == [
        "the cart and its parser",
        "say what a cart holds",
    ]


def test_only_the_latest(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_COMMITS", 4)
    assert [s.text for s in subjects(place(repo), git(repo, "rev-parse", "HEAD"))] == [
        "say what a cart holds",
        "count each item once",
    ]


def test_paths_are_those_below_the_source(repo: Path) -> None:
    (repo / "sub").mkdir()
    (repo / "sub" / "tax.py").write_text("1")
    commit(repo, "feat: rates of the tax", 5, cart="5")
    assert subjects(place(repo / "sub"), git(repo, "rev-parse", "HEAD")) == (Subject("rates of the tax", ("tax.py",)),)


def test_what_a_commit_deletes_is_not_what_it_speaks_of(repo: Path) -> None:
    (repo / "parser.py").unlink()
    commit(repo, "feat: the cart without a parser", 5, cart="5")
    assert subjects(place(repo), git(repo, "rev-parse", "HEAD"))[-1] == Subject("the cart without a parser", ("cart.py",))
