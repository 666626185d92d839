"""The text of an evaluation."""

from __future__ import annotations

from codequarry.pipeline.evaluation.building import Spent
from codequarry.pipeline.evaluation.questions import Question
from codequarry.pipeline.evaluation.results import Evaluation, Record
from codequarry.pipeline.evaluation.telling import evaluation_lines


def result(missed: int, found: int, **more: object) -> Evaluation:
    names = ("mrr", "ndcg_10", "recall_5", "recall_10", "hit_1", "hit_10")
    records = tuple(
        Record(
            question=Question(id=str(i), text=f"question {i}", gold={"a.py": 1}, category="fix" if i % 2 else "feat"),
            family="natural-descriptive",
            scores={"codequarry": dict.fromkeys(names, float(i >= missed)), "bm25": dict.fromkeys(names, 0.0)},
            top=("b.py",),
        )
        for i in range(missed + found)
    )
    plain: dict[str, object] = {
        "suite": "commits",
        "snapshot": "0123",
        "records": records,
        "systems": ("codequarry", "bm25"),
        "measures": names,
        "milliseconds": {"codequarry": [1.0, 2.0, 9.0], "bm25": [0.5]},
        "ratios": (20.0, 21.0),
        "sizes": {"total": 1500},
        "index_cost": None,
        "sources": (),
        "about": {"commit": "abc\x1b[31m"},
    }
    return Evaluation(**(plain | more))  # type: ignore[arg-type]  # fields by name


def test_figures_stand_in_a_line_a_system() -> None:
    lines = list(evaluation_lines(result(1, 3)))
    assert lines[0] == "commits: 4 questions, snapshot 0123"
    assert lines[1] == r"  commit: abc\x1b[31m"
    ours = next(line for line in lines if line.startswith("codequarry"))
    assert ours.split()[1:5] == ["0.750"] * 4
    assert ours.endswith("2.00")
    theirs = next(line for line in lines if line.startswith("bm25"))
    assert "-0.750*" in theirs


def test_groups_cost_and_misses_are_told() -> None:
    text = "\n".join(evaluation_lines(result(12, 2, index_cost=Spent(2.0, 3.0, 100.0))))
    assert "category feat: 7, mrr 0.143" in text
    assert "family natural-descriptive" not in text  # one family tells nothing
    assert "index: 2.00 CPU s, 3.00 s, peak 100 MB" in text
    assert "tables: 1.5 KB" in text
    assert "CPU of a query over that of plain BM25: 20.0, 21.0" in text
    assert "missed (no right answer among ten): 12" in text
    assert "  question 9  ->  a.py" in text
    assert "  and 2 more, see --json" in text
