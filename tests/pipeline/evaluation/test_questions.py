"""Files of judged queries: what they may hold, and what is said of what they may not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from codequarry.pipeline.evaluation.questions import Question, read_questions
from codequarry.schemas.errors import UsageError


def written(tmp_path: Path, value: Any) -> Path:
    file = tmp_path / "asked.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return file


def test_questions_are_read_with_all_they_may_have(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        [
            {"query": "where are carts", "files": {"src/cart.py": 3, "src/none.py": 0}, "id": "a", "difficulty": "hard"},
            {"query": "Cart", "symbols": ["Cart", "shop.Cart"], "category": "exact"},
        ],
    )
    assert read_questions(file) == [
        Question(id="a", text="where are carts", gold={"src/cart.py": 3}, difficulty="hard"),
        Question(id="q2", text="Cart", gold={"Cart": 1, "shop.Cart": 1}, level="symbols", category="exact"),
    ]


def test_one_object_a_line_will_do(tmp_path: Path) -> None:
    file = written(tmp_path, '{"query": "a b", "files": ["x"]}\n\n{"query": "c", "files": ["y"]}\n')
    assert [(q.id, q.text) for q in read_questions(file)] == [("q1", "a b"), ("q2", "c")]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("", "holds no query"),
        ("[]", "holds no query"),
        ("[", "is not JSON"),
        ('{"query": "a", "files": ["x"]}\n{', r"asked\.json:2 is not JSON"),
        (["a"], r"\[0\] is \"a\": it must be an object"),
        ([{"files": ["x"]}], r"\[0\]\.query is missing"),
        ([{"query": " ", "files": ["x"]}], r"\[0\]\.query is missing"),
        ([{"query": 1, "files": ["x"]}], r"\[0\]\.query is 1: it must be a string"),
        ([{"query": "a"}], "either files or symbols"),
        ([{"query": "a", "files": ["x"], "symbols": ["y"]}], "either files or symbols"),
        ([{"query": "a", "files": []}], r"\[0\]\.files is \[\]"),
        ([{"query": "a", "files": "x"}], r"\[0\]\.files is \"x\""),
        ([{"query": "a", "files": {"x": -1}}], "a grade is a whole number"),
        ([{"query": "a", "files": {"x": True}}], "a grade is a whole number"),
        ([{"query": "a", "files": {"x": 0}}], "no grade above 0"),
        ([{"query": "a", "files": ["x"], "grade": 1}], r"\.grade: unknown key"),
        ([{"query": "a", "files": ["x"], "id": "1"}] * 2, "two queries have the id '1'"),
        ([{"query": "a" * 60, "files": 1.5}], r"files is 1\.5"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, value: Any, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        read_questions(written(tmp_path, value))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_questions(tmp_path / "gone.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_questions(tmp_path / "bytes.json")
