"""Tokens of code by value."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.graph.tokens import TOKEN_KINDS, tokens_of

CODE = '''"""Module text that is long."""
PORT = 65432


class Cart:
    """Holds items; see `Shop::add` and LineItem, or the add_item of it."""

    def pay(self, card):
        # charges by charge_card() and `Gate`; e.g. not this, nor URLs like http://a_b.example/x_y
        if card.expiry_date < card.valid_from:
            raise ValueError("card has expired")
        self.total.amount = 0x1F4A
        return self.send("ok", '%s-%s-%s', 12, 1999)
'''


def tokens(code: str, language: str = "python") -> list[tuple[str, str, str, int]]:
    """Return (symbol, kind, text, line)."""
    facts = file_facts(code.encode(), language, "a.py", Limits())
    found = tokens_of(code.encode(), facts.symbols)
    return [(facts.symbols[t.symbol].qualified_name, TOKEN_KINDS[t.kind], t.text, t.line) for t in found]


def test_tokens_by_value() -> None:
    assert tokens(CODE) == [
        ("PORT", "literal", "65432", 2),
        ("Cart.pay", "literal", "0x1F4A", 12),
        ("Cart.pay", "literal", "1999", 13),
        ("Cart.pay", "literal", "card has expired", 11),
        ("Cart.pay", "field", "amount", 12),
        ("Cart.pay", "field", "expiry_date", 10),
        ("Cart.pay", "field", "total", 12),
        ("Cart.pay", "field", "valid_from", 10),
        ("Cart", "mention", "LineItem", 5),
        ("Cart", "mention", "Shop.add", 5),
        ("Cart", "mention", "add_item", 5),
        ("Cart.pay", "mention", "Gate", 9),
        ("Cart.pay", "mention", "charge_card", 9),
    ]


def test_a_call_is_no_field_and_a_repeated_token_counts_once() -> None:
    code = "def f(a):\n    a.load()\n    return a.state + a.state\n"
    assert tokens(code) == [("f", "field", "state", 3)]


def test_nothing_to_attribute_it_to() -> None:
    assert tokens("x.state\n") == []
    assert tokens_of(b"", ()) == ()


def test_a_table_of_data_is_cut() -> None:
    code = "def f():\n    return [" + ",".join(f'"text {i}"' for i in range(9000)) + "]\n"
    assert len(tokens(code)) == 4000


@pytest.mark.parametrize("piece", ["`", "a_", "a::", '"', "'aaaaaaa", ".aaaa", "# a_b", "aB", "1234", "\\"])
def test_hostile_text_ends(piece: str) -> None:
    """Four megabytes take a second where time is linear, and hours where it is quadratic."""
    symbols = file_facts(b"def f():\n  pass\n", "python", "a.py", Limits()).symbols
    run = piece * (4_000_000 // len(piece))
    text = b"def f():\n  # " + run.encode()
    found = tokens_of(text, [s._replace(end_byte=len(text)) for s in symbols])
    assert [t.text for t in found] == {"# a_b": ["a_b"], "aB": [run]}.get(piece, [])
