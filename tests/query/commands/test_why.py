"""`codequarry why`, from the command line's side; what it says is tested with the trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from codequarry.query.cli import run


def why(shop: Path, *args: str) -> int:
    return run(["why", "--index", str(shop), *args])


def test_in_words(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert why(shop, "cart", "ShoppingCart.totalPrice") == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == "src/cart.py:11  method ShoppingCart.totalPrice"
    assert lines[1].startswith(("ranked: it is row", "below the cut"))
    assert any(line.endswith("in all") for line in lines)
    assert any("has the first row, shop:src/cart.py#ShoppingCart; it gains most by" in line for line in lines)
    assert any(line.startswith("word   cart: ") for line in lines)
    assert any(line.startswith("seed   BM25F ") for line in lines)
    assert any(line.startswith("gate   name_overlap ") for line in lines)


def test_nothing_in_common(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert why(shop, "zzqxv", "isEmpty") == 0
    assert capfd.readouterr().out.splitlines()[1] == "not a candidate: the index holds no word of the query"


def test_json(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert why(shop, "add item", "ShoppingCart.add_item", "--json") == 0
    value = json.loads(capfd.readouterr().out)
    assert (value["outcome"], value["rank"], value["symbol"]["name"]) == ("ranked", 1, "add_item")
    assert sum(value["terms"].values()) == pytest.approx(value["score"])


def test_an_ambiguous_symbol_lists_its_candidates(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert why(shop, "acquire", "acquire") == 2
    out, err = capfd.readouterr()
    assert "tools:limits/limiter.py#RateLimiter.acquire" in out
    assert "'acquire' stands for 2 symbols" in err
    assert why(shop, "acquire", "acquire", "--json") == 2
    assert json.loads(capfd.readouterr().out)["total"] == 2


def test_filters_are_those_of_search(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert why(shop, "cart", "ShoppingCart", "--kind", "method") == 0
    assert "filtered out: the filters of the search do not allow it" in capfd.readouterr().out
    assert why(shop, "cart", "ShoppingCart", "--family", "files") == 2


def test_the_same_words_whatever_the_seed_of_hashes(shop: Path) -> None:
    command = "from codequarry.query.cli import main; main()"
    said = set()
    for seed in ("1", "2"):
        for args in (
            ["search", "all cart items", "--json", "--explain"],
            ["why", "all cart items", "ShoppingCart", "--json"],
        ):
            argv = [sys.executable, "-c", command, *args, "--index", str(shop)]
            done = subprocess.run(argv, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
            said.add(done.stdout)
    assert len(said) == 2
