"""Calls between files: both readers give the same, whatever the size of chunks; what cannot be is damage."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from codequarry.query.connection import Connection
from codequarry.query.readers import graph
from codequarry.query.readers.files import read_files
from codequarry.query.readers.graph import FileCalls, LookupGraph, ResidentGraph
from codequarry.query.store import open_snapshot

from ..stores import EdgeSpec, FileSpec, SymbolSpec, build_store

NAMES = "abcd"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four files of three symbols each; `a` calls `b` three times and `c` once, `b` calls itself and `d`, `d` calls `a`."""
    out = tmp_path_factory.mktemp("store")
    files = [
        FileSpec(path=f"{f}.py", text="x\n" * 3, symbols=tuple(SymbolSpec(name=f"{f}{i}", lines=(i, i)) for i in (1, 2, 3)))
        for f in NAMES
    ]
    edges = [
        EdgeSpec(src="a1", dst="b1", confidence=0.5),
        EdgeSpec(src="a2", dst="b2", confidence=0.25),
        EdgeSpec(src="a3", dst="b1", confidence=0.9),
        EdgeSpec(src="a3", dst="c1", confidence=0.3),
        EdgeSpec(src="b1", dst="b2"),
        EdgeSpec(src="b2", dst="d3", confidence=0.6),
        EdgeSpec(src="b2", dst="c3", kind="references"),
        EdgeSpec(src="d3", dst="a1", confidence=0.7),
    ]
    build_store(out, {"r": files}, edges=edges)
    return out


def told(calls: FileCalls, files: str) -> dict[str, dict[str, int]]:
    """Return the calls by the names of files."""
    runs = zip(files, calls.starts[:-1].tolist(), calls.starts[1:].tolist(), strict=True)
    pairs = {f: zip(calls.others[a:b].tolist(), calls.weights[a:b].tolist(), strict=True) for f, a, b in runs}
    return {f: {NAMES[other]: weight for other, weight in found} for f, found in pairs.items()}


@pytest.mark.parametrize("chunk", [1, 2, 65536])
@pytest.mark.parametrize("files", ["abcd", "ad", "b", ""])
def test_both_ways(store: Path, files: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "_CHUNK", chunk)
    snapshot = open_snapshot(store)
    wanted = np.array([NAMES.index(f) for f in files], np.int32)
    out = {"a": {"b": 100, "c": 30}, "b": {"d": 60}, "c": {}, "d": {"a": 70}}
    into = {"a": {"d": 70}, "b": {"a": 100}, "c": {"a": 30}, "d": {"b": 60}}
    with Connection(snapshot) as connection:
        columns = read_files(snapshot, connection)[0]
        for reader in (
            LookupGraph(snapshot, connection, columns),
            ResidentGraph(snapshot, partial(Connection, snapshot), columns),
        ):
            calls, called_by = reader.file_calls(wanted)
            assert told(calls, files) == {f: out[f] for f in files}
            assert told(called_by, files) == {f: into[f] for f in files}


def test_a_store_without_calls(tmp_path: Path) -> None:
    build_store(tmp_path, {"r": [FileSpec(path="a.py", text="x\n")]})
    snapshot = open_snapshot(tmp_path)
    with Connection(snapshot) as connection:
        columns = read_files(snapshot, connection)[0]
    calls, called_by = ResidentGraph(snapshot, partial(Connection, snapshot), columns).file_calls(np.array([0], np.int32))
    assert (calls.starts.tolist(), called_by.starts.tolist()) == ([0, 0], [0, 0])
