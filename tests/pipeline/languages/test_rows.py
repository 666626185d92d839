"""Tests that every row of facts is consistent: its query compiles, its names are its own, its patterns have their groups."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from codequarry.pipeline.extract import parse
from codequarry.pipeline.extract._patterns import ROLES
from codequarry.pipeline.extract._query import items
from codequarry.pipeline.languages import KINDS, LANGUAGES, Language, query_source

PARSED = sorted(name for name, row in LANGUAGES.items() if row.grammar is not None)


@pytest.mark.parametrize("language", PARSED)
def test_query_compiles_and_an_empty_text_has_no_items(language: str) -> None:
    assert items(parse(b"", language), language) == []


@pytest.mark.parametrize("row", LANGUAGES.values(), ids=lambda row: row.id)
def test_patterns_of_a_row_have_the_groups_that_are_read(row: Language) -> None:
    assert row.decorator is None or "name" in row.decorator.groupindex
    assert row.modifier is None or set(row.modifier.groupindex) <= {"public", "protected", "internal", "private"}
    assert all("name" in re.compile(rule.pattern, re.M).groupindex and rule.kind in KINDS for rule in row.recovery)
    assert {word for _, word in row.member_visibility} | {row.default_visibility} <= {
        "public",
        "protected",
        "internal",
        "private",
    }


def test_names_and_interpreters_belong_to_one_language() -> None:
    for column in ("names", "interpreters"):
        count = Counter(word for row in LANGUAGES.values() for word in getattr(row, column))
        assert [word for word, n in count.items() if n > 1] == []


def test_languages_that_share_an_extension_can_be_told_apart() -> None:
    shared: dict[str, list[Language]] = {}
    for row in LANGUAGES.values():
        for extension in row.extensions:
            assert extension.startswith(".")
            shared.setdefault(extension, []).append(row)
    for extension, rows in shared.items():
        assert sum(row.evidence is None for row in rows) <= 1, extension


def test_kinds_and_roles_are_apart() -> None:
    assert not ROLES & set(KINDS)
    assert len(set(KINDS)) == len(KINDS)


def test_a_language_without_a_grammar_has_no_query() -> None:
    assert query_source(LANGUAGES["markdown"] if LANGUAGES["markdown"].grammar is None else Language(id="x")) == ""


def test_comment_markers_come_longest_first() -> None:
    for row in LANGUAGES.values():
        for markers in (row.doc.lines, row.doc.blocks, row.doc.module_lines, row.doc.module_blocks):
            for i, marker in enumerate(markers):
                assert not any(later.startswith(marker) and later != marker for later in markers[i + 1 :]), (row.id, markers)
