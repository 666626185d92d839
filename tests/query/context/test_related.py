"""What surrounds a definition in the graph, over a store whose edges were written by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from codequarry.query import Index, open_index
from codequarry.query.connection import Connection
from codequarry.query.context import Item, Packs
from codequarry.query.context.related import neighbours

from ..stores import EdgeSpec, FileSpec, SymbolSpec, build_store

FILES = [
    FileSpec(
        path="core.py",
        text="class Engine:\n    def frobnicate(self):\n        pass\n",
        symbols=(
            SymbolSpec(name="Engine", kind="class", lines=(1, 1)),  # so that it does not match by its body
            SymbolSpec(name="frobnicate", kind="method", qualified_name="Engine.frobnicate", lines=(2, 3)),
        ),
    ),
    FileSpec(
        path="start.py",
        text="def start():\n    one()\n    two()\n    three()\n    four()\n",
        symbols=(SymbolSpec(name="start", lines=(1, 5)),),
    ),
    FileSpec(path="wheel.py", text="def turn():\n    return 1\n", symbols=(SymbolSpec(name="turn", lines=(1, 2)),)),
    FileSpec(path="oil.py", text="class Oil:\n    pass\n", symbols=(SymbolSpec(name="Oil", kind="class", lines=(1, 2)),)),
    FileSpec(
        path="check.py", text="def check():\n    pass\n", symbols=(SymbolSpec(name="check", lines=(1, 2), is_test=True),)
    ),
]
EDGES = [
    EdgeSpec(src="Engine", dst="Engine.frobnicate", kind="contains", confidence=1.0, line=2),
    EdgeSpec(src="start", dst="Engine.frobnicate", line=4),
    EdgeSpec(src="Engine.frobnicate", dst="turn", line=3, confidence=0.5),
    EdgeSpec(src="Engine.frobnicate", dst="Oil", kind="references", line=2),
    EdgeSpec(src="check", dst="Engine.frobnicate", kind="tests", line=2),
    EdgeSpec(src="start.py", dst="Engine.frobnicate", kind="imports", line=1),
]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    build_store(tmp_path, {"engine": FILES}, edges=EDGES)
    with open_index(tmp_path, resident=False) as opened:
        yield opened


def test_neighbours_by_what_they_are_and_how_sure_it_is(index: Index) -> None:
    (hit,) = index.search("Engine.frobnicate", k=1).results
    rows = index.reader.rows(np.array([hit.symbol], np.int32))
    with Connection(index.snapshot, ("files", "symbols", "edges", "edges_in")) as connection:
        found = neighbours(connection, rows, [1.0])
        assert neighbours(connection, [], []) == []
    names = index.reader.rows(np.array([n.symbol for n in found], np.int32))
    assert [(row.name, n.relation, n.outward, n.line) for row, n in zip(names, found, strict=True)] == [
        ("start", "caller", False, 4),
        ("Oil", "type", True, 2),
        ("check", "test", False, 2),
        ("Engine", "scope", False, 2),
        ("turn", "callee", True, 3),
    ]
    assert [n.score for n in found] == pytest.approx([0.9 * 0.98, 0.8 * 0.98, 0.7 * 0.98, 0.6, 0.5])


def test_a_snapshot_without_edges_has_none(index: Index) -> None:
    rows = index.reader.rows(np.array([1], np.int32))
    with Connection(index.snapshot, ("files", "symbols")) as connection:
        assert neighbours(connection, rows, [1.0]) == []


def items(index: Index) -> dict[str, Item]:
    with closing(Packs(index)) as packs:
        return {item.name: item for item in packs.pack("frobnicate").items}


def test_the_part_that_matters_of_what_uses_a_definition_is_the_place(index: Index) -> None:
    found = items(index)
    start = found["start"]
    assert [block.lines for block in start.blocks] == [tuple(FILES[1].text.split("\n")[:5])]
    assert start.source == "graph_edge"
    assert start.edge is not None
    assert (start.edge.via, start.edge.path, start.edge.line) == ("engine:core.py#Engine.frobnicate", "start.py", 4)
    assert start.text.startswith("\n### start.py:1-5 function start, calls Engine.frobnicate\n```python\ndef start():\n")


def test_of_what_a_definition_uses_the_declaration_is_shown(index: Index) -> None:
    turn = items(index)["turn"]
    assert turn.edge is not None
    assert (turn.edge.relation, turn.edge.path, turn.edge.line) == ("callee", "core.py", 3)
    assert (
        turn.text
        == "\n### wheel.py:1-2 function turn, called by Engine.frobnicate\n```python\ndef turn():\n    return 1\n```\n"
    )


def test_what_encloses_a_definition_is_a_line(index: Index) -> None:
    scope = items(index)["Engine"]
    assert (scope.source, [block.lines for block in scope.blocks]) == ("lexical_scope", [("class Engine:",)])
    assert scope.text == "\n### core.py:1 class Engine, around Engine.frobnicate\n```python\nclass Engine:\n```\n"


def test_definitions_come_before_what_surrounds_them(index: Index) -> None:
    with closing(Packs(index)) as packs:
        text = packs.pack("frobnicate").text
    assert re.findall("^## .*", text, re.M) == ["## Definitions", "## Callers, callees, types, tests"]
