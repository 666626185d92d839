"""Filters decide before the best are taken; globs mean what they say."""

from __future__ import annotations

import contextlib
import re
from pathlib import PurePosixPath

import pytest
from codequarry.query import Answer, Index
from codequarry.query.filters import compiled, glob_pattern
from codequarry.schemas.errors import UsageError
from hypothesis import assume, given
from hypothesis import strategies as st


def matches(glob: str, path: str) -> bool:
    return re.fullmatch(glob_pattern(glob), path) is not None


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("*.py", "a.py", True),
        ("*.py", "src/deep/a.py", True),
        ("*.py", "a.pyi", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("src/**", "src/deep/a.py", True),
        ("src/**/*.py", "src/a.py", True),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("**/test_*.py", "test_a.py", True),
        ("**/test_*.py", "a/test_a.py", True),
        ("**", "a/b", True),
        ("src", "src/deep/a.py", True),
        ("src/", "src/deep/a.py", True),
        ("src/", "src", False),
        ("deep", "src/deep/a.py", True),
        ("src/deep", "src/deep/a.py", True),
        ("src/deep", "src/deeper/a.py", False),
        ("/src", "src/a.py", True),
        ("/deep", "src/deep/a.py", False),
        ("./src/a.py", "src/a.py", True),
        ("a?c.py", "abc.py", True),
        ("a?c.py", "a/c.py", False),
        ("[ab].py", "b.py", True),
        ("[!ab].py", "b.py", False),
        ("[^ab].py", "c.py", True),
        ("[a-c].py", "b.py", True),
        ("[]].py", "].py", True),
        ("[.py", "[.py", True),
        ("[]", "[]", True),
        ("a.b", "axb", False),
        ("a+(b|c)$", "a+(b|c)$", True),
        ("don't.md", "docs/don't.md", True),
        ("购*.md", "购物.md", True),
        ("a\nb", "a\nb", True),
        ("*", "a\nb/c", True),
        ("nope/**", "src/a.py", False),
        ("*.PY", "a.py", False),
    ],
)
def test_globs(glob: str, path: str, expected: bool) -> None:
    assert matches(glob, path) is expected


names = st.text("ab.[]-!", min_size=1, max_size=4)


@given(st.lists(names, min_size=1, max_size=4).map("/".join))
def test_stars_match_as_in_a_shell(path: str) -> None:
    pure = PurePosixPath(path)
    assume(str(pure) == path != "." and ".." not in pure.parts)
    assert matches("**", path)
    assert matches("/".join("*" for _ in pure.parts), path)
    assert matches("?" * len(pure.name), path)
    assert not matches("/".join("*" for _ in range(len(pure.parts) + 1)), path)


@given(st.text(max_size=12), st.text(max_size=12))
def test_every_glob_is_a_pattern_or_a_usage_error(glob: str, path: str) -> None:
    with contextlib.suppress(UsageError):
        compiled((glob,)).fullmatch(path)


def test_a_bad_range_is_a_usage_error(index: Index) -> None:
    with pytest.raises(UsageError, match=r"'\[z-a\]' is not a path pattern"):
        index.search("cart", paths="[z-a]")


def paths(answer: Answer) -> set[str]:
    return {hit.path for hit in answer.results}


def test_by_repository(index: Index) -> None:
    assert {hit.repo for hit in index.search("acquire cart", k=50).results} == {"shop", "tools"}
    assert {hit.repo for hit in index.search("acquire cart", k=50, repos="tools").results} == {"tools"}
    assert {hit.repo for hit in index.search("acquire cart", k=50, repos=["tools", "shop"]).results} == {"shop", "tools"}


def test_by_language(index: Index) -> None:
    assert paths(index.search("cart s html", k=50, languages="typescript")) == {"src/http_server.ts"}
    assert paths(index.search("cart", k=50, languages="markdown")) == {"docs/don't.md"}


def test_by_kind(index: Index) -> None:
    assert {hit.kind for hit in index.search("cart item", k=50, kinds="method").results} == {"method"}
    assert {hit.kind for hit in index.search("cart item", k=50, kinds="file").results} == {"file"}
    assert {hit.kind for hit in index.search("cart", k=50, kinds=("class", "file")).results} == {"class", "file"}


def test_by_path(index: Index) -> None:
    assert paths(index.search("cart", k=50, paths="src/**")) == {"src/cart.py"}
    assert paths(index.search("cart", k=50, paths=("tests", "*.md"))) == {"tests/test_cart.py", "docs/don't.md"}
    answer = index.search("cart", paths="nope/**")
    assert answer.results == ()
    assert answer.notes == ("nothing that the filters allow matches",)


def test_by_tests(index: Index) -> None:
    assert paths(index.search("add item cart", k=50, tests=True)) == {"tests/test_cart.py"}
    assert "tests/test_cart.py" not in paths(index.search("add item cart", k=50, tests=False))
    everything = index.search("add item cart", k=50, tests=True, explain=True).results
    assert all("test" not in (hit.terms or ()) for hit in everything)


@pytest.mark.parametrize(
    ("option", "note"),
    [
        ("languages", "unknown language 'klingon': this index has markdown, python, typescript"),
        ("repos", "unknown repository 'klingon': this index has shop, tools"),
        ("kinds", "unknown kind 'klingon': this index has class, file, function, method"),
    ],
)
def test_what_the_index_lacks_is_said(index: Index, option: str, note: str) -> None:
    answer = index.search("cart", **{option: "klingon"})  # type: ignore[arg-type]  # one of the filters
    assert answer.results == ()
    assert answer.notes == (note,)
    both = index.search("cart", **{option: ["klingon", "shop", "python", "class"]})  # type: ignore[arg-type]  # as above
    assert note in both.notes
    assert both.results


def test_filters_come_before_the_best_are_taken(index: Index) -> None:
    last = index.search("cart", k=50).results[-1]
    assert index.search("cart", k=1, paths=last.path).results[0].path == last.path
