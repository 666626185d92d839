"""`codequarry relations` and `codequarry info` as a person meets them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from codequarry.query.cli import run

from ..stores import EdgeSpec, FileSpec, SymbolSpec, build_store
from ._refused import assert_refused

TEXT = "class Cart:\n    def total(self):\n        return add()\ndef add(): pass\nclass Bag:\n    def total(self): pass\n"
SYMBOLS = (
    SymbolSpec(name="Cart", kind="class", lines=(1, 3)),
    SymbolSpec(name="total", kind="method", qualified_name="Cart.total", lines=(2, 3), doc="Adds up.\n\nAll of it."),
    SymbolSpec(name="add", lines=(4, 4)),
    SymbolSpec(name="Bag", kind="class", lines=(5, 6)),
    SymbolSpec(name="total", kind="method", qualified_name="Bag.total", lines=(6, 6)),
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    edges = [EdgeSpec(src="Cart.total", dst="add", line=3, confidence=0.5)]
    build_store(tmp_path, {"shop": [FileSpec(path="cart.py", text=TEXT, symbols=SYMBOLS)]}, edges=edges)
    monkeypatch.setenv("CODEQUARRY_INDEX", str(tmp_path))
    return tmp_path


def test_relations(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["relations", "add"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "cart.py:4  function add",
        "called by",
        "  cart.py:3  method Cart.total  (calls, 0.50 sure)",
    ]
    assert run(["relations", "Bag", "--subtypes"]) == 0
    assert capfd.readouterr().out.splitlines() == ["cart.py:5  class Bag", "  nothing in the index"]
    assert run(["relations", "add", "--impact"]) == 0
    assert capfd.readouterr().out.splitlines()[1:] == [
        "may break",
        "  cart.py:3  method Cart.total  (0.498, calls, 0.50 sure)",
    ]


def test_an_ambiguous_symbol_lists_its_candidates(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["relations", "total"]) == 2
    out, err = capfd.readouterr()
    assert out.splitlines() == [
        "cart.py:2  method Cart.total  shop:cart.py#Cart.total",
        "cart.py:6  method Bag.total  shop:cart.py#Bag.total",
    ]
    assert err == "codequarry: 'total' stands for 2 symbols: give the key of one, or its path and line\n"
    assert run(["info", "total", "--json"]) == 2
    value = json.loads(capfd.readouterr().out)
    assert (value["symbol"], value["total"]) == (None, 2)
    assert [row["key"] for row in value["candidates"]] == ["shop:cart.py#Cart.total", "shop:cart.py#Bag.total"]


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["relations", "nope"], 1, "the index holds no symbol, file or line 'nope'"),
        (["relations", "add", "--impact", "--callers"], 2, "ask one at a time"),
        (["relations", "add", "--depth", "0"], 2, "0 is not in the range 1<=x<=10"),
        (["relations", "add", "--path-to", "nope"], 1, "the index holds no symbol, file or line 'nope'"),
        (["info"], 2, "Missing argument 'SYMBOL'"),
        (["info", "add", "--index", "nowhere"], 1, "there is no artifact at"),
    ],
)
def test_a_wrong_request_is_one_sentence(
    store: Path, capfd: pytest.CaptureFixture[str], args: list[str], code: int, said: str
) -> None:
    assert_refused(capfd, args, code, said)


def test_info(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["info", "Cart.total"]) == 0
    assert capfd.readouterr().out.splitlines() == [
        "cart.py:2  method Cart.total",
        "  key        shop:cart.py#Cart.total",
        "  facts      lines 2-3, public",
        "  in         cart.py:1  file",
        "  edges      1 calls out",
        "  doc",
        "    Adds up.",
        "",
        "    All of it.",
        "  source",
        "        2      def total(self):",
        "        3          return add()",
    ]
