"""Which commits of a history become questions, and which state is searched."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.pipeline.evaluation.history import HeldOut, Rule, hold_out, open_history
from codequarry.schemas.errors import SourceError, UsageError

from .made_history import SUBJECTS, commit, git


def held(repo: Path, **rule: object) -> HeldOut:
    return hold_out(open_history(repo), rule=Rule(**rule))  # type: ignore[arg-type]  # fields by name


def test_the_latest_third_is_asked_and_the_state_before_it_is_searched(history: Path) -> None:
    found = held(history)
    assert [(q.text, dict(q.gold), q.category) for q in found.questions] == [
        ("total price of the cart with discounts", {"cart.py": 1}, "fix"),
        ("redirect moved routes in the router", {"router.py": 1}, "feat"),
    ]
    assert found.questions[0].id == git(history, "rev-parse", "HEAD~2")
    assert found.base == git(history, "rev-parse", "HEAD~3")


def test_it_is_counted_why_commits_fall_out(history: Path) -> None:
    assert held(history).counts == {
        "asked": 2,
        "commits": len(SUBJECTS),
        "held_out": 2,
        "no_source_file": 1,  # the shelf, which was not there before
        "other_style": 1,
        "other_type": 2,
        "usable": 8,
        "vague": 1,
    }


def test_the_limit_takes_the_newest(history: Path) -> None:
    found = held(history, limit=1)
    assert [q.text for q in found.questions] == ["redirect moved routes in the router"]
    assert found.base == git(history, "rev-parse", "HEAD~2")


def test_a_revision_ends_the_history(history: Path) -> None:
    found = hold_out(open_history(history), "HEAD~3")
    assert [q.text for q in found.questions] == ["expire old entries of the cache", "skip blank lines in the lexer"]


def test_nothing_after_the_state_is_an_answer(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, "chore: start of it", 0, a="1", b="1")
    for minute in range(1, 7):
        commit(tmp_path, f"fix: change the letter {minute}", minute, a=f"{minute}x")
    commit(tmp_path, "fix: change both letters at once", 8, a="x", c="2")
    commit(tmp_path, "fix: change the new letter alone", 9, c="3")
    git(tmp_path, "mv", "b.py", "d.py")
    commit(tmp_path, "refactor: give the second letter another name", 10)
    found = held(tmp_path)
    assert [dict(q.gold) for q in found.questions] == [{"a.py": 1}, {"b.py": 1}]
    assert found.counts["usable"] == 9
    assert found.counts["held_out"] == 3


def test_wide_changes_and_those_of_many_sources_are_left_out(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, "chore: start of it", 0, **{f"f{i}": "1" for i in range(12)})
    commit(tmp_path, "fix: change nearly all of them", 1, **{f"f{i}": "2" for i in range(9)})
    for minute in range(2, 5):
        commit(tmp_path, f"fix: change the first one again {minute}", minute, f0=f"{minute}x")
    assert held(tmp_path).counts["too_wide"] == 1
    assert held(tmp_path, most_files=8, most_gold=9).counts["too_wide"] == 1


def test_where_few_subjects_are_conventional_any_will_do(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for minute in range(7):
        commit(tmp_path, f"lexer: keep the last token {minute}", minute, a=str(minute))
    assert [q.text for q in held(tmp_path).questions] == ["keep the last token 5", "keep the last token 6"]
    assert held(tmp_path).style == "any"
    with pytest.raises(SourceError, match=r"0 of 7 are usable.*--subjects any"):
        held(tmp_path, style="conventional")


def test_odd_paths_are_paths(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for minute in range(4):
        commit(tmp_path, f"fix: change what is odd {minute}", minute, **{'tab\t"quoted" größe': str(minute)})
    assert dict(held(tmp_path).questions[0].gold) == {'tab\t"quoted" größe.py': 1}


def test_a_bare_repository_will_do(history: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(history), "bare.git")
    assert held(tmp_path / "bare.git").base == held(history).base


def test_what_has_no_history_is_refused(history: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        open_history(tmp_path / "gone")
    with pytest.raises(UsageError, match="is no git repository"):
        open_history(tmp_path)
    git(tmp_path, "clone", "-q", "--depth", "3", history.as_uri(), "cut")
    with pytest.raises(SourceError, match=r"cut off.*--unshallow"):
        open_history(tmp_path / "cut")
    with pytest.raises(UsageError, match="no revision 'nope'"):
        hold_out(open_history(history), "nope")


def test_too_few_commits_are_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    with pytest.raises(SourceError, match="0 of 0 are usable"):
        held(tmp_path)
    for minute in range(3):
        commit(tmp_path, f"fix: change the letter {minute}", minute, a=str(minute))
    with pytest.raises(SourceError, match=r"too few commits.*2 of 3 are usable.*longer history"):
        held(tmp_path)


def test_commits_of_new_files_alone_are_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    commit(tmp_path, "chore: start of it", 0, a="1")
    commit(tmp_path, "fix: change the first letter", 1, a="2")
    commit(tmp_path, "fix: change the first letter again", 2, a="3")
    git(tmp_path, "rm", "-q", "a.py")
    commit(tmp_path, "fix: change the first letter for good", 3)
    commit(tmp_path, "chore: one more file", 4, b="1")
    for minute in range(5, 8):
        commit(tmp_path, f"fix: change the second letter {minute}", minute, b=str(minute))
    found = held(tmp_path)
    assert [dict(q.gold) for q in found.questions] == [{"b.py": 1}, {"b.py": 1}]


def test_of_a_folder_only_its_own_files_are_asked_for(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "inner").mkdir()
    for minute in range(8):
        (tmp_path / "inner" / "a.py").write_text(str(minute // 2))
        commit(tmp_path, f"fix: change one file or both {minute}", minute, outer=str(minute))
    assert [dict(q.gold) for q in held(tmp_path / "inner").questions] == [{"a.py": 1}]
    assert [set(q.gold) for q in held(tmp_path).questions] == [{"inner/a.py", "outer.py"}, {"outer.py"}]


def test_odd_subjects_do_no_harm(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for minute in range(4):
        commit(tmp_path, f"fix: change what is \x01\x02odd {minute}", minute, a=str(minute))
    assert held(tmp_path).counts["usable"] == 3


def test_no_program_of_the_repository_is_run(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for minute in range(4):
        last = commit(tmp_path, f"fix: change the letter {minute}", minute, a=str(minute))
    head, _, message = git(tmp_path, "cat-file", "commit", last).partition("\n\n")
    signed = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n{message}\n"
    (tmp_path / ".git" / "signed").write_text(signed)
    oid = git(tmp_path, "hash-object", "-t", "commit", "-w", ".git/signed")
    git(tmp_path, "reset", "-q", "--hard", oid)
    program = tmp_path / ".git" / "gpg"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/.git/was-run\n")
    program.chmod(0o755)
    git(tmp_path, "config", "log.showSignature", "true")
    git(tmp_path, "config", "gpg.program", str(program))
    assert len(held(tmp_path).questions) == 1
    assert not (tmp_path / ".git" / "was-run").exists()
    git(tmp_path, "log", "-1")
    assert (tmp_path / ".git" / "was-run").exists()  # the trap works
