"""Which subjects are queries, and what is left of them."""

from __future__ import annotations

import pytest
from codequarry.pipeline.evaluation.subjects import Asked, read_subject


@pytest.mark.parametrize(
    ("subject", "kind", "text"),
    [
        ("fix(parser): keep the last token", "fix", "keep the last token"),
        ("feat!: drop support for old keys", "feat", "drop support for old keys"),
        ("Refactor(core)!: Split the big function", "refactor", "Split the big function"),
        ("perf: read files in tree order (#1234)", "perf", "read files in tree order"),
        ("fix: close the socket twice, fixes #12, #13", "fix", "close the socket twice"),
        ("fix: close the socket twice (closes #12)", "fix", "close the socket twice"),
        ("fix: answer of issue #99 is late.", "fix", "answer of issue is late"),
    ],
)
def test_a_conventional_subject_is_asked_without_type_scope_and_numbers(subject: str, kind: str, text: str) -> None:
    assert read_subject(subject) == Asked(type=kind, text=text)


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        ("keep the last token", "other_style"),
        ("docs: say how tokens are read", "other_type"),
        ("test: hold the order of tokens", "other_type"),
        ("fix: two words", "vague"),
        ("fix: address review feedback on tokens", "vague"),
        ("fix: some typo in the token reader", "vague"),
        ("fix: clippy warnings in the reader", "vague"),
        ("feat: release of the next version", "vague"),
        ("fix(release): write the right version", "vague"),
        ("fix: bump serde from 1.0 to 1.1", "vague"),
        ("feat: 1.2.3 of the reader", "vague"),
    ],
)
def test_what_asks_nothing_is_refused_with_a_reason(subject: str, reason: str) -> None:
    assert read_subject(subject).refused == reason


def test_any_subject_is_asked_where_all_are_taken() -> None:
    assert read_subject("net: keep the last packet", "any") == Asked(type="none", text="keep the last packet")
    assert read_subject("Keep the last packet", "any") == Asked(type="none", text="Keep the last packet")
    assert read_subject("docs: say how it works", "any").refused == "other_type"
    assert read_subject("Merge the two readers", "any").refused == "vague"


def test_types_are_those_that_are_asked_for() -> None:
    assert read_subject("docs: say how tokens are read", types=("docs",)) == Asked(
        type="docs", text="say how tokens are read"
    )
