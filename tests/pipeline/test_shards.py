"""Shards: where a repository is cut, and files mapped into memory."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pytest
from codequarry.pipeline.assemble import assemble
from codequarry.pipeline.batch import facts_batch
from codequarry.pipeline.shards import TABLES, CutRule, Shard, ShardFile, cut, read, write
from hypothesis import given
from hypothesis import strategies as st

from .made import file, symbol

RULE = CutRule(at_least=100, at_most=300, odds=2)
PATHS = st.integers(0, 129).map(lambda n: f"d{n // 10:02}/f{n % 10}.py")
FILES = st.dictionaries(PATHS, st.integers(0, 120), max_size=40)


def cut_paths(sizes: dict[str, int], rule: CutRule = RULE) -> list[tuple[str, ...]]:
    """Cut a tree given as path to size."""
    paths = sorted(sizes)
    return [tuple(paths[i] for i in run) for run in cut(paths, [sizes[p] for p in paths], rule)]


@given(FILES)
def test_every_file_is_in_one_run_in_order(sizes: dict[str, int]) -> None:
    runs = cut_paths(sizes)
    assert [path for run in runs for path in run] == sorted(sizes)
    assert all(runs)
    for run in runs:
        assert len(run) == 1 or sum(sizes[p] for p in run) <= RULE.at_most
    for before, after in pairwise(runs):
        held = sum(sizes[p] for p in before)
        assert held + sizes[after[0]] > RULE.at_most or held >= RULE.at_least
        if held + sizes[after[0]] <= RULE.at_most:
            assert before[-1].split("/")[0] != after[0].split("/")[0]


def test_a_new_file_changes_one_run_of_many() -> None:
    sizes = {f"d{i:03}/f{k}.py": 20 for i in range(200) for k in range(3)}
    rule = CutRule(at_least=200, at_most=100_000, odds=4)
    before = cut_paths(sizes, rule)
    after = cut_paths(sizes | {"d077/new.py": 20}, rule)
    assert len(before) > 10
    assert len(set(before) - set(after)) == 1
    assert len(set(after) - set(before)) == 1


def test_small_repositories_are_one_shard_and_empty_ones_none() -> None:
    assert cut(["a", "b/c"], [10, 20], CutRule()) == [range(2)]
    assert cut([], [], CutRule()) == []


def test_three_slices_can_be_forced() -> None:
    rule = CutRule(at_least=1, at_most=1, odds=1)
    assert cut(["a/x", "b/x", "c/x"], [1, 1, 1], rule) == [range(1), range(1, 2), range(2, 3)]


@pytest.fixture
def shard() -> Shard:
    facts = facts_batch([file("def f(): pass\n", symbol("f", 0, 13, body_start=9)), file(None)])
    return assemble([ShardFile("a/b.py", 14, "0" * 40, False), ShardFile("c.png", 5, None, False)], [facts])


def test_written_and_read(shard: Shard, tmp_path: Path) -> None:
    path = tmp_path / "0.shard"
    write(path, shard)
    again = read(path)
    assert all(getattr(again, name).equals(getattr(shard, name)) for name in TABLES)
    assert sorted(tmp_path.iterdir()) == [path]


def test_same_shard_same_bytes(shard: Shard, tmp_path: Path) -> None:
    for name in ("one", "two"):
        write(tmp_path / name, shard)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="only Linux tells what is resident")
def test_pages_are_given_back_and_come_back(shard: Shard, tmp_path: Path) -> None:
    path = tmp_path / "0.shard"
    write(path, replace(shard, texts=pa.table({"file": [0], "text": ["x" * 300_000]})))
    again = read(path)
    text = again.texts["text"][0].as_py()
    assert _resident(path) >= 300
    again.release()
    assert _resident(path) == 0
    assert again.texts["text"][0].as_py() == text == "x" * 300_000
    shard.release()  # which is no file


def _resident(path: Path) -> int:
    """Return how many KB of a mapped file are in memory."""
    lines = Path("/proc/self/smaps").read_text().splitlines()
    start = next(i for i, line in enumerate(lines) if line.endswith(str(path)))
    return next(int(line.split()[1]) for line in lines[start:] if line.startswith("Rss:"))
