"""The function that runs in children, called here."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from codequarry.pipeline import worker
from codequarry.pipeline.batch import decode
from codequarry.pipeline.extract import Limits, facts_and_tree
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.graph.facts import decode as decode_references
from codequarry.pipeline.links.marks import Mark
from codequarry.pipeline.links.marks import decode as decode_marks
from codequarry.pipeline.worker import FileTask, blank, extract, row_only
from tree_sitter import Tree

GOOD = FileTask(language="python", basename="a.py", data=b"def f(): pass\n")


def test_facts_come_back_in_order_with_the_time_of_each() -> None:
    skipped = row_only("go", "too_large", generated=True)
    found = extract([GOOD, skipped, GOOD._replace(data=b"\0\0")], Limits())
    files = decode(found.facts).files
    assert files["status"].to_pylist() == ["indexed", "skipped", "skipped"]
    assert files["reason"].to_pylist() == [None, "too_large", "binary"]
    assert files["language"].to_pylist() == ["python", "go", "python"]
    assert files["generated"].to_pylist() == [False, True, False]
    assert len(found.seconds) == 3
    assert all(second >= 0 for second in found.seconds)


def test_a_fault_of_ours_costs_one_file(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def faulty(data: bytes, language: str | None, basename: str, limits: Limits) -> tuple[FileFacts, Tree | None]:
        if basename == "bad.py":
            raise RecursionError("too deep for us")
        return facts_and_tree(data, language, basename, limits)

    monkeypatch.setattr(worker, "facts_and_tree", faulty)
    with caplog.at_level(logging.INFO):
        files = decode(extract([GOOD, GOOD._replace(basename="bad.py"), GOOD], Limits()).facts).files
    assert files["reason"].to_pylist() == [None, "parse_failed: RecursionError", None]
    assert caplog.messages == ["extraction of bad.py failed"]


def test_a_fault_in_collecting_references_costs_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object) -> None:
        raise IndexError

    monkeypatch.setattr(worker, "collect", faulty)
    batch = decode(extract([GOOD], Limits()).facts)
    assert batch.symbols["name"].to_pylist() == ["", "f"]
    assert batch.files["status"].to_pylist() == ["partial"]
    assert batch.files["reason"].to_pylist() == ["parse_failed: IndexError"]
    assert batch.files["references"].to_pylist() == [None]


def test_references_travel_with_the_facts() -> None:
    code = b"import os\n\ndef f():\n    return os.getcwd()\n"
    batch = decode(extract([GOOD._replace(data=code), GOOD._replace(language="json", data=b"{}")], Limits()).facts)
    found: list[Any] = batch.files["references"].to_pylist()
    assert found[1] is None
    assert [(i.module, i.line) for i in decode_references(found[0]).imports] == [("os", 1)]
    assert [(r.kind, r.chain, r.line) for r in decode_references(found[0]).references] == [("call", "os.getcwd", 4)]


def test_links_travel_with_the_facts() -> None:
    text = b"# A b\n\nSee [c](d.md#e).\n"
    tasks = [GOOD._replace(language="markdown", data=text), GOOD._replace(language="markdown", data=b"Text.\n"), GOOD]
    found: list[Any] = decode(extract(tasks, Limits()).facts).files["marks"].to_pylist()
    assert found[1:] == [None, None]
    assert decode_marks(found[0]) == (Mark("anchor", "a-b", 1), Mark("inline", "d.md#e", 3))


def test_a_lack_of_memory_is_for_the_pool_to_see(monkeypatch: pytest.MonkeyPatch) -> None:
    def hungry(*_: object) -> FileFacts:
        raise MemoryError

    monkeypatch.setattr(worker, "facts_and_tree", hungry)
    with pytest.raises(MemoryError):
        extract([GOOD], Limits())


@pytest.mark.parametrize("language", ["python", "typescript", "cpp"])
def test_a_blank_file_makes_a_language_ready(language: str) -> None:
    assert decode(extract([blank(language)], Limits()).facts).files["language"].to_pylist() == [language]
