"""What changed between two real snapshots: files, symbols, edges, and what may break."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from codequarry.query.cli import run
from codequarry.query.diff import compare, difference_lines, open_side
from codequarry.query.store import open_snapshot
from codequarry.schemas.errors import UsageError
from jsonschema import Draft202012Validator

from ...pipeline.commands._index import summary, write
from ..stores import FileSpec, SymbolSpec, build_store

BEFORE = {
    "cart.py": (
        "class Cart:\n    def add(self, sku):\n        return self.check(sku)\n\n    def check(self, sku):\n        return sku\n"
        "\n\ndef total(cart):\n    return 1\n\n\ndef helper():\n    value = 41\n    return value + 1\n\n\ndef gone():\n    return 0\n"
    ),
    "shop.py": "from cart import Cart, gone, total\n\n\ndef buy(sku):\n    gone()\n    return total(Cart().add(sku))\n",
    "old/name.py": "def kept():\n    return 'the same at another place'\n",
    "left.py": "def left():\n    return 1\n",
}
AFTER = {
    "cart.py": (
        "class Cart:\n    def add(self, sku, count=1):\n        return self.check(sku)\n\n    def check(self, sku):\n"
        "        return sku or None\n\n\ndef total(cart):\n    return 1\n"
    ),
    "tools.py": "class Tools:\n    def helper():\n        value = 41\n        return value + 1\n\n\ndef extra():\n    return total(2)\n",
    "shop.py": "from cart import Cart, gone, total\n\n\ndef buy(sku):\n    gone()\n    return total(Cart().add(sku))\n",
    "new/name.py": BEFORE["old/name.py"],
}
SCHEMA = json.loads((Path(__file__).parents[3] / "schemas" / "json" / "diff.schema.json").read_text())


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A store with both snapshots, and their ids."""
    work = tmp_path_factory.mktemp("diff")
    write(work / "a", BEFORE)
    write(work / "b", AFTER)
    ids = [summary(name, "--name", "shop", "--model", "none", cwd=work)["snapshot"] for name in ("a", "b")]
    return work / "out", ids[0], ids[1]


@pytest.fixture(scope="module")
def value(stores: tuple[Path, str, str]) -> dict[str, Any]:
    store, before, after = stores
    found = compare(open_side(before[:6], str(store)), open_snapshot(store)).to_json()
    Draft202012Validator(SCHEMA).validate(found)
    assert (found["before"], found["after"], found["complete"]) == (before, after, True)
    return found


def test_files(value: dict[str, Any]) -> None:
    assert value["files"] == {
        "added": ["shop:tools.py"],
        "removed": ["shop:left.py"],
        "changed": ["shop:cart.py"],
        "moved": [{"before": "shop:old/name.py", "after": "shop:new/name.py"}],
    }


def test_symbols_match_by_key_and_then_by_body(value: dict[str, Any]) -> None:
    found = [(s["change"], (s["after"] or s["before"])["key"].removeprefix("shop:")) for s in value["symbols"]]
    assert found == [
        ("signature", "cart.py#Cart.add"),
        ("body", "cart.py#Cart.check"),
        ("removed", "cart.py#gone"),
        ("removed", "left.py#left"),
        ("moved", "new/name.py#kept"),
        ("added", "tools.py#Tools"),
        ("moved", "tools.py#Tools.helper"),
        ("added", "tools.py#extra"),
    ]
    helper = next(s for s in value["symbols"] if s["after"] and s["after"]["qualified_name"] == "Tools.helper")
    assert (helper["before"]["key"], helper["before"]["line"], helper["after"]["line"]) == ("shop:cart.py#helper", 13, 2)


def test_edges(value: dict[str, Any]) -> None:
    removed = {(e["src"], e["kind"], e["dst"]) for e in value["edges"]["removed"]}
    assert ("shop:shop.py#buy", "calls", "shop:cart.py#gone") in removed
    added = {(e["src"], e["kind"], e["dst"]) for e in value["edges"]["added"]}
    assert all("Cart.add" not in src for src, _, _ in added)  # its call of check is as it was
    assert all(e["kind"] != "contains" for of in value["edges"].values() for e in of)


def test_what_may_break_did_not_change_itself(value: dict[str, Any]) -> None:
    first = value["impact"][0]
    assert (first["key"], first["cause"] in ("shop:cart.py#Cart.add", "shop:cart.py#gone")) == ("shop:shop.py#buy", True)
    assert {row["key"] for row in value["impact"]}.isdisjoint({"shop:cart.py#Cart.add", "shop:cart.py#Cart.check"})


def test_the_text(stores: tuple[Path, str, str], capfd: pytest.CaptureFixture[str]) -> None:
    store, before, after = stores
    assert run(["diff", before, after, "--index", str(store)]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0] == f"from snapshot {before} to {after}"
    assert lines[1:6] == [
        "files: 4",
        "  > shop:old/name.py is now shop:new/name.py",
        "  + shop:tools.py",
        "  - shop:left.py",
        "  ~ shop:cart.py",
    ]
    assert "  > method Tools.helper  tools.py:2 (was cart.py#helper)" in lines
    assert "  - function gone  cart.py:18" in lines
    assert any(line.startswith("  ~ method Cart.add  cart.py:2 (signature") and " is now " in line for line in lines)
    assert "  - shop.py#buy calls cart.py#gone" in lines
    assert run(["diff", before, "--index", str(store), "--limit", "1", "--json"]) == 0
    assert len(json.loads(capfd.readouterr().out)["impact"]) == 1
    assert run(["diff", before, "--index", str(store), "--limit", "1"]) == 0
    assert "  and 3 more (--json has all)" in capfd.readouterr().out.splitlines()


def test_the_same_snapshot_has_no_difference(stores: tuple[Path, str, str]) -> None:
    same = compare(open_snapshot(stores[0]), open_snapshot(stores[0]))
    assert same.empty
    assert list(difference_lines(same))[1:] == ["nothing has changed"]
    Draft202012Validator(SCHEMA).validate(same.to_json())


def test_without_texts_only_bodies_cannot_be_told(tmp_path: Path) -> None:
    one = FileSpec(
        path="a.py", text="def f():\n    return 1\n", symbols=(SymbolSpec(name="f", lines=(1, 2), signature="def f()"),)
    )
    two = FileSpec(
        path="a.py", text="def f(x):\n  return 1\n", symbols=(SymbolSpec(name="f", lines=(1, 2), signature="def f(x)"),)
    )
    sides = [open_snapshot(build_store(tmp_path / n, {"r": [f]}, with_sources=False)) for n, f in (("a", one), ("b", two))]
    found = compare(*sides)
    assert [change.change for change in found.symbols] in (
        ["signature"],
        [],
    )  # files without digests: size and status decide
    assert len(found.notes) == 2
    assert "holds no texts" in found.notes[0]


def test_sides_that_name_nothing(stores: tuple[Path, str, str], tmp_path: Path) -> None:
    for name, words in (("abcd", "neither a folder nor a snapshot"), ("", "neither"), (stores[1][:2], "neither")):
        with pytest.raises(UsageError, match=words):
            open_side(name, str(stores[0]))
    with pytest.raises(UsageError, match=r"\(none\)"):
        open_side("abcd", str(tmp_path))
    assert open_side(str(stores[0]), "nowhere").id == stores[2]
