"""`codequarry evaluate` as it is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from codequarry.query.cli import run

from ..evaluation.made_history import build_history, build_small_store, git

METRICS = {"mrr", "ndcg_10", "recall_5", "recall_10"}
BASELINES = ["codequarry", "grep", "bm25", "bm25+walk", "meaning"]


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_history(tmp_path_factory.mktemp("evaluated") / "shop")


@pytest.fixture(scope="module")
def store(history: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_small_store(history, tmp_path_factory.mktemp("evaluated-store") / "store")


SCHEMAS = Path(__file__).parents[3] / "schemas" / "json"


def checked(text: str, name: str = "evaluate") -> dict[str, Any]:
    """Return a JSON value that the documented schema allows."""
    value: dict[str, Any] = json.loads(text)
    jsonschema.Draft202012Validator(json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))).validate(value)
    return value


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    found = run(["evaluate", *arguments])
    captured = capsys.readouterr()
    assert found == code, captured.err
    return captured.out if code == 0 else captured.err


def test_commits_are_asked_of_the_state_before_them(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = checked(told(capsys, "commits", str(history), "--no-ablations", "--json"))
    assert found["queries"] == 2
    assert list(found["metrics"]) == BASELINES
    assert all(set(values) == METRICS for values in found["metrics"].values())
    assert found["metrics"]["codequarry"] == {"mrr": 1.0, "ndcg_10": 1.0, "recall_5": 1.0, "recall_10": 1.0}
    assert found["about"]["commit"] == git(history, "rev-parse", "HEAD~3")
    assert [record["gold"] for record in found["records"]] == [{"cart.py": 1}, {"router.py": 1}]
    assert found["misses"] == []
    assert len(found["cost"]["ratio_to_bm25"]) == 5
    assert found["cost"]["index"]["cpu_s"] > 0
    assert found["sizes"]["total"] == sum(size for name, size in found["sizes"].items() if name != "total")


def test_each_signal_is_taken_out(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "commits", str(history), "--limit", "1", "--json"]) == 0
    captured = capsys.readouterr()
    found = checked(captured.out)
    assert found["queries"] == 1
    assert {"without overlap", "without meaning", "without symbol field name", "without role test"} <= set(found["metrics"])
    assert set(found["differences"]) == set(found["metrics"]) - {"codequarry"}
    asked = [*BASELINES, "ours without each of its signals"]
    assert captured.err.splitlines() == [f"ask: {name}" for name in asked]


def test_judged_queries_are_told_apart(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "asked.json"
    asked = [
        {"query": "open_cart", "symbols": {"Cart.open_cart": 2}, "difficulty": "easy", "category": "exact"},
        {"query": "match the longest router", "files": ["router.py"], "difficulty": "hard"},
        {"query": "zzz", "files": ["cart.py"], "difficulty": "hard"},
        {"query": "what is gone", "files": ["gone.py"]},
    ]
    file.write_text(json.dumps(asked))
    found = checked(told(capsys, "queries", str(file), "--index", str(store), "--no-ablations", "--json"))
    groups = found["groups"]["difficulty"]
    assert {name: group["queries"] for name, group in groups.items()} == {"easy": 1, "hard": 2}
    assert groups["easy"]["metrics"]["codequarry"]["mrr"] == 1.0
    assert groups["hard"]["metrics"]["codequarry"]["mrr"] == 0.5
    assert [miss["query"] for miss in found["misses"]] == ["zzz", "what is gone"]
    assert found["about"] == {"unanswerable": 1}
    assert found["hits"]["codequarry"]["hit_10"] == 0.5
    text = told(capsys, "queries", str(file), "--index", str(store), "--no-ablations")
    assert "difficulty hard: 2, mrr 0.500" in text
    assert "missed (no right answer among ten): 2\n  zzz  ->  cart.py" in text


def test_summaries_are_asked_of_the_code_alone(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = checked(told(capsys, "docs", "--index", str(store), "--limit", "5", "--no-ablations", "--json"))
    assert found["queries"] == 5
    assert all(record["query"].endswith(("is called", "good order")) for record in found["records"])
    assert found["snapshot"] != found["about"]["of"]
    assert found["metrics"]["codequarry"]["recall_10"] > 0


def test_a_store_without_model_has_no_meaning_to_ask(
    history: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "store"
    assert run(["index", str(history), "--out", str(out), "--model", "none", "--no-sources", "--quiet", "--jobs", "1"]) == 0
    file = tmp_path / "asked.json"
    file.write_text('[{"query": "open_cart", "files": ["cart.py"]}]')
    found = checked(told(capsys, "queries", str(file), "--index", str(out), "--no-ablations", "--json"))
    assert list(found["metrics"]) == ["codequarry", "bm25", "bm25+walk"]


def test_bad_input_is_one_sentence(tmp_path: Path, store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code, what in [
        (["commits", str(tmp_path)], 2, "is no git repository"),
        (["commits", str(tmp_path / "gone")], 2, "there is no folder"),
        (["queries", str(tmp_path / "gone.json"), "--index", str(store)], 2, "cannot be read"),
        (["docs", "--index", str(tmp_path)], 1, "is empty"),
    ]:
        text = told(capsys, *arguments, code=code)
        assert text.count("\n") == 1
        assert what in text
    git(tmp_path, "init", "-q")
    assert "too few commits" in told(capsys, "commits", str(tmp_path), code=1)


def test_a_store_without_documentation_has_nothing_to_ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "a.py").write_text("def a(): ...\n")
    store = build_small_store(tmp_path / "code", tmp_path / "store")
    assert "no symbol with a sentence" in told(capsys, "docs", "--index", str(store), code=1)


def test_the_gate_says_what_fell(store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, baseline = tmp_path / "asked.json", tmp_path / "baseline.json"
    file.write_text('[{"query": "open_cart", "symbols": ["open_cart"]}, {"query": "close_cart", "symbols": ["close_cart"]}]')
    asked = ["queries", str(file), "--index", str(store), "--no-ablations"]
    baseline.write_text(told(capsys, *asked, "--json"))
    assert "gate: nothing fell by more than 50 %" in told(capsys, *asked, "--gate", str(baseline), "--margin", "50")
    value = json.loads(baseline.read_text())
    value["sizes"]["total"] //= 2
    baseline.write_text(json.dumps(value))
    assert run(["evaluate", *asked, "--gate", str(baseline), "--margin", "50", "--json"]) == 1
    verdict = checked(capsys.readouterr().out)["gate"]
    assert [check["what"] for check in verdict["checks"] if check["fell"]] == ["bytes of total"]


def test_a_bad_baseline_is_told_before_anything_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "baseline.json").write_text("{}")
    text = told(capsys, "commits", str(tmp_path), "--gate", str(tmp_path / "baseline.json"), code=2)
    assert "is no evaluation" in text


def test_speed_is_that_of_real_and_of_made_up_code(
    history: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("codequarry.pipeline.evaluation.speed.SHARES", ())  # parts are looked at by themselves
    arguments = ["speed", str(history), "--symbols", "100", "--queries", "3", "--runs", "1", "--json"]
    points = checked(told(capsys, *arguments), "evaluate-speed")["points"]
    assert [(p["name"], p["made_up"]) for p in points] == [("shop", False), ("made up 100", True)]
    assert points[-1]["symbols"] in range(80, 101)
    assert all(p["index_cpu_s"] > 0 and p["cold_ms"] > 0 and p["queries"] == 3 for p in points)
