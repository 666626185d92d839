"""The suite of commits and its figures are those of the evaluation kit that the project was measured with, where it is there."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from codequarry.pipeline.evaluation.history import hold_out, open_history
from codequarry.pipeline.evaluation.metrics import measure
from hypothesis import given
from hypothesis import strategies as st

from .made_history import build_history, git

KIT = Path(__file__).resolve().parents[4] / "shared" / "eval"
pytestmark = pytest.mark.skipif(not (KIT / "evalkit").is_dir(), reason="needs the evaluation kit beside the project")

NAMES = [f"f{i}.py" for i in range(70)]
THEIRS = {"mrr": "mrr", "ndcg_10": "ndcg10", "recall_5": "r5", "recall_10": "r10", "hit_1": "h1", "hit_10": "h10"}


@pytest.fixture(scope="module")
def kit() -> Any:
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    sys.path.insert(0, str(KIT))
    try:
        return [importlib.import_module(f"evalkit.{name}") for name in ("corpora", "metrics", "suites")]
    finally:
        sys.path.remove(str(KIT))
        sys.dont_write_bytecode = before


@pytest.mark.parametrize("mode", ["cc", "any"])
def test_the_same_commits_ask_the_same_of_the_same_state(
    kit: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    corpora, _, suites = kit
    repo = build_history(tmp_path / "made+shop" / "repo")
    if mode == "any":
        for minute in range(20, 60):
            (repo / "cart.py").write_text(f"x = {minute}\n")
            git(repo, "commit", "-qam", f"cart: keep number {minute} of the cart (#{minute})", minute=minute)
    defaults = {"types": ["feat", "fix", "perf", "refactor"], "max_gold": 8, "cap": 120, "mode": mode, "head": "HEAD"}
    (tmp_path / "made.json").write_text(json.dumps({"defaults": defaults, "repos": [{"mirror": "made/shop"}]}))
    monkeypatch.setattr(corpora, "MIRRORS", tmp_path)
    monkeypatch.setattr(corpora, "MANIFESTS", tmp_path)
    (theirs,) = suites.commits("made")
    ours = hold_out(open_history(repo))
    assert ours.style == {"cc": "conventional"}.get(mode, mode)
    assert ours.base == theirs["corpus"][1]
    assert [(q.id, q.text, sorted(q.gold)) for q in ours.questions] == [
        (q["commit"], q["query"], sorted(q["gold"])) for q in theirs["queries"]
    ]


@given(st.lists(st.sampled_from(NAMES), unique=True), st.sets(st.sampled_from(NAMES), min_size=1, max_size=8))
def test_the_same_answers_have_the_same_figures(kit: Any, ranked: list[str], gold: set[str]) -> None:
    theirs = kit[1].file_eval(ranked, gold)
    ours = measure(ranked, dict.fromkeys(gold, 1))
    assert ours == {name: pytest.approx(theirs[key]) for name, key in THEIRS.items()}
