"""The documentation links of a file, from tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from codequarry.query.connection import Connection
from codequarry.query.links import AmbiguousPathError, FileName, links_of
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import CodequarryError

from .stores import FileSpec, LinkSpec, build_store

REPOS = {
    "bar": [FileSpec(path="README.md", text=""), FileSpec(path="docs/only.md", text="")],
    "zoo": [
        FileSpec(path="README.md", text=""),
        FileSpec(path="a/x.md", text=""),
        FileSpec(path="b/x.md", text=""),
        FileSpec(path="src/app.py", text=""),
    ],
}
LINKS = (
    LinkSpec(path="a/x.md", line=3, destination="../src/app.py#L1", target="src/app.py", anchor="L1"),
    LinkSpec(path="a/x.md", line=5, destination="gone.md", broken=True),
    LinkSpec(path="b/x.md", line=7, destination="../a/x.md#no", target="a/x.md", anchor="no", broken=True, form="html"),
)


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    out = tmp_path_factory.mktemp("links")
    build_store(out, REPOS, doc_links=LINKS)
    with Connection(open_snapshot(out), ("files", "doc_links")) as opened:
        yield opened


def test_outgoing_incoming_and_broken_links(connection: Connection) -> None:
    found = links_of(connection, "a/x.md")
    assert found.file == FileName("zoo", "a/x.md")
    assert [(link.line, link.target, link.anchor, link.broken) for link in found.outgoing] == [
        (3, "src/app.py", "L1", False),
        (5, None, None, True),
    ]
    assert [(link.path, link.line, link.form, link.broken) for link in found.incoming] == [("b/x.md", 7, "html", True)]
    assert [link.destination for link in found.broken] == ["gone.md"]
    assert [link.path for link in links_of(connection, "src/app.py").incoming] == ["a/x.md"]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs/only.md", ("bar", "docs/only.md")),
        ("./docs/only.md", ("bar", "docs/only.md")),
        ("only.md", ("bar", "docs/only.md")),
        ("zoo:README.md", ("zoo", "README.md")),
        ("zoo:app.py", ("zoo", "src/app.py")),
        ("a/x.md", ("zoo", "a/x.md")),
    ],
)
def test_a_path_names_a_file(connection: Connection, path: str, expected: tuple[str, str]) -> None:
    assert links_of(connection, path).file == expected


@pytest.mark.parametrize(
    ("path", "candidates"),
    [
        ("README.md", [("bar", "README.md"), ("zoo", "README.md")]),
        ("x.md", [("zoo", "a/x.md"), ("zoo", "b/x.md")]),
        ("zoo:x.md", [("zoo", "a/x.md"), ("zoo", "b/x.md")]),
    ],
)
def test_an_ambiguous_path_has_candidates(connection: Connection, path: str, candidates: list[tuple[str, str]]) -> None:
    with pytest.raises(AmbiguousPathError, match="stands for 2 files") as caught:
        links_of(connection, path)
    assert list(caught.value.candidates) == candidates
    assert caught.value.total == 2


@pytest.mark.parametrize("path", ["nope.md", "", "/", "docs", "bar:", "nope:README.md", "'; SELECT", "ME.md"])
def test_an_unknown_path_is_said(connection: Connection, path: str) -> None:
    with pytest.raises(CodequarryError, match="the index holds no file"):
        links_of(connection, path)
