"""The literal that every match of a regular expression holds."""

from __future__ import annotations

import pytest
from codequarry.query._literals import needed_literal


@pytest.mark.parametrize(
    ("expression", "literal"),
    [
        (r"func \(p \*parser\) \w+", "func (p *parser) "),
        (r"\breturn nil, \w+", "return nil, "),
        (r"[A-Z]\w+Options struct", "Options struct"),
        (r"log\.(Add|Error)\w*\(", "log."),
        ("one two.*three", "one two"),  # the first of equals is the longer here
        ("abcd.*efgh", "abcd"),
        ("größe+", "größe"),
        ("(?:if|else)then", "then"),
        (r"(a\)b)[(]cde", "cde"),
        (r"(?P<name>x)yzw", "yzw"),
        (r"[]a]bcd[^]x]", "bcd"),
        (r"[[:alpha:]]abc", "abc"),
        (r"[\]a]bcd", "bcd"),
        ("foo$", "foo"),
        (r"\Afoo\z", "foo"),
    ],
)
def test_the_longest_run(expression: str, literal: str) -> None:
    assert needed_literal(expression) == literal


@pytest.mark.parametrize(
    ("expression", "literal"),
    [
        ("abcd?", "abc"),
        ("abcd*e", "abc"),
        ("abcd+e", "abcd"),
        ("abc{0,2}def", "def"),
        ("abc{2}", None),
        ("xa{,3}yz", "xa{,3}yz"),
    ],
)
def test_what_a_repetition_may_leave_out(expression: str, literal: str | None) -> None:
    """RE2 takes `{,3}` as it stands."""
    assert needed_literal(expression) == literal


@pytest.mark.parametrize(
    "expression",
    [
        *("abc|def", "(?i)abc", "abc(?i)def", "abc(?i:def)", "(abc(?i:x))def"),
        *(r"\Qabc", r"(\Q)\E)abc", r"\x41bcd", r"\pLabc", r"\Cabc", "(abc", "[abc", "((a)bcd", "abc\\"),
        *("ab", "", ".*", r"\w+\s+\d"),
    ],
)
def test_none_where_none_is_sure(expression: str) -> None:
    assert needed_literal(expression) is None
