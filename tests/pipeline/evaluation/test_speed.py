"""Made-up code, the queries that are drawn from a store, and how growth is fitted; what is measured is never looked at."""

from __future__ import annotations

import ast
import dataclasses
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from codequarry.pipeline.evaluation import warm
from codequarry.pipeline.evaluation.made_up import write_made_up
from codequarry.pipeline.evaluation.speed import Point, growth, probes, shares_of, speed_lines
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import CodequarryError


def point(symbols: int, made_up: bool = True, **costs: float) -> Point:
    plain: dict[str, Any] = {
        field.name: 1.0 for field in dataclasses.fields(Point) if field.name not in ("name", "made_up", "symbols")
    }
    return Point(name=f"p{symbols}", made_up=made_up, symbols=symbols, **(plain | costs))


def test_made_up_code_is_code_of_the_size_that_was_asked_for(tmp_path: Path) -> None:
    folder = write_made_up(tmp_path / "a", 1000)
    files = sorted(folder.rglob("*.py"))
    functions = [
        node for file in files for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.FunctionDef)
    ]
    assert 900 <= len(functions) <= 1000
    assert len(files) == 50
    assert any(ast.get_docstring(node) for node in functions)


def test_made_up_code_is_always_the_same(tmp_path: Path) -> None:
    one, other = (
        {str(f.relative_to(d)): f.read_bytes() for f in d.rglob("*.py")}
        for d in (write_made_up(tmp_path / "a", 200), write_made_up(tmp_path / "b", 200))
    )
    assert one == other
    third = write_made_up(tmp_path / "c", 200, seed=8)
    assert {f.read_bytes() for f in third.rglob("*.py")} != set(one.values())


def test_growth_is_the_power_and_the_line() -> None:
    points = [
        point(n, index_cpu_s=3.0 * n, cold_ms=7.0, warm_p50_ms=0.1 * n**0.5, load_ms=40 + 0.02 * n) for n in (100, 400, 1600)
    ]
    found = growth([*points, point(100, made_up=False)])
    assert list(found) == ["made_up"]
    assert found["made_up"]["index_cpu_s"] == pytest.approx((1.0, 0.0, 3000.0), abs=1e-3)
    assert found["made_up"]["warm_p50_ms"].exponent == pytest.approx(0.5)
    assert found["made_up"]["cold_ms"] == pytest.approx((0.0, 7.0, 0.0))
    assert found["made_up"]["load_ms"][1:] == pytest.approx((40.0, 20.0))


def test_points_and_growth_are_told() -> None:
    lines = list(speed_lines([point(100), point(400)]))
    assert lines[1].split()[:2] == ["p100", "100"]
    assert lines[3].startswith("growth of made-up code")
    assert lines[4].split() == ["index_cpu_s", "0.00", "1.00", "+", "0.00"]


def test_queries_are_all_different_and_always_the_same(store: Path) -> None:
    snapshot = open_snapshot(store)
    found = probes(snapshot, 30)
    assert len(found) == len(set(found)) == 30
    assert found == probes(snapshot, 30)
    assert {"open_cart", "open cart"} & set(probes(snapshot, 1000))


def test_parts_of_a_store_are_chosen_by_paths(store: Path, tmp_path: Path) -> None:
    parts = {
        share: {f.name for f in listed.parent.rglob("*.py")} for share, listed in shares_of(open_snapshot(store), tmp_path)
    }
    assert (
        parts[0.25]
        < parts[0.5]
        < {f"{name}.py" for name in ("cart", "parser", "router", "server", "cache", "lexer", "shelf")}
    )


def test_a_warm_process_leaves_the_query_that_loads_out(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["warm", str(store)])
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(["open_cart", "close cart", "parser"])))
    warm.main()
    assert len(json.loads(capsys.readouterr().out)["taken_ms"]) == 2


def test_what_has_no_symbols_cannot_be_measured(tmp_path: Path) -> None:
    from codequarry.pipeline.evaluation.speed import measure

    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.txt").write_text("nothing\n")
    with pytest.raises(CodequarryError, match="too few symbols"):
        list(measure([str(tmp_path / "code")], "code", made_up=True, queries=3, runs=1, jobs=1))
