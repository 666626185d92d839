"""Why a symbol is where it is: what the trace says, and that the parts add up to the score."""

from __future__ import annotations

import math

import pytest
from codequarry.query import Index
from codequarry.query.ranking.policy import Policy
from codequarry.query.why import PARTS
from codequarry.schemas.errors import CodequarryError, UsageError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

QUERIES = [
    "add item",
    "ShoppingCart",
    "src/cart.py",
    "how are tokens acquired",
    "all carts",
    "fix the cart's price",
    "rate limiter",
]


@pytest.mark.parametrize("query", QUERIES)
def test_every_row_is_explained_as_it_is_ranked(index: Index, query: str) -> None:
    for hit in index.search(query, k=30, explain=True).results:
        assert hit.key is not None
        found = index.why(query, hit.key, 30)
        assert (found.outcome, found.rank, found.score) == ("ranked", hit.rank, hit.score)
        terms = {part.name: part.amount for part in found.parts}
        assert terms == hit.terms
        assert math.isclose(math.fsum(terms.values()), hit.score, abs_tol=1e-8)
        assert all(part.meaning for part in found.parts)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(st.sampled_from("add item cart price of tokens test ShoppingCart acquire fix all vs".split()), min_size=1)
)
def test_the_parts_add_up(index: Index, words: list[str]) -> None:
    for hit in index.search(" ".join(words), k=50, explain=True).results:
        assert math.isclose(math.fsum((hit.terms or {}).values()), hit.score, abs_tol=1e-8)


def test_below_the_cut(index: Index) -> None:
    last = index.search("cart", k=50).results[-1]
    assert last.key is not None
    found = index.why("cart", last.key, 1)
    assert (found.outcome, found.rank) == ("below the cut", last.rank)
    assert found.reason == f"it would be row {last.rank}, and 1 were asked for"
    assert found.first is not None
    assert found.first["key"] == index.search("cart", k=1).results[0].key


def test_not_a_candidate(index: Index) -> None:
    found = index.why("add item", "isEmpty")
    assert (found.outcome, found.rank, found.score, found.parts) == ("not a candidate", None, None, ())
    assert found.reason == "it holds no word of the query that counts"
    assert [word["in"] for word in found.words] == [[], []]


def test_no_word_of_the_query_is_known(index: Index) -> None:
    found = index.why("zzqxv", "isEmpty")
    assert (found.outcome, found.reason) == ("not a candidate", "the index holds no word of the query")
    assert found.first is None


def test_filtered_out(index: Index) -> None:
    assert index.why("cart", "ShoppingCart", kinds="method").outcome == "filtered out"
    assert index.why("cart", "src/cart.py", paths="docs/**").outcome == "filtered out"
    assert index.why("cart", "tests/test_cart.py", kinds="class").outcome == "filtered out"
    assert index.why("cart", "test_add_item", tests=False).outcome == "filtered out"


def test_beyond_the_candidates(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    from codequarry.query.ranking import policy

    monkeypatch.setitem(policy.FAMILIES, "symbol-partial", Policy(candidates=1))
    found = index.why("cart", "ShoppingCart.totalPrice", 1)
    assert found.outcome == "not a candidate"
    assert "is below" in found.reason
    assert "of 1 candidates" in found.reason


def test_a_whole_file_behind_its_symbols(index: Index) -> None:
    found = index.why("add item", "src/cart.py")
    assert found.outcome == "behind its symbols"
    assert found.score is not None
    assert found.reason.startswith("a symbol of it stands for it, at row 1")


def test_a_file_that_does_not_match(index: Index) -> None:
    assert index.why("add item", "limits/limiter.py").outcome in ("not a candidate", "behind its symbols")


def test_how_it_became_a_candidate(index: Index) -> None:
    found = index.why("add item", "ShoppingCart.add_item")
    assert [(seed["origin"], seed["rank"]) for seed in found.seeds] == [("bm25f", 1)]
    assert [word["in"] for word in found.words] == [["name", "text"], ["name", "text"]]
    overlap = next(gate for gate in found.gates if gate["gate"] == "name_overlap")
    assert overlap["passed"] is True


def test_the_walk_is_told(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    from codequarry.query.ranking import policy

    for name, used in policy.FAMILIES.items():
        monkeypatch.setitem(policy.FAMILIES, name, used._replace(walk=0.1, walk_coverage=0.01))
    found = index.why("raises QuantityError when items are added", "QuantityError")
    assert found.arrivals[0]["from"] == "shop:src/cart.py#ShoppingCart.add_item"
    assert (found.arrivals[0]["kind"], found.arrivals[0]["steps"]) == ("calls", 1)
    assert found.trace["reached"] >= 1
    assert any(gate["gate"] == "walk_coverage" for gate in found.gates)


def test_names(index: Index) -> None:
    with pytest.raises(UsageError, match="'acquire' stands for 2 symbols"):
        index.why("acquire", "acquire")
    with pytest.raises(CodequarryError, match="holds no symbol"):
        index.why("acquire", "nothing_of_that_name")
    with pytest.raises(UsageError, match="k is 0"):
        index.why("acquire", "RateLimiter", 0)


def test_the_trace_of_the_whole_query(index: Index) -> None:
    trace = index.search("src/cart.py", explain=True).trace
    assert trace is not None
    assert trace["policy"] == {"file_row_path": 2.0, "representatives": 3}
    assert {word["term"] for word in trace["words"]} == {"src", "cart", "py"}
    assert trace["confidence"]["specificity"] > 0
    assert index.search("src/cart.py").trace is None
    assert index.search("cart", match="content", explain=True).trace is None


def test_every_part_has_words() -> None:
    assert all(PARTS.values())
