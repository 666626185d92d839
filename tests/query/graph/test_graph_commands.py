"""Relations, impact and paths over a store whose edges were written by hand."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from pathlib import Path

import pytest
from codequarry.query.connection import Connection
from codequarry.query.graph import AmbiguousError, related, relations, resolve
from codequarry.query.graph.about import info
from codequarry.query.graph.related import GROUPS, Relations, connecting_path, impact
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import CodequarryError

from ..stores import EdgeSpec, FileSpec, SymbolSpec, build_store

APP = FileSpec(
    path="app.py",
    text="class App:\n    def run(self):\n        start()\n\n\ndef start():\n    helper()\n\n\ndef main():\n    App().run()\n",
    symbols=(
        SymbolSpec(name="App", kind="class", lines=(1, 3), doc="The app."),
        SymbolSpec(name="run", kind="method", qualified_name="App.run", lines=(2, 3)),
        SymbolSpec(name="start", lines=(6, 7), signature="def start()"),
        SymbolSpec(name="main", lines=(10, 11)),
    ),
)
LIB = FileSpec(
    path="lib.py",
    text="def helper(): pass\nclass Base: pass\nclass Child(Base): pass\nclass Grandchild(Child):\n    def run(self): pass\n",
    symbols=(
        SymbolSpec(name="helper", lines=(1, 1)),
        SymbolSpec(name="Base", kind="class", lines=(2, 2)),
        SymbolSpec(name="Child", kind="class", lines=(3, 3)),
        SymbolSpec(name="Grandchild", kind="class", lines=(4, 5)),
        SymbolSpec(name="run", kind="method", qualified_name="Grandchild.run", lines=(5, 5)),
    ),
)
TEST = FileSpec(
    path="tests/test_app.py",
    text="def test_start(): start()\n",
    symbols=(SymbolSpec(name="test_start", lines=(1, 1), is_test=True),),
)
EDGES = (
    EdgeSpec(src="App", dst="App.run", kind="contains", confidence=1.0),
    EdgeSpec(src="App.run", dst="start", line=3),
    EdgeSpec(src="start", dst="helper", line=7),
    EdgeSpec(src="main", dst="App.run", line=11, confidence=0.5),
    EdgeSpec(src="main", dst="App", line=11),
    EdgeSpec(src="test_start", dst="start", line=1),
    EdgeSpec(src="test_start", dst="start", kind="tests", line=1),
    EdgeSpec(src="Child", dst="Base", kind="extends", line=3),
    EdgeSpec(src="Grandchild", dst="Child", kind="extends", line=4),
    EdgeSpec(src="Grandchild.run", dst="App.run", kind="overrides", line=5),
    EdgeSpec(src="app.py", dst="helper", kind="imports", line=1),
)


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    out = tmp_path_factory.mktemp("graph") / "store"
    build_store(out, {"shop": [APP, LIB, TEST]}, edges=EDGES)
    with Connection(open_snapshot(out)) as opened:
        yield opened


def shown(answer: Relations) -> dict[str, list[tuple[str | None, int, int]]]:
    """Return name, depth and line of every row, by group; groups without rows are left out."""
    return {
        name: [(row.place.qualified_name or row.place.path, row.depth, row.line) for row in rows]
        for name, rows in answer.groups.items()
        if rows
    }


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("shop:app.py#App.run", "shop:app.py#App.run"),
        ("App.run", "shop:app.py#App.run"),
        ("App::run", "shop:app.py#App.run"),
        ("App.run()", "shop:app.py#App.run"),
        ("app.py:3", "shop:app.py#App.run"),
        ("app.py:1", "shop:app.py#App"),
        ("app.py:9", "shop:app.py"),
        ("shop:app.py:7", "shop:app.py#start"),
        ("./app.py", "shop:app.py"),
        ("shop:tests/test_app.py", "shop:tests/test_app.py"),
        (" helper ", "shop:lib.py#helper"),
    ],
)
def test_what_a_name_stands_for(connection: Connection, name: str, key: str) -> None:
    assert resolve(connection, name).key == key


def test_a_name_of_several_symbols_is_never_the_first_of_them(connection: Connection) -> None:
    with pytest.raises(AmbiguousError, match="'run' stands for 2 symbols") as caught:
        resolve(connection, "run")
    assert [place.key for place in caught.value.candidates] == ["shop:app.py#App.run", "shop:lib.py#Grandchild.run"]
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "name", ["", "nope", "App.nope", "app.py:99", "nope.py:1", "p.run", "a" * 100_000, "'; DROP", "a:1:2"]
)
def test_what_is_not_there(connection: Connection, name: str) -> None:
    with pytest.raises(CodequarryError, match="the index holds no symbol, file or line"):
        resolve(connection, name)


def test_groups(connection: Connection) -> None:
    answer = relations(connection, resolve(connection, "start"), tuple(GROUPS))
    assert shown(answer) == {
        "callers": [("App.run", 1, 3), ("test_start", 1, 1)],
        "callees": [("helper", 1, 7)],
        "tests": [("test_start", 1, 1)],
    }
    assert shown(relations(connection, resolve(connection, "helper"), ["imported_by"])) == {
        "imported_by": [("app.py", 1, 1)]
    }


def test_the_surest_comes_first_and_totals_are_honest(connection: Connection) -> None:
    answer = relations(connection, resolve(connection, "App.run"), ["callers", "subtypes"], limit=1)
    assert shown(answer) == {"callers": [("main", 1, 11)], "subtypes": [("Grandchild.run", 1, 5)]}
    answer = relations(connection, resolve(connection, "start"), ["callers"], limit=1)
    assert (len(answer.groups["callers"]), answer.totals) == (1, {"callers": 2})


def test_depth(connection: Connection) -> None:
    base = resolve(connection, "Base")
    assert shown(relations(connection, base, ["subtypes"])) == {"subtypes": [("Child", 1, 3)]}
    deep = relations(connection, base, ["subtypes"], depth=5)
    assert shown(deep) == {"subtypes": [("Child", 1, 3), ("Grandchild", 2, 4)]}
    assert [row.via for row in deep.groups["subtypes"]] == ["shop:lib.py#Base", "shop:lib.py#Child"]


def test_impact_fades_with_every_step_and_every_other_use(connection: Connection) -> None:
    rows = impact(connection, resolve(connection, "helper")).groups["impact"]
    assert [(row.place.qualified_name or row.place.path, row.kind, row.depth) for row in rows] == [
        ("start", "calls", 1),
        ("test_start", "calls", 2),
        ("App.run", "calls", 2),
        ("app.py", "imports", 1),
        ("Grandchild.run", "overrides", 3),
        ("main", "calls", 3),
    ]
    two, three = 1 / log2(2 + 2 / 200), 1 / log2(2 + 3 / 200)
    start = 0.98 * two
    call, test = (start * how * 0.98 * three * 0.6 for how in (1.0, 0.3))
    assert [row.score for row in rows[:3]] == pytest.approx([start, 1 - (1 - call) * (1 - test), call])
    assert rows[3].score == pytest.approx(0.4 * 0.98 * two)


def test_the_impact_of_a_class_is_that_of_its_parts_too(connection: Connection) -> None:
    answer = impact(connection, resolve(connection, "App"), depth=1)
    assert [(r.place.qualified_name, r.kind) for r in answer.groups["impact"]] == [
        ("main", "calls"),
        ("Grandchild.run", "overrides"),
    ]
    assert answer.groups["impact"][0].score == pytest.approx(1 - (1 - 0.98) * (1 - 0.5), abs=0.01)


def test_a_path_leads_forwards_or_back(connection: Connection) -> None:
    main, helper = resolve(connection, "main"), resolve(connection, "helper")
    forwards = connecting_path(connection, main, helper)
    assert [r.place.qualified_name for r in forwards.groups["path"]] == ["App.run", "start", "helper"]
    back = connecting_path(connection, helper, main)
    assert back.symbol == main
    assert [r.place.qualified_name for r in back.groups["path"]] == ["App.run", "start", "helper"]
    assert connecting_path(connection, helper, resolve(connection, "Base")).groups == {"path": ()}
    assert connecting_path(connection, main, helper, depth=2).groups == {"path": ()}


def test_a_hub_is_shown_but_not_walked_through(connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(related, "HUB", 1)
    answer = relations(connection, resolve(connection, "helper"), ["callers"], depth=3)
    assert shown(answer) == {"callers": [("start", 1, 7)]}
    assert answer.notes == ("callers: not followed through 1 with more than 1 edges each",)
    assert answer.to_json()["complete"] is False


def test_a_circle_ends(tmp_path: Path) -> None:
    specs = tuple(SymbolSpec(name=name, lines=(i + 1, i + 1)) for i, name in enumerate("abc"))
    circle = [EdgeSpec(src=s, dst=d) for s, d in ("ab", "bc", "ca", "aa")]
    build_store(tmp_path, {"r": [FileSpec(path="a.py", text="a\nb\nc\n", symbols=specs)]}, edges=circle)
    with Connection(open_snapshot(tmp_path)) as opened:
        a = resolve(opened, "a")
        assert shown(relations(opened, a, ["callees"], depth=10)) == {"callees": [("b", 1, 1), ("c", 2, 1)]}
        assert len(impact(opened, a, depth=10).groups["impact"]) == 2


def test_info(connection: Connection) -> None:
    about = info(connection, resolve(connection, "App.run"))
    assert about.source == "    def run(self):\n        start()\n"
    assert about.counts == {"calls in": 1, "calls out": 1, "overrides in": 1}
    whole = info(connection, resolve(connection, "app.py"))
    assert [part.name for part in whole.outline] == ["App", "run", "start", "main"]
    assert (whole.source, whole.owner) == (None, None)
    assert info(connection, resolve(connection, "App")).doc == "The app."
