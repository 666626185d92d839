"""Tests of the facts of a file as a whole: statuses, order, offsets, lines, and that nothing raises."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from codequarry.pipeline.extract import Limits, facts_and_tree, file_facts, parse
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.languages import KINDS, LANGUAGES
from hypothesis import example, given, settings
from hypothesis import strategies as st

PARSED = sorted(name for name, row in LANGUAGES.items() if row.grammar is not None)
LIMITS = Limits()

WORDS = [
    *"def class function fn func struct enum interface impl trait pub static const let var export default type".split(),
    *"namespace template @a #[test] #ifdef #endif #define TEST_F Name _x a b é".split(),
    *"{ } ( ) [ ] < > ; : :: , . = => -> ' \" ` // /* */ # ///".split(),
    *("\n", "\n\n\n", "\t", "\x0c", "\n    ", " "),
]
PIECES = st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)


def check(facts: FileFacts) -> None:
    """Assert what holds of the facts of any file."""
    if facts.text is None:
        assert facts.status == "skipped"
        assert facts.reason
        assert facts.symbols == ()
        return
    assert (facts.status == "partial") == (facts.reason is not None)
    data = facts.text.encode()
    lines = data.split(b"\n")
    assert facts.lines == len(lines) - (lines[-1] == b"")
    order = [(s.start_byte, -s.end_byte) for s in facts.symbols]
    assert order == sorted(order)
    for i, s in enumerate(facts.symbols):
        assert s.kind in KINDS
        assert -1 <= s.parent < i
        assert 0 <= s.start_byte < s.end_byte <= len(data)
        assert s.start_byte < s.body_start <= s.end_byte
        assert 1 <= s.start_line <= s.name_line <= s.end_line <= len(lines)
        assert s.start_line == data.count(b"\n", 0, s.start_byte) + 1
        assert s.name
        assert s.qualified_name.endswith(s.name)
        first_word = s.name.split(" ")[0].encode()
        assert first_word in lines[s.name_line - 1]
        assert "\n" not in s.signature
        assert len(s.signature) <= LIMITS.max_signature
        assert len(s.doc) <= LIMITS.max_doc


@settings(deadline=None)  # the first example of a language compiles its query
@given(st.binary(max_size=300), st.sampled_from([*sorted(LANGUAGES), "nothing", None]))
def test_any_bytes(data: bytes, language: str | None) -> None:
    check(file_facts(data, language, "x", LIMITS))


@pytest.mark.parametrize("language", PARSED)
@settings(deadline=None, max_examples=30)
@given(PIECES)
@example("")
@example("class A { class A { class A {")
def test_any_soup_of_words(language: str, text: str) -> None:
    check(file_facts(text.encode(), language, "x", LIMITS))


@pytest.mark.parametrize("language", PARSED)
def test_pieces_of_real_files_in_any_order(language: str) -> None:
    shuffle = random.Random(7)
    for path in sorted((Path(__file__).parent.parent / "languages" / "cases" / language).glob("*.in")):
        lines = path.read_bytes().split(b"\n")
        for _ in range(8):
            start = shuffle.randrange(len(lines))
            picked = shuffle.sample(lines, k=len(lines) // 2) if shuffle.random() < 0.5 else lines[start : start + 40]
            check(file_facts(b"\n".join(picked), language, path.stem, LIMITS))


def test_statuses() -> None:
    assert file_facts(b"def f(): ...\n", "python", "a.py", LIMITS).status == "indexed"
    assert file_facts(b"def f(: ...\n", "python", "a.py", LIMITS).reason == "parse_errors"
    assert file_facts(b"\x00\x01\x02" * 50, "python", "a.py", LIMITS).reason == "binary"
    assert file_facts(b"any words\n", None, "a", LIMITS).symbols == ()
    assert file_facts(b"# words\n", "markdown", "a.md", LIMITS).language == "markdown"


@pytest.mark.parametrize(
    ("data", "lines"),
    [(b"", 0), (b"\n", 1), (b"x", 1), (b"x\n", 1), (b"x\ny", 2), (b"a\rb\rc", 1), (b"a\x0cb\x85c\n", 1), (b" \n\t\n", 2)],
)
def test_lines_are_counted_by_line_feed_alone(data: bytes, lines: int) -> None:
    assert file_facts(data, "python", "a.py", LIMITS).lines == lines


def test_offsets_are_those_of_utf8_after_the_byte_order_mark() -> None:
    facts = file_facts("\ufeffé = 1\r\n\r\ndef ü(): pass\r\n".encode(), "python", "a.py", LIMITS)
    assert facts.text is not None
    data = facts.text.encode()
    assert [(s.name, data[s.start_byte : s.end_byte].decode(), s.name_line) for s in facts.symbols] == [
        ("é", "é = 1", 1),
        ("ü", "def ü(): pass", 3),
    ]


def test_utf16_is_read() -> None:
    facts = file_facts("def f():\n    pass\n".encode("utf-16"), "python", "a.py", LIMITS)
    assert [(s.name, s.start_byte, s.end_byte) for s in facts.symbols] == [("f", 0, 17)]


def test_the_tree_belongs_to_the_text() -> None:
    facts, tree = facts_and_tree(b"\xef\xbb\xbfdef f(): ...\n", "python", "a.py", LIMITS)
    assert facts.text is not None
    assert tree is not None
    assert tree.root_node.end_byte == len(facts.text.encode())
    assert facts_and_tree(b"words", None, "a", LIMITS)[1] is None
    assert facts_and_tree(b"\x00" * 99, "python", "a.py", LIMITS)[1] is None


def test_the_language_of_a_header_is_told_by_all_of_its_text() -> None:
    text = b"/* " + b"a" * 20_000 + b" */\nclass A {\n public:\n  void f();\n};\n"
    facts = file_facts(text, "c", "a.h", LIMITS)
    assert facts.language == "cpp"
    assert [s.qualified_name for s in facts.symbols] == ["A", "A.f"]


def test_equal_bytes_give_equal_facts() -> None:
    data = b"class A:\n    def f(self): ...\n"
    assert file_facts(data, "python", "a.py", LIMITS) == file_facts(data, "python", "a.py", LIMITS)


def test_deeply_nested_names_stay_short() -> None:
    depth = 300
    text = "".join(f"{' ' * i}class Deep{i}:\n" for i in range(depth)) + " " * depth + "x = 1\n"
    facts = file_facts(text.encode(), "python", "a.py", LIMITS)
    check(facts)
    assert len(facts.symbols) == depth + 1
    assert max(len(s.qualified_name) for s in facts.symbols) <= 400


def test_a_grammar_that_needs_a_last_line_feed_gets_one() -> None:
    facts = file_facts(b"sub f { 1 } # words", "perl", "a.pl", LIMITS)
    check(facts)
    assert [s.name for s in facts.symbols] == ["f"]


def test_parse_needs_a_grammar() -> None:
    with pytest.raises(ValueError, match="text has no grammar"):
        parse(b"", "text")
