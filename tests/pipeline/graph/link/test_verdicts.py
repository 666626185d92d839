"""The edges that were judged by reading the code: what the committed verdicts say."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

_FOLDER = Path(__file__).parents[3] / "data" / "edges"
_FIELDS = (
    "repository", "commit", "when", "seed", "path", "line", "caller", "kind", "rule", "callee_path", "callee_line", "callee",
    "verdict", "reason",
)  # fmt: skip


@pytest.mark.parametrize(
    ("repository", "when", "right", "judged"),
    [
        ("sharkdp/fd", "before mending", 46, 50),
        ("sharkdp/fd", "after mending", 50, 50),
        ("rack/rack", "before mending", 50, 50),
        ("Seldaek/monolog", "before mending", 48, 50),
        ("Seldaek/monolog", "after mending", 49, 50),
    ],
)
def test_precision_of_the_judged_edges(repository: str, when: str, right: int, judged: int) -> None:
    rows = [json.loads(line) for line in (_FOLDER / "verdicts.jsonl").read_text("utf-8").splitlines()]
    assert all(tuple(row) == _FIELDS and row["reason"] and len(row["commit"]) == 40 for row in rows)
    counts = Counter(row["verdict"] for row in rows if (row["repository"], row["when"]) == (repository, when))
    assert counts == Counter({"right": right, "wrong": judged - right})


def test_no_edge_is_judged_twice() -> None:
    rows = [json.loads(line) for line in (_FOLDER / "verdicts.jsonl").read_text("utf-8").splitlines()]
    keys = [
        (r["repository"], r["seed"], r["path"], r["caller"], r["line"], r["callee_path"], r["callee_line"], r["kind"])
        for r in rows
    ]
    assert len(set(keys)) == len(keys)
