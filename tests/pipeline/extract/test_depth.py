"""Tests of the bound on the depth of a tree."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.extract._depth import MAX_IN_ERROR, MAX_TREE_DEPTH, errors, is_too_deep
from codequarry.pipeline.extract._parse import grammar
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_sitter import Parser, Query, QueryCursor, Tree


def tree_of(text: str) -> Tree:
    """Parse JavaScript without any bound."""
    return Parser(grammar("javascript")).parse(text.encode())


def test_a_small_tree_is_never_too_deep() -> None:
    assert not is_too_deep(tree_of(""))
    assert not is_too_deep(tree_of("x = " + "!" * 10_000 + "1"))


def test_a_wide_tree_is_not_too_deep() -> None:
    tree = tree_of("x = [" + "1," * 60_000 + "]")
    assert tree.root_node.descendant_count > 2 * MAX_TREE_DEPTH
    assert not is_too_deep(tree)


@pytest.mark.parametrize(("levels", "too_deep"), [(32_000, False), (50_000, True), (200_000, True)])
def test_chains_are_deep_to_the_left_and_to_the_right(levels: int, too_deep: bool) -> None:
    assert is_too_deep(tree_of("x = 1" + " + 1" * levels)) is too_deep
    assert is_too_deep(tree_of("x = " + "!" * levels + "1")) is too_deep


def test_a_chain_deep_inside_other_code_is_seen() -> None:
    statements = "f(1, 2);\n" * 30_000
    assert is_too_deep(tree_of(f"{statements}x = 1{' + 1' * 50_000};\n{statements}"))


@pytest.mark.parametrize("language", ["javascript", "typescript", "vue"])
def test_a_chain_that_is_too_deep_is_read_by_lines(language: str) -> None:
    text = f"let x = 1{'+1' * 70_000};\n\nfunction after() {{\n  return 1;\n}}\n"
    if language == "vue":
        text = f"<script>\n{text}</script>\n"
    facts = file_facts(text.encode(), language, "a", Limits())
    assert (facts.status, facts.reason, facts.text) == ("partial", "too_deep", text)
    line = 4 if language == "vue" else 3
    assert [(s.kind, s.name, s.start_line, s.end_line) for s in facts.symbols] == [("function", "after", line, line + 2)]


def test_a_tree_without_errors_is_not_tangled() -> None:
    assert errors(tree_of("x = [" + "1," * 100_000 + "];\n")) == frozenset()
    assert errors(tree_of("f();\n" * 50_000)) == frozenset()


def test_some_errors_in_a_wide_tree_do_not_tangle_it() -> None:
    lines = "function f() {}\n" * 20_000
    assert len(errors(tree_of(f"{lines}x = [;\n{lines}")) or ()) == 1
    assert errors(tree_of("x = [;\n" * 1_000)) is not None


_CODE = "class A {\n  f(x) { return `${x}` + [1, 2]; }\n}\nlet a = {b: 1};\n"


@settings(deadline=None)
@given(st.integers(0, len(_CODE)), st.integers(0, 9), st.sampled_from(["", "{", ")", "`", "#", "\u00a7", "(;"]))
def test_errors_are_those_that_a_query_finds(at: int, size: int, instead: str) -> None:
    tree = tree_of(_CODE[:at] + instead + _CODE[at + size :])
    query = QueryCursor(Query(grammar("javascript"), "(ERROR) @error (MISSING) @error"))
    found = query.captures(tree.root_node)
    assert errors(tree) == frozenset(node.byte_range for nodes in found.values() for node in nodes)


def test_an_error_with_a_great_many_children_tangles_a_tree() -> None:
    some, many = (Parser(grammar("bash")).parse(b'declare -r"""' + b"`" * n) for n in (MAX_IN_ERROR - 100, MAX_IN_ERROR))
    assert some.root_node.is_error
    assert many.root_node.child_count > MAX_IN_ERROR
    assert errors(some) is not None
    assert errors(many) is None


def test_many_broken_children_tangle_a_tree() -> None:
    piece = "?array $items = [];\n"
    text = "<?php\nclass A {\n    private " + piece * 6_000 + "    protected int $count;\n}\n\nfunction after() {\n}\n"
    assert errors(Parser(grammar("php")).parse(text.encode())) is None
    facts = file_facts(text.encode(), "php", "a.php", Limits())
    assert (facts.status, facts.reason) == ("partial", "parse_failed: budget")
    assert [(s.kind, s.name, s.start_line) for s in facts.symbols] == [("class", "A", 2), ("function", "after", 6006)]
