"""Names that the query spells out come first, and what qualifies them decides between equals."""

from __future__ import annotations

from pathlib import Path

import pytest
from codequarry.query import Index, open_index
from codequarry.query.cli import run
from codequarry.query.ranking.policy import Policy

POLICY = Policy()


def pin_of(index: Index, query: str, qualified_name: str) -> float:
    hits = [hit for hit in index.search(query, k=50, explain=True).results if hit.qualified_name == qualified_name]
    assert hits
    assert hits[0].terms is not None
    return hits[0].terms.get("exact_name", 0.0)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("add_item", "ShoppingCart.add_item"),
        ("`add_item`", "ShoppingCart.add_item"),
        ("addItem", "ShoppingCart.add_item"),
        ("ShoppingCart", "ShoppingCart"),
        ("SHOPPINGCART", "ShoppingCart"),
        ("shopping_cart", "ShoppingCart"),
        ("totalPrice of the items in the cart", "ShoppingCart.totalPrice"),
        ("RateLimiter.acquire", "RateLimiter.acquire"),
        ("TokenBucket::acquire", "TokenBucket.acquire"),
        ("rate limiter", "RateLimiter"),
    ],
)
def test_the_name_comes_first(index: Index, query: str, first: str) -> None:
    assert index.search(query).results[0].qualified_name == first


def test_spelling_and_owner_decide_the_gain(index: Index) -> None:
    assert pin_of(index, "add_item", "ShoppingCart.add_item") == POLICY.pin
    assert pin_of(index, "addItem", "ShoppingCart.add_item") == pytest.approx(POLICY.pin * POLICY.pin_spelling)
    assert pin_of(index, "ShoppingCart.add_item", "ShoppingCart.add_item") == pytest.approx(POLICY.pin * POLICY.pin_owner)
    assert pin_of(index, "Basket.add_item", "ShoppingCart.add_item") == pytest.approx(POLICY.pin * POLICY.pin_other_owner)
    assert pin_of(index, "cart.add_item", "ShoppingCart.add_item") == pytest.approx(POLICY.pin * POLICY.pin_owner)
    assert pin_of(index, "where is add_item called", "ShoppingCart.add_item") == pytest.approx(
        POLICY.pin * POLICY.pin_in_sentence
    )


def test_a_part_of_a_name_is_no_pin(index: Index) -> None:
    assert pin_of(index, "cart", "ShoppingCart") == 0.0
    assert pin_of(index, "add item", "ShoppingCart.add_item") == 0.0


def test_adjacent_words_that_join_to_a_name_gain(index: Index) -> None:
    hits = {hit.qualified_name: hit for hit in index.search("rate limiter acquire", explain=True).results}
    terms = hits["RateLimiter"].terms
    assert terms is not None
    assert terms["joined_words"] == pytest.approx(POLICY.joined_words * 2 / 3)
    other = hits["TokenBucket.acquire"].terms
    assert other is not None
    assert "joined_words" not in other


def test_of_names_that_differ_in_case_the_one_that_is_written_comes_first(tmp_path: Path) -> None:
    body = "".join(f"        self.sent.append(self.request('GET', {n}))\n" for n in range(40))
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "request.py").write_text("class Request:\n    pass\n")
    (tmp_path / "net" / "client.py").write_text(
        f'class Client:\n    def request(self, method, n):\n        """Send a request, as a Request, and wait."""\n{body}'
    )
    assert run(["index", str(tmp_path / "net"), "--out", str(tmp_path / "store"), "--quiet", "--jobs", "1"]) == 0
    with open_index(tmp_path / "store") as opened:
        assert [hit.name for hit in opened.search("Request").results][:2] == ["Request", "request"]
        assert [hit.name for hit in opened.search("request").results][:2] == ["request", "Request"]
