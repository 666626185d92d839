"""Tests of the budget of a parse: what it counts, and that it changes nothing in code as people write it."""

from __future__ import annotations

import sys

import pytest
from codequarry.pipeline.extract import Limits, file_facts, parse
from codequarry.pipeline.extract._parse import Refused, _edited, _Work, grammar
from codequarry.pipeline.extract._query import items
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tree_sitter import Node, Parser

ENDLESS = {
    "c": ("/* ", "int after(void)\n{\n}\n", "function after"),
    "dart": ("-", "class After {\n}\n", "class After"),
    "java": ("/* ", "class After {\n}\n", "class After"),
    "javascript": ("/* ", "function after() {\n}\n", "function after"),
    "perl": ("_; my", "sub after {\n}\n", "function after"),
    "php": ("/** a<?php\n", "function after() {\n}\n", "function after"),
    "swift": ("/* ", "class After {\n}\n", "class After"),
}
"""Pieces that make the parser read on to the end of the text each time, or back to the start of the line, or try for ever to
recover; and a declaration after them."""


@pytest.mark.parametrize("language", sorted(ENDLESS))
def test_tokens_without_end_use_up_the_budget(language: str) -> None:
    piece, declaration, expected = ENDLESS[language]
    start = "<?php\n" if language == "php" else "my ($x) = @" if language == "perl" else ""
    text = f"{start}{piece * (200_000 // len(piece))}\n{declaration}"
    with pytest.raises(Refused):
        parse(text.encode(), language)
    facts = file_facts(text.encode(), language, "a", Limits())
    assert (facts.status, facts.reason, facts.text) == ("partial", "parse_failed: budget", text)
    assert [f"{s.kind} {s.name}" for s in facts.symbols] == [expected]


def test_a_parser_is_as_good_as_new_after_a_refusal() -> None:
    with pytest.raises(Refused):
        parse(b"/* " * 70_000, "c")
    again = "int f(void);\n" * 3_000
    assert str(parse(again.encode(), "c").root_node) == str(Parser(grammar("c")).parse(again.encode()).root_node)


def test_a_tiny_text_is_read_whatever_it_is() -> None:
    assert file_facts(b"/* " * 170, "c", "a.c", Limits()).reason == "parse_errors"


def test_the_budget_depends_on_the_text_alone() -> None:
    """A parser that has read other texts before counts the same steps."""
    parser, text = Parser(grammar("go")), b"package a\n" + b"func f(a int) int { return a }\n" * 500
    left = []
    for before in (b"", b"package a\n", b"/* " * 100, b"x" * 7_777):
        _Work(before).tree(parser)
        work = _Work(text)
        work.tree(parser)
        left.append((len(work._steps), work._bytes))
    assert left == [left[0]] * 4


@settings(max_examples=8, deadline=None)
@given(
    st.lists(
        st.sampled_from(["int é(int a) { return 'x'; }\n", "// ☃ b\n", "struct s { int a; };\n", "int b[] = {1,\n"]),
        min_size=1,
    )
)
def test_reading_in_pieces_gives_the_same_tree(pieces: list[str]) -> None:
    data = ("".join(pieces) * (60_000 // len("".join(pieces)))).encode()
    try:
        tree = parse(data, "c")
    except Refused:  # thousands of open braces are beyond the budget
        assume("int b[] = {1,\n" not in pieces)
        raise
    assert str(tree.root_node) == str(Parser(grammar("c")).parse(data).root_node)


def test_predicates_see_the_text_of_a_large_file() -> None:
    long_name = "n" * 1_000
    text = "class A\n" + f"  attr_reader :a\n  other :b\n  attr_reader :{long_name}\n" * 40 + "end\n"
    tree = parse(text.encode(), "ruby")
    names = [text[i.name_start : i.name_end] for i in items(tree, "ruby") if i.kind == "property"]
    assert names == [":a", f":{long_name}"] * 40
    node = tree.root_node.descendant_for_byte_range(text.index(long_name), text.index(long_name) + 1000)
    assert node is not None
    assert node.text == f":{long_name}".encode()


def test_a_text_is_not_kept_once_its_tree_is_gone() -> None:
    text = b"def f(x):\n    return x\n" * 2000
    held = sys.getrefcount(text)
    tree = parse(text, "python")
    assert tree.root_node.children[0].text == b"def f(x):\n    return x"
    del tree
    assert sys.getrefcount(text) == held


PIECES = (
    "API int f(void);\n",
    "int WINAPI g(int x) {\n  return x;\n}\n",
    "struct s { int a; };\n",
    "// it's\n",
    "int v = 1;\n",
)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=20, max_size=60))
def test_a_tree_of_a_text_that_differs_little_gives_the_same_tree(pieces: list[str]) -> None:
    """Each macro is blanked out, so that the second text has no error."""
    first = "".join(pieces).encode()
    second = first.replace(b"WINAPI", b"      ").replace(b"API", b"   ")
    tree = parse(first, "c")
    before = str(tree.root_node)
    again = parse(second, "c", (tree, first))
    fresh = Parser(grammar("c")).parse(second)
    assert not fresh.root_node.has_error
    assert _ranges(again.root_node) == _ranges(fresh.root_node)
    assert str(tree.root_node) == before


def test_a_text_that_differs_in_many_places_is_parsed_anew() -> None:
    first = b"API int function(void);\n" * 300
    second = first.replace(b"API", b"   ")
    tree = parse(first, "c")
    assert _edited(tree, first, first) is tree
    assert _edited(tree, first, second) is None
    assert _ranges(parse(second, "c", (tree, first)).root_node) == _ranges(parse(second, "c").root_node)


def _ranges(node: Node) -> list[tuple[str, int, int, int, int]]:
    found = [(node.type, *node.byte_range, node.start_point.row, node.end_point.column)]
    return found + [row for child in node.children for row in _ranges(child)]
