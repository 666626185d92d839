"""Each family is reached by the queries that are its own."""

from __future__ import annotations

import pytest
from codequarry.query import Index
from codequarry.query.ranking.policy import FAMILY_NAMES, Policy, policy_of
from codequarry.query.ranking.router import check_family, route
from codequarry.query.ranking.text import read_query
from codequarry.schemas.errors import UsageError

EXAMPLES = {
    "symbol-exact": ["CancellationToken", "before_request", "`run`", "Timeout", "Runtime::block_on"],
    "symbol-partial": ["cancel", "embedding", ""],
    "file-path": [
        "scheduler/worker.rs",
        "worker.rs",
        "src/",
        "C:\\src\\main.c",
        "./a/b",
        "package.json",
        "internal resolver resolver.go",
    ],
    "error-debug": [
        "timeout in channel send",
        "why does it panic here",
        "failed to resolve path",
        "embedding dimension mismatch",
        "what happens when the provider returns an error",
        "fix panic in poll",
    ],
    "natural-descriptive": [
        "encode a value in VLQ",
        "find stale leases and recover them",
        "and/or of flags",
        "which function checks embeddings",
        "handle 404 errors with a page",
    ],
    "natural-abstract": [
        "how does auth work",
        "what controls scheduling",
        "is it thread safe?",
        "how are range errors annotated",
    ],
    "cross-cutting-set": ["all connector implementations", "find all handlers", "every public error type", "list each test"],
    "relationship": ["AsyncFd vs readiness guard", "relationship between router and handler", "difference between A and B"],
}


@pytest.mark.parametrize(("family", "text"), [(family, text) for family, texts in EXAMPLES.items() for text in texts])
def test_examples(family: str, text: str) -> None:
    assert route(read_query(text, Policy())) == family


def test_every_family_has_a_policy_and_examples() -> None:
    assert set(EXAMPLES) == set(FAMILY_NAMES)
    for name in FAMILY_NAMES:
        assert isinstance(policy_of(name), Policy)
        assert check_family(name) == name


def test_an_unknown_family_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match=r"no query family 'files': use one of symbol-exact, .*relationship"):
        check_family("files")


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("src cart", "file-path"),
        ("shopping cart", "symbol-partial"),
        ("rate limiter", "symbol-partial"),
        ("add item", "symbol-partial"),
        ("shopping cart in the tests", "natural-descriptive"),
        ("cart zzqxv", "natural-descriptive"),
        ("add an item", "natural-descriptive"),
        ("total sku", "natural-descriptive"),
    ],
)
def test_a_few_words_are_a_name_or_a_path_if_the_index_has_them(index: Index, text: str, family: str) -> None:
    assert index.search(text).family == family


def test_requests_for_a_change() -> None:
    asks = [
        "fix the parser",
        "perf(lexer): faster numbers",
        "use a map instead of a list",
        "don't lose errors",
        "drop unused code",
    ]
    for text in asks:
        assert read_query(text, Policy()).asks_for_change, text
    for text in ["add item", "how does it use a map", "fixture of the parser", "list all uses"]:
        assert not read_query(text, Policy()).asks_for_change, text
    assert policy_of("error-debug", change=True).overlap == 0.0
    assert policy_of("error-debug").overlap > 0.0
