"""What of an answer counts as one answer."""

from __future__ import annotations

from codequarry.pipeline.evaluation.questions import Question
from codequarry.pipeline.evaluation.rows import Found, answers, judgeable

ROWS = [
    Found("shop", "cart.py", "shop:cart.py#Cart.add", "Cart.add", "add"),
    Found("shop", "cart.py"),
    Found("shop", "pay.py", "shop:pay.py#add", "add", "add"),
    Found("other", "cart.py", "other:cart.py#Cart", "Cart", "Cart"),
]


def question(level: str, *gold: str) -> Question:
    return Question(id="q", text="?", gold=dict.fromkeys(gold, 1), level=level)


def test_at_file_level_each_path_counts_once() -> None:
    assert answers(ROWS, question("files", "pay.py")) == ["cart.py", "pay.py"]


def test_a_path_of_one_repository_is_named_with_it() -> None:
    assert answers(ROWS, question("files", "other:cart.py")) == ["cart.py", "pay.py", "other:cart.py"]


def test_at_symbol_level_whole_files_are_no_answers_and_names_count_once() -> None:
    assert answers(ROWS, question("symbols", "add")) == ["add", "other:cart.py#Cart"]


def test_symbols_are_judged_by_key_without_repository_or_by_qualified_name() -> None:
    found = answers(ROWS, question("symbols", "cart.py#Cart.add", "Cart"))
    assert found == ["cart.py#Cart.add", "shop:pay.py#add", "Cart"]


def test_what_can_be_judged_is_what_rows_are_called() -> None:
    assert judgeable(ROWS[:2]) == {"cart.py", "shop:cart.py", "shop:cart.py#Cart.add", "cart.py#Cart.add", "Cart.add", "add"}
