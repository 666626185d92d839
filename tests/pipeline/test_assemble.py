"""Shards from batches and paths: what follows from a path, by value. The merge's tests compare the rest."""

from __future__ import annotations

import pytest
from codequarry.pipeline._path_terms import path_terms
from codequarry.pipeline.assemble import assemble
from codequarry.pipeline.batch import facts_batch
from codequarry.pipeline.shards import Shard, ShardFile
from codequarry.schemas.tables import ROLES

from .made import file, symbol

ROLE = {name: 1 << i for i, name in enumerate(ROLES)}


@pytest.fixture
def shard() -> Shard:
    worker = file("def poll(): wait()\n", symbol("poll", 0, 18, body_start=12), symbol("poll", 5, 5, parent=0))
    files = [
        ShardFile("src/poll_worker.py", 19, "a" * 40, False),
        ShardFile("tests/empty.bin", None, None, False),
        ShardFile("x.py", 2, None, True),
    ]
    return assemble(files, [facts_batch([worker, file(None)]), facts_batch([file("x\n", generated=True)])])


def terms(shard: Shard) -> dict[str, tuple[int, int, int]]:
    """Return term to its symbol postings, file postings, and symbols that have it by their path alone."""
    return {row["term"]: (row["symbols"], row["files"], row["path_symbols"]) for row in shard.terms.to_pylist()}


def test_files(shard: Shard) -> None:
    rows = shard.files.to_pylist()
    assert [(r["path"], r["size"], r["blob"], r["symbol"]) for r in rows] == [
        ("src/poll_worker.py", 19, "a" * 40, 0),
        ("tests/empty.bin", None, None, 3),
        ("x.py", 2, None, 4),
    ]
    assert [(r["generated"], r["vendored"]) for r in rows] == [(False, False), (False, False), (True, True)]
    assert [r["roles"] for r in rows] == [0, ROLE["test"] | ROLE["non_code"], ROLE["vendored"] | ROLE["generated"]]
    assert [(r["basename_length"], r["directory_length"]) for r in rows] == [(4, 1), (2, 1), (2, 0)]


def test_symbols(shard: Shard) -> None:
    assert [(r["name"], r["file"], r["parent"], r["ordinal"], r["is_test"]) for r in shard.symbols.to_pylist()] == [
        ("poll_worker.py", 0, None, 1, False),
        ("poll", 0, None, 1, False),
        ("poll", 0, 1, 2, False),
        ("empty.bin", 1, None, 1, True),
        ("x.py", 2, None, 1, False),
    ]


def test_terms_of_paths_and_texts_are_put_together(shard: Shard) -> None:
    found = terms(shard)
    assert list(found) == sorted(found)
    assert found["poll"] == (2, 1, 0)
    assert found["wait"] == (1, 1, 0)
    assert found["pollwork"] == (0, 1, 2)
    assert found["src"] == (0, 1, 2)
    assert found["py"] == (0, 2, 2)
    assert found["bin"] == (0, 1, 0)
    assert found["x"] == (0, 1, 0)


def test_texts(shard: Shard) -> None:
    assert shard.texts.to_pylist() == [{"file": 0, "text": "def poll(): wait()\n"}, {"file": 2, "text": "x\n"}]


def test_as_many_facts_as_paths() -> None:
    with pytest.raises(ValueError, match="facts of 1 files for 0 paths"):
        assemble([], [facts_batch([file(None)])])


def test_path_terms_by_value() -> None:
    found = path_terms(["src/net/tcp_stream.rs", "net.rs", "src/src/x"])
    rows = zip(found.files.tolist(), (found.vocabulary[t] for t in found.terms), *found.planes.tolist(), strict=True)
    assert sorted(rows) == [
        (0, "net", 0, 1),
        (0, "rs", 1, 0),
        (0, "src", 0, 1),
        (0, "stream", 1, 0),
        (0, "tcp", 1, 0),
        (0, "tcpstream", 1, 0),
        (1, "net", 1, 0),
        (1, "rs", 1, 0),
        (2, "src", 0, 2),
        (2, "x", 1, 0),
    ]
    assert found.lengths.tolist() == [[4, 2, 1], [2, 0, 2]]


def test_no_paths() -> None:
    assert path_terms([]).lengths.shape == (2, 0)
