"""`codequarry links` as a person meets it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from codequarry.query.cli import run
from codequarry.query.store import open_snapshot
from codequarry.schemas.manifest import dump, parse

from ..stores import FileSpec, LinkSpec, build_store
from ._refused import assert_refused
from .test_schemas import check

LINKS = (
    LinkSpec(path="a.md", line=2, destination="b.md", target="b.md"),
    LinkSpec(path="a.md", line=30, destination="src/#x", target="src/", anchor="x"),
    LinkSpec(path="a.md", line=31, destination="\x1b[31mgone.md", broken=True),
    LinkSpec(path="a.md", line=32, destination="b.md#no", target="b.md", anchor="no", broken=True),
    LinkSpec(path="b.md", line=5, destination="a.md#top", target="a.md", anchor="top"),
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = [FileSpec(path=path, text="", language="markdown") for path in ("a.md", "b.md", "src/c.md", "src/d/c.md")]
    build_store(tmp_path, {"shop": files}, doc_links=LINKS)
    monkeypatch.setenv("CODEQUARRY_INDEX", str(tmp_path))
    return tmp_path


def test_text(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["links", "a.md"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "shop:a.md",
        "links to",
        "     2  b.md",
        "    30  src/#x",
        "linked from",
        "  b.md:5  #top",
        "broken",
        "    31  \\x1b[31mgone.md  (nothing is there)",
        "    32  b.md#no  (b.md has no #no)",
    ]
    assert run(["links", "b.md"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "shop:b.md",
        "links to",
        "     5  a.md#top",
        "linked from",
        "  a.md:2",
        "  a.md:32  #no  (there is no such place)",
    ]
    assert run(["links", "src/c.md"]) == 0
    assert capfd.readouterr().out.splitlines() == ["shop:src/c.md", "  no links in the index"]


def test_json(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["links", "shop:b.md", "--json"]) == 0
    value = json.loads(capfd.readouterr().out)
    assert value["file"] == {"repo": "shop", "path": "b.md"}
    assert [link["line"] for link in value["incoming"]] == [2, 32]
    assert value["outgoing"][0] == {
        "repo": "shop",
        "path": "b.md",
        "line": 5,
        "form": "inline",
        "destination": "a.md#top",
        "target": "a.md",
        "anchor": "top",
        "broken": False,
    }
    assert value["broken"] == []


def test_an_ambiguous_path_lists_its_candidates(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["links", "c.md"]) == 2
    out, err = capfd.readouterr()
    assert out.splitlines() == ["shop:src/c.md", "shop:src/d/c.md"]
    assert err == "codequarry: 'c.md' stands for 2 files: give one as REPO:PATH\n"
    assert run(["links", "c.md", "--json"]) == 2
    value = json.loads(capfd.readouterr().out)
    check("links", value)
    assert (value["file"], value["total"]) == (None, 2)
    assert [candidate["path"] for candidate in value["candidates"]] == ["src/c.md", "src/d/c.md"]


def test_more_candidates_than_are_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build_store(tmp_path, {"r": [FileSpec(path=f"{i:02}/x.md", text="") for i in range(52)]})
    assert run(["links", "x.md", "--index", str(tmp_path)]) == 2
    assert capfd.readouterr().out.splitlines()[-2:] == ["r:49/x.md", "... and 2 more"]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["links", "nope.md"], 1, "the index holds no file 'nope.md'"),
        (["links"], 2, "Missing argument 'PATH'"),
        (["links", "a.md", "--index", "nowhere"], 1, "there is no artifact at"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    store: Path, capfd: pytest.CaptureFixture[str], args: list[str], code: int, said: str
) -> None:
    assert_refused(capfd, args, code, said)


def test_a_snapshot_without_the_table_says_so(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = open_snapshot(store).folder
    manifest = parse((folder / "manifest.json").read_bytes(), folder / "manifest.json")
    del manifest.tables["doc_links"]
    (folder / "manifest.json").write_bytes(dump(manifest))
    shutil.rmtree(folder / "doc_links")
    assert run(["links", "a.md", "--index", str(folder)]) == 4
    assert "lists no table doc_links: download or build the artifact again" in capfd.readouterr().err
