"""Questions made of documentation, and sources without it."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from codequarry.pipeline.evaluation.summaries import (
    Documented,
    ask_summaries,
    documented,
    summary,
    without_docs,
    write_sources,
)
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import StoreError

from ...query.stores import FileSpec, SymbolSpec, build_store


def symbol(
    key: str, doc: str, start: int = 1, name: int = 1, end: int = 1, kind: str = "function", is_code: bool = True
) -> Documented:
    return Documented(0, key, kind, doc, start, name, end, is_code)


@pytest.mark.parametrize(
    ("doc", "sentence"),
    [
        ("Open the cart. Then close it.", "Open the cart"),
        ("Open the cart\nof the shop\n\nDetails", "Open the cart of the shop"),
        (": Open v1.2 of the cart!", "Open v1.2 of the cart"),
        ("Return one of the following:\n- a", "Return one of the following"),
        ("", ""),
    ],
)
def test_a_summary_is_the_first_sentence(doc: str, sentence: str) -> None:
    assert summary(doc) == sentence


def test_questions_are_whole_sentences_that_are_said_once() -> None:
    symbols = [
        symbol("r:a#one", "Open the cart of the shop."),
        symbol("r:a#short", "Open it."),
        symbol("r:a#two", "Say the very same thing."),
        symbol("r:b#two", "Say the very same thing."),
        symbol("r:t#test", "Open the cart in a test.", is_code=False),
    ]
    (question,) = ask_summaries(symbols, 10)
    assert (question.text, question.gold, question.category) == ("Open the cart of the shop", {"r:a#one": 1}, "function")


def test_the_same_ones_are_chosen_in_any_order() -> None:
    symbols = [symbol(f"r:a#{i}", f"Open cart number {i} of the shop.") for i in range(30)]
    chosen = ask_summaries(symbols, 7)
    assert len(chosen) == 7
    assert ask_summaries(symbols[::-1], 7) == chosen


def test_documentation_goes_and_lines_stay() -> None:
    text = (
        'x = "Open it."\n'
        + "\n" * 30
        + '# Counts the items.\ndef count():\n    """Count the items.\n\n    All of them.\n    """\n    return 1\n'
    )
    found = without_docs(text, [symbol("r:a#count", "Count the items.\n\nAll of them.", 33, 33, 37)])
    assert "Count the items." not in found
    assert "All of them." not in found
    assert "# Counts the items." in found
    assert found.count("\n") == text.count("\n")
    assert "return 1" in found


def test_sources_are_written_where_they_may_be(tmp_path: Path) -> None:
    sources = {
        0: ("shop", "src/cart.py", '"""Keeps the cart in order."""\n'),
        1: ("other", "../../out.py", "x"),
        2: ("other", ".git/config", "x"),
        3: ("other", ".gitignore", "*.py"),
        4: ("other", "/abs.py", "x"),
        5: ("other", "größe.py", "x\r\n"),
    }
    listed = write_sources(
        [symbol("shop:src/cart.py", "Keeps the cart in order.", kind="file")], sources, tmp_path / "texts"
    )
    repos = tomllib.loads(listed.read_text("utf-8"))["repos"]
    assert repos == [{"name": "other", "path": "0"}, {"name": "shop", "path": "1"}]
    written = {str(path.relative_to(listed.parent)): path.read_bytes() for path in listed.parent.rglob("*.py")}
    assert written == {"1/src/cart.py": b'""""""\n', "0/größe.py": b"x\r\n"}
    assert not (tmp_path / "out.py").exists()


def test_symbols_of_a_store_with_their_texts(tmp_path: Path) -> None:
    made = SymbolSpec(name="cart", lines=(1, 1), doc="Keeps the cart in order.")
    tests = SymbolSpec(name="test_cart", lines=(1, 1), doc="Sees the cart in order.", is_test=True)
    build_store(
        tmp_path,
        {
            "shop": [
                FileSpec(path="cart.py", text="def cart(): ...\n", symbols=(made,)),
                FileSpec(path="test_cart.py", text="def test_cart(): ...\n", symbols=(tests,), roles=("test",)),
            ]
        },
    )
    symbols, sources = documented(open_snapshot(tmp_path))
    assert [(s.doc, s.is_code) for s in symbols] == [("Keeps the cart in order.", True), ("Sees the cart in order.", False)]
    assert [path for _, path, _ in sources.values()] == ["cart.py", "test_cart.py"]


def test_a_store_without_texts_is_refused(store: Path, tmp_path: Path, history: Path) -> None:
    from codequarry.query.cli import run

    assert (
        run(["index", str(history), "--out", str(tmp_path), "--no-sources", "--quiet", "--jobs", "1", "--model", "none"])
        == 0
    )
    with pytest.raises(StoreError, match="holds no texts"):
        documented(open_snapshot(tmp_path))
