"""The code graph across shards and repositories: from texts to the rows of its tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from codequarry.schemas.tables import EDGE_KINDS, EVIDENCE

from .built import SHOP, Built, blocks, build, facts, ids, named

LIB = {"lib.go": "package lib\n\nfunc total() int { return 1 }\n"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(tmp_path_factory.mktemp("graph") / "s", {"shop": facts(SHOP), "lib": facts(LIB)}, bounds=[1])


def test_edges_by_value(shop: Built) -> None:
    names = named(shop)
    found = [
        (names[r["src"]], r["kind"], names[r["dst"]], r["line"], r["sites"], r["rule"], r["evidence"])
        for r in shop.rows("edges")
        if r["kind"] != "contains"
    ]
    assert sorted(found) == [
        ("cart.py", "imports", "total", 1, 1, "import", "structural"),
        ("checkout", "calls", "total", 5, 2, "import", "direct"),
        ("test_checkout", "calls", "checkout", 6, 1, "import", "direct"),
        ("test_checkout", "tests", "checkout", 6, 1, "import", "reinforcing"),
        ("tests/test_cart.py", "imports", "checkout", 2, 1, "import", "structural"),
        ("total", "calls", "Rate", 7, 1, "scope", "direct"),
        ("total", "calls", "Rate.apply", 7, 1, "typed", "direct"),
    ]


def test_a_file_and_a_class_contain_what_they_own(shop: Built) -> None:
    names = named(shop)
    rows = [r for r in shop.rows("edges") if r["kind"] == "contains"]
    assert [(names[r["src"]], names[r["dst"]], r["line"]) for r in rows] == [
        ("lib.go", "total", 3),
        ("cart.py", "checkout", 4),
        ("pricing.py", "Rate", 1),
        ("pricing.py", "total", 6),
        ("Rate", "Rate.apply", 2),
        ("tests/test_cart.py", "test_checkout", 5),
    ]
    assert {(r["confidence"], r["rule"], r["evidence"], r["sites"]) for r in rows} == {(1.0, "syntax", "structural", 1)}


def test_rows_are_in_their_order_and_say_their_repository(shop: Built) -> None:
    rows = shop.rows("edges")
    order = [(r["src"], EDGE_KINDS.index(r["kind"]), r["dst"]) for r in rows]
    assert order == sorted(set(order))
    repos = {r["symbol"]: r["repo"] for r in shop.rows("symbols")}
    assert [r["repo"] for r in rows] == [repos[r["src"]] for r in rows]


@pytest.mark.parametrize(("table", "end", "other"), [("edges_out", "src", "dst"), ("edges_in", "dst", "src")])
def test_neighbours_are_the_edges_again(shop: Built, table: str, end: str, other: str) -> None:
    found = []
    for row in shop.rows(table):
        others = ids(row["others"])
        codes = [row[name] for name in ("kinds", "evidence", "confidences")]
        assert row["degree"] == len(others) == len(codes[0]) == len(codes[1]) == len(codes[2])
        found += [(row["symbol"], o, *code) for o, *code in zip(others, *codes, strict=True)]
    assert found == sorted(found)
    assert found == sorted(
        (r[end], r[other], EDGE_KINDS.index(r["kind"]), EVIDENCE.index(r["evidence"]), round(100 * r["confidence"]))
        for r in shop.rows("edges")
    )


def test_imports(shop: Built) -> None:
    assert [(r["repo"], r["src_path"], r["line"], r["module"], r["target_path"]) for r in shop.rows("imports")] == [
        ("shop", "cart.py", 1, "pricing", "pricing.py"),
        ("shop", "tests/test_cart.py", 1, "os", None),
        ("shop", "tests/test_cart.py", 2, "cart", "cart.py"),
    ]


def test_callers_and_degrees(shop: Built) -> None:
    names, statistics = named(shop), shop.rows("symbol_statistics")
    callers, degree = (blocks(statistics, name, "<i4") for name in ("callers", "degree"))
    assert {names[i]: n for i, n in enumerate(callers) if n} == {"checkout": 1, "total": 1, "Rate": 1, "Rate.apply": 1}
    assert degree[next(i for i, name in names.items() if name == "checkout")] == 4


def test_any_cut_gives_the_same_graph(shop: Built, tmp_path: Path) -> None:
    whole = build(tmp_path / "whole", {"lib": facts(LIB), "shop": facts(SHOP)})
    assert whole.digests() == shop.digests()
    assert whole.merged == shop.merged


def test_repositories_of_one_store_are_linked(tmp_path: Path) -> None:
    app = {"main.go": 'package main\n\nimport "example.com/lib"\n\nfunc main() { lib.Total() }\n'}
    lib = {"go.mod": "module example.com/lib\n", "lib.go": "package lib\n\nfunc Total() int { return 1 }\n"}
    built = build(tmp_path / "s", {"app": facts(app), "lib": facts(lib)})
    names = named(built)
    calls = [(names[r["src"]], names[r["dst"]], r["evidence"]) for r in built.rows("edges") if r["kind"] == "calls"]
    assert calls == [("main", "Total", "boundary")]


def test_what_stays_open_is_counted_by_language(tmp_path: Path) -> None:
    built = build(tmp_path / "s", {"r": facts({"a.py": "def f(x):\n    x.go()\n    len(x)\n"})})
    assert built.merged.statistics["unresolved"] == [
        {"language": "python", "kind": "call", "reason": "external", "references": 1},
        {"language": "python", "kind": "call", "reason": "unknown", "references": 1},
    ]
    assert np.sum(blocks(built.rows("symbol_statistics"), "callers", "<i4")) == 0
