"""Ignore rules: every answer is git's own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from codequarry.pipeline.sources.ignore import IgnoreRules, parse
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ._repos import ENVIRONMENT, listing, make_repo, reasons


def _excluded(patterns: bytes, path: bytes) -> bool:
    rules = IgnoreRules()
    rules.add(b"", patterns)
    return rules.excludes(path)


@pytest.mark.parametrize(
    ("patterns", "excluded", "kept"),
    [
        (b"foo", [b"foo", b"a/foo", b"foo/x", b"a/foo/x"], [b"foobar", b"xfoo"]),
        (b"foo/", [b"foo/x", b"a/foo/x"], [b"foo", b"a/foo"]),
        (b"/foo", [b"foo", b"foo/x"], [b"a/foo"]),
        (b"a/b", [b"a/b", b"a/b/x"], [b"x/a/b", b"b"]),
        (b"*.log\n!keep.log", [b"x.log", b"a/x.log"], [b"keep.log", b"a/keep.log"]),
        (b"logs/\n!logs/keep", [b"logs/keep"], [b"keep"]),
        (b"a/*", [b"a/x", b"a/x/y"], [b"a"]),
        (b"a/**/z", [b"a/z", b"a/b/z", b"a/b/c/z"], [b"z", b"a/zz"]),
        (b"**/z", [b"z", b"a/z", b"a/b/z/x"], [b"az"]),
        (b"a/**", [b"a/x", b"a/x/y"], [b"a", b"b/a/x"]),
        (b"foo**/bar", [b"foo/x/bar", b"fooz/bar", b"foobar"], [b"bar", b"x/foobar"]),
        (b"?", [b"a", b"x/b"], [b"ab", "é".encode()]),
        (b"??", ["é".encode()], [b"a"]),
        (b"[a-c]", [b"b"], [b"d", b"-"]),
        (b"[!a-c]", [b"d", b"-"], [b"b"]),
        (b"[]a]", [b"]", b"a"], [b"b"]),
        (b"[[:digit:]x]", [b"7", b"x"], [b"d", b":"]),
        (b"x[!a]y", [b"xby"], [b"x/y", b"xay"]),
        (b"[a", [], [b"a", b"[a"]),
        (b"[[:word:]]", [], [b"w", b"["]),
        (b"a\\", [], [b"a", b"a\\"]),
        (b"\\*", [b"*"], [b"a"]),
        (b"\\!a\n\\#b", [b"!a", b"#b"], [b"a", b"b"]),
        (b"#a\n", [], [b"#a", b"a"]),
        (b"a  ", [b"a"], [b"a  "]),
        (b"a\\ ", [b"a "], [b"a", b"a\\"]),
        (b"a\t", [b"a\t"], [b"a"]),
        (b"a\r\nb\r", [b"a", b"b"], [b"a\r"]),
        (b"\xef\xbb\xbfa", [b"a"], []),
        (b"/\n!\n\n  \n", [], [b"a", b"", b"!"]),
        (b"a\0b", [b"a"], [b"ab"]),
        (b"*", [b"a", b"b/c"], []),
        (b"/*\n!/*/\n!/ok", [b"x"], [b"ok", b"d/x"]),
        (b"\xff", [b"\xff", b"d/\xff"], [b"\xfe"]),
    ],
)
def test_patterns(patterns: bytes, excluded: list[bytes], kept: list[bytes]) -> None:
    assert [p for p in excluded if not _excluded(patterns, p)] == []
    assert [p for p in kept if _excluded(patterns, p)] == []


def test_the_deepest_file_decides() -> None:
    rules = IgnoreRules()
    rules.add(b"", b"*.txt\ngen\n")
    rules.add(b"a", b"!x.txt\n")
    rules.add(b"a/b", b"x.*\n!gen\n")
    assert [p for p in (b"x.txt", b"a/x.txt", b"a/y.txt", b"a/b/x.txt", b"a/b/y") if rules.excludes(p)] == [
        b"x.txt",
        b"a/y.txt",
        b"a/b/x.txt",
    ]
    assert not rules.excludes(b"a/b/gen", is_folder=True)
    assert rules.excludes(b"a/gen/y")


def test_a_pattern_with_many_stars_cannot_back_track() -> None:
    name = b"a" * 1500
    for glob in (b"*a" * 30 + b"b", b"**/a" * 30 + b"/b", b"*a*/" * 20 + b"b", b"[a]*" * 30 + b"b"):
        for path in (name, b"a/" * 800 + b"a"):
            assert not _excluded(glob, path)


_ATOMS = st.sampled_from(
    ["a", "b", "ab", "*", "**", "***", "?", "/", "/**/", "\\", "\\*", "\\ ", "[ab]", "[!a]", "[^b]", "[a-b]", "[", "[a-",
     "[]a]", "[a\\]]", "[[:alpha:]]", "[[:no:]]", "[:", "!", "#", " ", ".", "-", "é"]
)  # fmt: skip
_GLOBS = st.tuples(
    st.sampled_from(["", "!", "/"]), st.lists(_ATOMS, max_size=5).map("".join), st.sampled_from(["", "/"])
).map("".join)
_NAMES = st.sampled_from(["a", "b", "ab", "ba", "aab", "a.b", "*", "é", "-", "[", "]", "!a", "#b", " a", "a ", "A"])
_PATHS = st.lists(_NAMES, min_size=1, max_size=4).map("/".join)


@pytest.fixture(scope="module")
def empty_repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_repo(tmp_path_factory.mktemp("ignore")).root


@given(lines=st.lists(_GLOBS, min_size=1, max_size=4), paths=st.lists(_PATHS, min_size=20, max_size=40, unique=True))
@example(lines=["foo**/bar"], paths=["foo/x/bar", "foobar", "fooz/bar", "x/foobar"])
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_pattern_means_what_it_means_to_git(empty_repo: Path, lines: list[str], paths: list[str]) -> None:
    data = "\n".join(lines).encode()
    (empty_repo / ".gitignore").write_bytes(data)
    run = subprocess.run(
        ["git", "-C", str(empty_repo), "check-ignore", "--no-index", "--stdin", "-z", "-v", "-n"],
        input="\0".join([*paths, ""]).encode(),
        env=os.environ | ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    fields = run.stdout.split(b"\0")[:-1]
    wanted = {
        path: bool(pattern) and not pattern.startswith(b"!") for _, _, pattern, path in zip(*[iter(fields)] * 4, strict=True)
    }
    assert {path: _excluded(data, path) for path in wanted} == wanted
    assert len(wanted) == len(paths)


def test_a_list_is_parsed_once_for_each_line() -> None:
    assert [(p.negative, p.folders_only, p.by_name) for p in parse(b"a\n!b/\n/c\n#d\n")] == [
        (False, False, True),
        (True, True, True),
        (False, False, False),
    ]


@pytest.mark.parametrize(
    ("include", "exclude", "kept"),
    [
        ((), (), ["a.py", "docs/a.md", "src/a.py", "src/gen/b.py", "src/x.md"]),
        (("*.py",), (), ["a.py", "src/a.py", "src/gen/b.py"]),
        (("src",), (), ["src/a.py", "src/gen/b.py", "src/x.md"]),
        (("src/", "a.py"), (), ["a.py", "src/a.py", "src/gen/b.py", "src/x.md"]),
        (("/a.py",), (), ["a.py"]),
        (("src/*.py",), (), ["src/a.py"]),
        (("src/**/*.py",), (), ["src/a.py", "src/gen/b.py"]),
        ((), ("*.md", "gen/"), ["a.py", "src/a.py"]),
        (("src",), ("gen",), ["src/a.py", "src/x.md"]),
        ((), ("*", "!a.py"), ["a.py"]),
        (("nothing",), (), []),
    ],
)
@pytest.mark.parametrize("shape", ["plain", "worktree", "commit"])
def test_include_and_exclude(
    tmp_path: Path, shape: str, include: tuple[str, ...], exclude: tuple[str, ...], kept: list[str]
) -> None:
    repo = make_repo(tmp_path)
    for path in ("a.py", "docs/a.md", "src/a.py", "src/gen/b.py", "src/x.md"):
        repo.write(path)
    if shape == "plain":
        os.rename(tmp_path / ".git", tmp_path.parent / f"{tmp_path.name}.git")
    else:
        repo.commit()
    source = listing(tmp_path, "HEAD" if shape == "commit" else None, include=include, exclude=exclude)
    assert list(reasons(source)) == kept
