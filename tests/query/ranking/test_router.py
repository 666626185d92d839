"""Each family is reached by the queries that are its own."""

from __future__ import annotations

import pytest
from codequarry.query.ranking.policy import FAMILY_NAMES, Policy, policy_of
from codequarry.query.ranking.router import check_family, route
from codequarry.query.ranking.text import read_query
from codequarry.schemas.errors import UsageError

EXAMPLES = {
    "symbol-exact": ["CancellationToken", "before_request", "`run`", "Timeout", "Runtime::block_on"],
    "symbol-partial": ["cancel", "embedding", ""],
    "file-path": ["scheduler/worker.rs", "worker.rs", "src/", "C:\\src\\main.c", "./a/b", "package.json"],
    "error-debug": ["timeout in channel send", "why does it panic here", "failed to resolve path"],
    "natural-descriptive": ["encode a value in VLQ", "find stale leases and recover them", "and/or of flags"],
    "natural-abstract": ["how does auth work", "what controls scheduling", "is it thread safe?"],
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
