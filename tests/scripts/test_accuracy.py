"""The comparison with ctags: what counts as found, as explained and as missed."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

pytest.importorskip("tree_sitter_language_pack", reason="the extra [index] is not installed")

from ._script import script

accuracy = script("accuracy")
needs_ctags = pytest.mark.skipif(shutil.which("ctags") is None, reason="universal-ctags is not installed")


def judged(language: str, ctags: str) -> Any:
    return accuracy.Judged(language=language, ctags=ctags, goal=0.95, packages=())


@needs_ctags
def test_python_is_found_and_imports_are_explained() -> None:
    source = b"import os as o\n\n\nclass A:\n    def f(self):\n        pass\n\n\nLIMIT = 1\n"
    result = accuracy.compare(judged("python", "Python"), [("a.py", source)])
    assert result.kinds == {("class", "class"): 1, ("member", "method"): 1, ("variable", "constant"): 1}
    assert {rule.reason: n for rule, n in result.explained.items()} == {"imports under another name": 1}
    assert (result.missed, result.recall, result.agreement) == ((), 1.0, 1.0)


@needs_ctags
def test_lines_are_compared_too() -> None:
    tags = [accuracy.Tag("f", 3, "function", "", "def f():")]
    pairs, left, ours = accuracy._matched(tags, (), "python")
    assert (pairs, [tag.name for tag in left], ours) == ([], ["f"], [])


def test_shares_are_rounded_down() -> None:
    assert accuracy._floored(0.97999) == "0.979"
    assert accuracy._floored(1.0) == "1.000"


def test_every_language_of_the_list_is_known_and_pinned() -> None:
    for row in accuracy.judged_languages():
        assert row.language in accuracy.LANGUAGES
        assert bool(row.packages) == bool(row.ctags)
        assert all(len(package.sha256) == 64 for package in row.packages)


def test_every_rule_names_known_languages() -> None:
    for rule in accuracy.RULES:
        assert rule.reason
        assert set(rule.languages.split()) <= set(accuracy.LANGUAGES)
