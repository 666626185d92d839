"""What sources are called, by real runs: given names, base names, and the plain folder that has none of its own."""

from __future__ import annotations

import json
from pathlib import Path

from ._index import git, snapshot_digests, summary, write

FILES: dict[str, str | bytes] = {"cart.py": "def add():\n    return 1\n"}


def repos(value: dict[str, object]) -> list[str]:
    sources = value["sources"]
    assert isinstance(sources, list)
    return [source["repo"] for source in sources]


def test_a_plain_folder_alone_gives_the_same_snapshot_wherever_it_lies(tmp_path: Path) -> None:
    for place in ("here", "another place"):
        write(tmp_path / place, FILES)
        assert repos(summary(place, "--out", f"out of {place}", cwd=tmp_path)) == ["local"]
    assert snapshot_digests(tmp_path / "out of here") == snapshot_digests(tmp_path / "out of another place")


def test_a_repository_and_folders_beside_others_have_their_base_names(tmp_path: Path) -> None:
    write(tmp_path / "shop", FILES)
    write(tmp_path / "bank", FILES)
    assert repos(summary("shop", "bank", cwd=tmp_path)) == ["bank", "shop"]
    git(tmp_path / "shop", "init", "-q")
    assert repos(summary("shop", "--out", "o2", cwd=tmp_path)) == ["shop"]
    assert repos(summary("bank", "--name", "given", "--out", "o3", cwd=tmp_path)) == ["given"]


def test_an_update_replaces_the_local_folder_and_keeps_another(tmp_path: Path) -> None:
    for place in ("shop", "bank"):
        write(tmp_path / place, FILES)
    assert repos(summary("shop", cwd=tmp_path)) == ["local"]
    assert repos(summary("shop", "--update", cwd=tmp_path)) == ["local"]
    assert repos(summary("bank", "--update", cwd=tmp_path)) == ["bank", "local"]
    assert json.loads((tmp_path / "out" / "latest.json").read_text())["local"] == "shop"
    assert repos(summary("shop", "--update", cwd=tmp_path)) == ["bank", "local"]


def test_an_empty_repository_can_be_indexed_twice(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    git(tmp_path / "shop", "init", "-q")
    states = [summary("shop", cwd=tmp_path)["sources"][0]["state"] for _ in range(2)]
    assert states == ["new", "unchanged"]
