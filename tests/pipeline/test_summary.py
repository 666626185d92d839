"""The closing text of a run."""

from __future__ import annotations

from dataclasses import replace

from codequarry.pipeline.summary import Changes, FileName, LanguageCount, Slowest, SourceState, Summary

SUMMARY = Summary(
    snapshot="0123456789abcdef",
    published=True,
    out="artifacts",
    sources=(
        SourceState(repo="shop", commit="c0ffee" * 7, branch="main", dirty=True, state="updated"),
        SourceState(repo="old\x1b[2J", commit=None, branch=None, dirty=None, state="removed"),
    ),
    files={"indexed": 1200, "partial": 2, "skipped": 3},
    skipped={"binary": 2, "timeout": 1},
    set_aside=(FileName(repo="shop", path="a/slow.py", reason="timeout"),),
    nested=(FileName(repo="shop", path="vendor/sub", reason="submodule"),),
    languages=(
        LanguageCount(language=None, files=1, symbols=0),
        LanguageCount(language="go", files=2, symbols=5),
        LanguageCount(language="python", files=1199, symbols=9000),
    ),
    changes=Changes(since="fedcba9876543210", added=1, removed=0, changed=2),
    seconds=12.34,
    source_bytes=5_600_000,
    cached=1100,
    artifact_bytes=2_300_000,
    slowest=Slowest(repo="shop", path="a/big.py", seconds=0.456),
    reproducible=False,
    notes=("a note",),
    warnings=("not printed here",),
)


def test_the_whole_text() -> None:
    assert list(SUMMARY.lines()) == [
        "indexed 1,202 of 1,205 files in 12.3 s: snapshot 0123456789abcdef in artifacts",
        "  sources   updated   shop at main c0ffeec0ffee, with uncommitted changes",
        "            removed   old\\x1b[2J",
        "  partial   2 files",
        "  skipped   3: 2 binary, 1 timeout",
        "  nested    shop:vendor/sub (submodule)",
        "  set aside shop:a/slow.py (timeout)",
        "  symbols   9,005: 9,000 python, 5 go",
        "  changes   1 file added, 0 removed, 2 changed since snapshot fedcba9876543210",
        "  cached    1,100 of 1,205 files",
        "  slowest   shop:a/big.py 0.46 s",
        "  size      5.6 MB of source, 2.3 MB of snapshot",
        "  note      a note",
    ]


def test_an_empty_run_has_little_to_say() -> None:
    empty = replace(
        SUMMARY,
        sources=(),
        files={"indexed": 0, "partial": 0, "skipped": 0},
        skipped={},
        set_aside=(),
        nested=(),
        languages=(),
        changes=Changes(since="0123456789abcdef", added=0, removed=0, changed=0),
        source_bytes=0,
        cached=0,
        slowest=None,
        notes=(),
    )
    assert list(empty.lines()) == [
        "nothing to index, snapshot 0123456789abcdef in artifacts is empty",
        "  changes   none since snapshot 0123456789abcdef",
        "  size      0 B of source, 2.3 MB of snapshot",
    ]


def test_many_names_are_cut_in_the_text_only() -> None:
    names = tuple(FileName(repo="r", path=f"{i}.py", reason="missing") for i in range(25))
    many = replace(SUMMARY, set_aside=names)
    shown = [line for line in many.lines() if "missing" in line or "more" in line]
    assert len(shown) == 11
    assert shown[-1].strip() == "and 15 more (--json has all)"
    assert len(many.to_json()["set_aside"]) == 25


def test_the_exit_code_follows_from_files_set_aside() -> None:
    assert SUMMARY.exit_code == 3
    assert replace(SUMMARY, set_aside=()).exit_code == 0


def test_a_run_that_publishes_nothing_says_why() -> None:
    same = replace(SUMMARY, published=False)
    assert next(same.lines()) == "nothing has changed in 1,205 files: snapshot 0123456789abcdef in artifacts stays"
    extracted = list(replace(same, snapshot=None, out=None, artifact_bytes=0).lines())
    assert extracted[0] == "extracted 1,202 of 1,205 files in 12.3 s: nothing was published"
    assert "  size      5.6 MB of source" in extracted
