"""Sets come with what their members share, questions about two things with the chain between them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from codequarry.query import Answer, open_index
from codequarry.query.ranking.shapes import connect
from codequarry.query.text import answer_lines

from ..stores import EdgeSpec, FileSpec, SymbolSpec, build_store

OPENED = [pytest.param(True, id="resident"), pytest.param(False, id="lookup")]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("store")
    base = FileSpec(
        path="base.py", text="class Port: pass\n", symbols=(SymbolSpec(name="Port", kind="class", lines=(1, 1)),)
    )
    kinds = [
        FileSpec(
            path=f"{folder}/{name.lower()}.py",
            text=f"class {name}: pass # connector\n",
            symbols=(SymbolSpec(name=name, kind="class", lines=(1, 1)),),
        )
        for folder, name in (("a", "RedConnector"), ("a", "BlueConnector"), ("b", "ConnectorPool"), ("b", "ConnectorKind"))
    ]
    uses = FileSpec(
        path="use.py",
        text="def open_pool(): pass\ndef idle(): pass\n",
        symbols=(SymbolSpec(name="open_pool", lines=(1, 1)), SymbolSpec(name="idle", lines=(2, 2))),
    )
    edges = [
        EdgeSpec(src="RedConnector", dst="Port", kind="implements"),
        EdgeSpec(src="BlueConnector", dst="Port", kind="implements"),
        EdgeSpec(src="open_pool", dst="ConnectorPool"),
        EdgeSpec(src="open_pool", dst="RedConnector"),
        EdgeSpec(src="use.py", dst="idle", kind="contains"),
        EdgeSpec(src="use.py", dst="open_pool", kind="contains"),
    ]
    build_store(out, {"r": [base, *kinds, uses]}, edges=edges)
    return out


def ask(store: Path, query: str, *, resident: bool, k: int = 10) -> Answer:
    with open_index(store, resident=resident) as index:
        return index.search(query, k)


@pytest.mark.parametrize("resident", OPENED)
def test_clusters_have_a_key_a_reason_and_coverage(store: Path, resident: bool) -> None:
    answer = ask(store, "all connector classes", resident=resident, k=1)
    assert answer.family == "cross-cutting-set"
    assert len(answer.results) == 1
    assert answer.clusters is not None
    shown = [(c.reason, c.key, {key.partition("#")[2] for key in c.members}) for c in answer.clusters]
    assert ("shared base", "Port", {"RedConnector", "BlueConnector"}) in shown
    assert ("name", "connector…", {"ConnectorPool", "ConnectorKind"}) in shown
    for found in answer.clusters:
        assert found.coverage == len(found.members)
    members = [key for c in answer.clusters for key in c.members]
    assert len(members) == len(set(members))


@pytest.mark.parametrize("resident", OPENED)
@pytest.mark.parametrize("query", ["relationship between RedConnector and ConnectorPool", "RedConnector vs ConnectorPool"])
def test_the_chain_between_two_symbols(store: Path, resident: bool, query: str) -> None:
    answer = ask(store, query, resident=resident)
    assert answer.paths is not None
    (path,) = answer.paths
    assert (path.start.partition("#")[2], path.end.partition("#")[2]) == ("RedConnector", "ConnectorPool")
    links = [(link.key.partition("#")[2], link.kind, link.forward) for link in path.links]
    assert links == [("open_pool", "calls", False), ("ConnectorPool", "calls", True)]


@pytest.mark.parametrize("resident", OPENED)
def test_no_chain_leads_through_a_whole_file(store: Path, resident: bool) -> None:
    (path,) = ask(store, "idle vs open_pool", resident=resident).paths or ()
    assert path.links == ()


@pytest.mark.parametrize("query", ["relationship between things", "differences", "Red vs zzqx", "relations between a and"])
def test_no_paths_where_the_query_does_not_name_two_symbols(store: Path, query: str) -> None:
    answer = ask(store, f"{query} ", resident=True)
    assert answer.paths in (None, ())


def test_other_families_have_neither(store: Path) -> None:
    value = ask(store, "connector pool", resident=True).to_json()
    assert "clusters" not in value
    assert "paths" not in value


def test_in_words(store: Path) -> None:
    lines = [*answer_lines(ask(store, "all connector classes", resident=True))]
    assert any(line.startswith("set: shared base Port, 2 of ") and line.count("Connector") == 2 for line in lines)
    lines = [*answer_lines(ask(store, "RedConnector vs ConnectorPool", resident=True))]
    assert "path: RedConnector <-calls- open_pool -calls-> ConnectorPool" in lines
    lines = [*answer_lines(ask(store, "idle vs open_pool", resident=True))]
    assert "path: idle and open_pool: no chain of uses found" in lines


@pytest.mark.parametrize("resident", OPENED)
def test_of_several_symbols_of_the_name_any_may_start_or_end_a_chain(tmp_path: Path, resident: bool) -> None:
    files = [
        FileSpec(
            path=f"{folder}.py",
            text=f"class {name}: pass\n",
            symbols=(SymbolSpec(name=name, qualified_name=f"{folder}.{name}", kind="class", lines=(1, 1)),),
        )
        for folder, name in (("a", "BigTray"), ("b", "BigTray"), ("c", "RoundTable"), ("d", "RoundTable"))
    ]
    for src, dst in (("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")):
        out = tmp_path / f"{src}{dst}"
        build_store(out, {"r": files}, edges=[EdgeSpec(src=f"{src}.BigTray", dst=f"{dst}.RoundTable", kind="extends")])
        (path,) = ask(out, "BigTray vs RoundTable", resident=resident).paths or ()
        assert (path.start, path.end) == (f"r:{src}.py#{src}.BigTray", f"r:{dst}.py#{dst}.RoundTable")
        assert [(link.key, link.kind, link.forward) for link in path.links] == [(path.end, "extends", True)]
    assert ask(tmp_path / "ac", "BigTray vs BigTray", resident=resident).paths == ()


def test_the_start_is_the_end(store: Path) -> None:
    with open_index(store) as index:
        neighbours = index._opened_graph().neighbours
        assert connect(neighbours, [1], [1], np.zeros(0, np.int32)).steps == ()
