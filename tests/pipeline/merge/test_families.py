"""Families linked in children: the same bytes, and one sentence where the memory is too small."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.pipeline.cache import Values
from codequarry.pipeline.merge import Apart, MergeSource, families, merge
from codequarry.pipeline.shards import read, write
from codequarry.schemas.errors import UsageError

from .built import SHOP, Built, facts, shards_of

FILES = facts(
    {
        **SHOP,
        "lib/lib.go": 'package lib\n\nimport "fmt"\n\nfunc total() int { return one() }\n\nfunc one() int { return 1 }\n',
        "A.java": "class A { void run() { go(); } void go() {} }\n",
    }
)


def _merged(folder: Path, apart: Apart | None, kept: Values | None = None) -> Built:
    """Merge two equal repositories of several shards each, which are files."""
    sources = []
    for repo in ("one", "two"):
        paths = []
        for number, shard in enumerate(shards_of(FILES, (2, 4))):
            paths.append(folder / f"{repo}{number}.arrow")
            paths[-1].parent.mkdir(parents=True, exist_ok=True)
            write(paths[-1], shard)
        sources.append(MergeSource(repo=repo, shards=tuple(map(read, paths))))
    (folder / "snapshot").mkdir()
    return Built(folder=folder / "snapshot", merged=merge(sources, folder / "snapshot", kept=kept, apart=apart))


def test_children_find_the_same(tmp_path: Path) -> None:
    here = _merged(tmp_path / "here", None)
    kept = Values(tmp_path / "values")
    for name in ("apart", "again"):  # at the second time nothing is linked
        links = tmp_path / f"links-{name}"
        links.mkdir()
        there = _merged(tmp_path / name, Apart(folder=links, workers=2, least=1), kept)
        assert there.digests() == here.digests()
        assert there.merged == here.merged
        assert not list(links.iterdir())
    assert here.rows("edges")
    assert {row["target_path"] for row in here.rows("imports")} == {"cart.py", "pricing.py", None}


def test_too_little_memory_is_one_sentence(tmp_path: Path) -> None:
    links = tmp_path / "links"
    links.mkdir()
    with pytest.raises(UsageError, match=r"cannot be linked within the memory of this run \(.*\): index with a larger"):
        _merged(tmp_path / "small", Apart(folder=links, memory=1 << 16, least=1))


def test_no_child_is_started_for_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Values(tmp_path / "values")
    links = tmp_path / "links"
    links.mkdir()
    apart = Apart(folder=links, workers=2, least=1)
    first = _merged(tmp_path / "first", apart, kept)
    monkeypatch.setattr(families, "WorkerPool", None)  # which would fail
    assert _merged(tmp_path / "again", apart, kept).digests() == first.digests()
    monkeypatch.setattr(families, "KNOWN", 0)
    with pytest.raises(TypeError):
        _merged(tmp_path / "large", apart, kept)
