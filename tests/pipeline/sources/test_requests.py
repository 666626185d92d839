"""What the user may ask for, and how a wrong request is answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.pipeline.sources import SourceRequest, check_names, load_repos, parse_source
from codequarry.schemas.errors import UsageError


def test_a_folder_is_named_after_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    assert parse_source(str(folder)) == SourceRequest(name="shop", location=folder, named=False)
    assert parse_source(f"{folder}/").name == "shop"
    monkeypatch.chdir(folder)
    assert parse_source(".").name == "shop"
    assert parse_source("/").name == "root"


def test_a_bare_repository_is_named_without_its_suffix(tmp_path: Path) -> None:
    (tmp_path / "shop.git").mkdir()
    assert parse_source(str(tmp_path / "shop.git")).name == "shop"


def test_name_revision_and_globs(tmp_path: Path) -> None:
    request = parse_source(str(tmp_path), "v1", "mine", ["src/"], ["*.md"])
    assert request == SourceRequest(name="mine", location=tmp_path, rev="v1", include=("src/",), exclude=("*.md",))


def test_path_at_revision_splits_at_the_last_at(tmp_path: Path) -> None:
    folder = tmp_path / "a@b"
    folder.mkdir()
    assert parse_source(str(folder)).rev is None
    request = parse_source(f"{folder}@feature/x")
    assert (request.location, request.rev, request.name) == (folder, "feature/x", "a@b")


def test_an_existing_path_wins_over_a_revision(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a@b").mkdir()
    assert parse_source(str(tmp_path / "a@b")).location == tmp_path / "a@b"


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("{tmp}/gone", r"^there is no .*/gone: give a folder or a git repository that is there$"),
        ("{tmp}/gone@main", r"^there is no .*/gone: give"),
        ("{tmp}/file", r"^.*/file is not a folder: give a folder or a git repository$"),
        ("https://example.invalid/a/b.git", r"^there is no https://example.invalid/a/b.git: clone it and give the clone$"),
        ("git@example.invalid:a/b.git", r"^there is no git@example.invalid:a/b.git: clone it"),
        ("ssh://git@example.invalid/a", r"clone it"),
        ("", r"^an empty SOURCE names nothing: give"),
        ("@main", r"^there is no @main: give"),
    ],
)
def test_what_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, argument: str, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match=message):
        parse_source(argument.format(tmp=tmp_path))


def test_two_revisions_are_one_too_many(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="names a revision and --rev another"):
        parse_source(f"{tmp_path}@main", rev="dev")


@pytest.mark.parametrize("name", ["", "a:b", "a\nb", "a\x00", "\udcff"])
def test_names_that_cannot_stand_in_a_key(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot name a source"):
        parse_source(str(tmp_path), name=name)


def test_equal_names_are_refused_and_both_named(tmp_path: Path) -> None:
    for folder in ("a/shop", "b/shop"):
        (tmp_path / folder).mkdir(parents=True)
    one, two = parse_source(str(tmp_path / "a" / "shop")), parse_source(f"{tmp_path}/b/shop@main")
    check_names([one, parse_source(str(tmp_path), name="other")])
    with pytest.raises(UsageError, match=r"/a/shop and .*/b/shop@main are both named 'shop': give one another name"):
        check_names([one, two])
    with pytest.raises(UsageError, match="are both named"):
        check_names([one, one])


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "repos.toml"
    file.write_text(text, "utf-8")
    return file


def test_a_list_of_repositories(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    file = _file(
        tmp_path,
        """
        [[repos]]
        path = "one"
        [[repos]]
        name = "second"
        path = "./two"
        rev = "main"
        include = ["src/", "*.py"]
        exclude = ["tests/"]
        """,
    )
    assert load_repos(file) == (
        SourceRequest(name="one", location=tmp_path / "one"),
        SourceRequest(name="second", location=tmp_path / "two", rev="main", include=("src/", "*.py"), exclude=("tests/",)),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[repos]\n", "is not TOML"),
        ("title = 1\n", "unknown key 'title': only"),
        ("repos = 3\n", "repos must be a list of tables"),
        ("repos = [3]\n", "repos must be a list of tables"),
        ("", "lists no repository"),
        ("[[repos]]\nname = 'a'\n", r"repos\[0\]\.path is missing"),
        (
            "[[repos]]\npath = '.'\n[[repos]]\npath = '.'\nbranch = 'x'\n",
            r"repos\[1\]\.branch: unknown key: the keys are name",
        ),
        ("[[repos]]\npath = 3\n", r"repos\[0\]\.path is 3: it must be a string"),
        ("[[repos]]\npath = '.'\ninclude = 'src'\n", r"repos\[0\]\.include is 'src': it must be a list of strings"),
        ("[[repos]]\npath = '.'\nexclude = [1]\n", r"repos\[0\]\.exclude is \[1\]: it must be a list of strings"),
        ("[[repos]]\npath = '.'\nrev = true\n", r"repos\[0\]\.rev is True: it must be a string"),
        ("[[repos]]\npath = 'gone'\n", r"repos\[0\]\.path: there is no .*/gone"),
        ("[[repos]]\npath = 'repos.toml'\n", r"repos\[0\]\.path: .*/repos.toml is not a folder"),
        ("[[repos]]\npath = 'https://example.invalid/x'\n", r"there is no https://example.invalid/x: clone it"),
        ("[[repos]]\npath = '.'\nname = 'a:b'\n", "cannot name a source"),
        ('[[repos]]\npath = "a\\u0000b"\n', "there is no"),
    ],
)
def test_what_is_wrong_in_a_list_is_said_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load_repos(_file(tmp_path, text))


def test_a_list_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none.toml cannot be read \(No such file"):
        load_repos(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    with pytest.raises(UsageError, match="is not TOML"):
        load_repos(tmp_path / "latin.toml")
