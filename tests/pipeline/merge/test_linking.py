"""Links of earlier runs: found where nothing of them changed, made again elsewhere, and the same bytes either way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from codequarry.pipeline.facts import FileFacts

from .built import SHOP, Built, build, facts

Files = dict[str, FileFacts]

BANK = facts(
    {
        "pyproject.toml": "[project]\nname = 'bank'\n",
        "bank/__init__.py": "",
        "bank/money.py": "class Coin:\n    def spend(self): pass\n",
    }
)
BUYER = facts({"buy.py": "from bank.money import Coin\n\n\ndef buy():\n    Coin().spend()\n"})
LIB = facts({"lib.go": "package lib\n\nfunc total() int { return one() }\n\nfunc one() int { return 1 }\n"})
JAVA = facts({"A.java": "class A { void run() { go(); } void go() {} }\n"})
MORE_JAVA = facts({"B.java": "class B { void run() { go(); } void go() {} }\n"})


class Memory:
    """Keeps values as a cache does, and notes what was asked for and what was put."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], bytes] = {}
        self.made: list[str] = []

    def get(self, kind: str, key: str) -> bytes | None:
        return self.values.get((kind, key))

    def put(self, kind: str, key: str, value: bytes) -> None:
        self.made.append(kind)
        self.values[kind, key] = value

    def links(self) -> int:
        """Return how many groups were linked since the last time."""
        made, self.made = self.made, []
        return made.count("links")


def _both(folder: Path, repos: dict[str, Files], kept: Memory) -> Built:
    """Merge with and without what was kept, and see that the bytes are the same."""
    with_kept, without = build(folder / "kept", repos, kept=kept), build(folder / "fresh", repos)
    assert with_kept.digests() == without.digests()
    assert with_kept.merged == without.merged
    return with_kept


def _calls(built: Built) -> set[tuple[str, str]]:
    keys = {r["symbol"]: r["key"] for r in built.rows("symbols")}
    return {(keys[r["src"]], keys[r["dst"]]) for r in built.rows("edges") if r["kind"] == "calls"}


def test_nothing_is_linked_again_where_nothing_changed(tmp_path: Path) -> None:
    kept = Memory()
    repos = {"shop": facts(SHOP), "lib": LIB}
    _both(tmp_path / "1", repos, kept)
    assert kept.links() == 2
    again = _both(tmp_path / "2", repos, kept)
    assert kept.links() == 0
    assert ("lib:lib.go#total", "lib:lib.go#one") in _calls(again)
    assert [r["module"] for r in again.rows("imports")] == ["pricing", "os", "cart"]


def test_only_what_could_see_a_change_is_linked_again(tmp_path: Path) -> None:
    kept = Memory()
    repos = {"bank": BANK, "buyer": BUYER, "lib": LIB, "shop": facts(SHOP)}
    first = _both(tmp_path / "1", repos, kept)
    assert kept.links() == 3  # bank and buyer together, shop, lib
    assert ("buyer:buy.py#buy", "bank:bank/money.py#Coin.spend") in _calls(first)
    cart = facts({**SHOP, "cart.py": SHOP["cart.py"] + "\n\ndef empty():\n    checkout([])\n"})
    second = _both(tmp_path / "2", {**repos, "shop": cart}, kept)
    assert kept.links() == 1
    assert _calls(second) - _calls(first) == {("shop:cart.py#empty", "shop:cart.py#checkout")}
    spent = facts({"bank/money.py": "class Coin:\n    def lend(self): pass\n"})
    third = _both(tmp_path / "3", {**repos, "shop": cart, "bank": {**BANK, **spent}}, kept)
    assert kept.links() == 1
    assert ("buyer:buy.py#buy", "bank:bank/money.py#Coin") in _calls(third)
    assert not any(target.endswith("spend") for _, target in _calls(third))


def test_a_repository_that_comes_to_be_seen_joins_who_sees_it(tmp_path: Path) -> None:
    kept = Memory()
    before = _both(tmp_path / "1", {"buyer": BUYER, "lib": LIB}, kept)
    assert not any(source.startswith("buyer") for source, _ in _calls(before))
    assert kept.links() == 2
    after = _both(tmp_path / "2", {"bank": BANK, "buyer": BUYER, "lib": LIB}, kept)
    assert ("buyer:buy.py#buy", "bank:bank/money.py#Coin.spend") in _calls(after)
    assert kept.links() == 1


def test_files_that_move_because_others_come_before_keep_their_links(tmp_path: Path) -> None:
    kept = Memory()
    _both(tmp_path / "1", {"m": LIB, "n": facts(SHOP)}, kept)
    assert kept.links() == 2
    moved = _both(tmp_path / "2", {"a": JAVA, "m": LIB, "n": facts(SHOP)}, kept)
    assert kept.links() == 1
    assert {("a:A.java#A.run", "a:A.java#A.go"), ("m:lib.go#total", "m:lib.go#one")} <= _calls(moved)


def test_languages_that_share_namespaces_are_linked_together(tmp_path: Path) -> None:
    kept = Memory()
    _both(tmp_path / "1", {"a": JAVA, "b": MORE_JAVA}, kept)
    assert kept.links() == 1
    _both(tmp_path / "2", {"a": JAVA, "b": facts({"B.java": "class B {}\n"})}, kept)
    assert kept.links() == 1


def test_a_name_another_path_or_a_test_is_another_key(tmp_path: Path) -> None:
    kept = Memory()
    for n, (repo, path) in enumerate([("a", "x.go"), ("b", "x.go"), ("a", "y.go"), ("a", "x_test.go"), ("a", "x.go")]):
        _both(tmp_path / str(n), {repo: {path: LIB["lib.go"]}}, kept)
        assert kept.links() == (n < 4)


def test_a_configuration_that_changes_where_imports_lead(tmp_path: Path) -> None:
    kept = Memory()
    code = {"main.ts": "import { f } from '@/f'\nexport function g() { f() }\n"}
    files = {"one/f.ts": "export function f() {}\n", "two/f.ts": "export function f() {}\n"}
    for n, folder in enumerate(("one", "two", "one")):
        config = json.dumps({"compilerOptions": {"paths": {"@/*": [f"{folder}/*"]}}})
        built = _both(tmp_path / str(n), {"r": facts({**code, **files, "tsconfig.json": config})}, kept)
        assert _calls(built) == {("r:main.ts#g", f"r:{folder}/f.ts#f")}
        assert kept.links() == (n < 2)


def test_unresolved_calls_are_counted_over_all_groups(tmp_path: Path) -> None:
    kept = Memory()
    repos = {"a": facts({"a.py": "print(1)\n"}), "b": facts({"b.py": "print(1)\nprint(2)\n"})}
    for n in range(2):
        built = _both(tmp_path / str(n), repos, kept)
        assert built.merged.statistics["unresolved"] == [
            {"language": "python", "kind": "call", "reason": "external", "references": 3}
        ]


RUST = {
    "Cargo.toml": "[package]\nname = 'shop'\n",
    "src/lib.rs": "mod cart;\nmod money;\n\npub fn run() -> u32 {\n    let cart = cart::empty();\n    cart.total(2)\n}\n",
    "src/cart.rs": "use crate::money::Coin;\n\npub struct Cart { coin: Coin }\n\nimpl Cart {\n"
    "    pub fn total(&self, n: u32) -> u32 { self.coin.worth() * n }\n}\n\npub fn empty() -> Cart { Cart { coin: Coin } }\n",
    "src/money.rs": "pub struct Coin;\n\nimpl Coin {\n    pub fn worth(&self) -> u32 { 1 }\n}\n",
    "src/sell.rs": "use crate::cart::Cart;\n\nimpl Sell for Cart {\n    fn sell(&self) -> u32 { self.total(1) }\n}\n\n"
    "pub trait Sell { fn sell(&self) -> u32; }\n",
}
RUST_EDITS = [
    ("src/money.rs", "{ 1 }", "{\n        let one = 1;\n        one\n    }", 1),
    ("src/money.rs", "pub struct Coin;", "// moved\n\npub struct Coin;", 1),
    ("src/cart.rs", "pub fn empty", "pub fn brand_new() -> u32 { Coin.worth() }\n\npub fn empty", 1),
    ("src/lib.rs", "cart.total(2)", "cart::brand_new() + cart.total(3)", 1),
    ("src/cart.rs", "pub fn total(&self, n: u32)", "pub fn sum(&self, n: u32)", None),
    ("src/lib.rs", "cart.total(3)", "cart.sum(3)", 1),
    ("src/money.rs", "-> u32 {", "-> crate::cart::Cart {", None),
    ("src/lib.rs", "mod money;", "mod money;\nmod sell;", None),
    ("src/sell.rs", "self.total(1)", "self.sum(1)", 1),
    ("src/cart.rs", "pub fn brand_new() -> u32 { Coin.worth() }\n\n", "", None),
]
GO = {
    "go.mod": "module shop\n",
    "a.go": "package shop\n\ntype Seller interface{ Sell(n int) int }\n\nfunc Run(s Seller) int { return s.Sell(1) }\n",
    "b.go": "package shop\n\ntype Cart struct{ n int }\n\nfunc (c *Cart) Sell(n int) int { return Run(c) + help() }\n",
    "c.go": "package shop\n\nfunc help() int { return 1 }\n",
    "d.go": "package shop\n\nfunc Other() int {\n\tc := &Cart{}\n\treturn c.Sell(2)\n}\n",
}
GO_EDITS = [
    ("c.go", "return 1", "x := 1\n\treturn x", 1),
    ("c.go", "func help", "func brandNew() int { return help() }\n\nfunc help", 1),
    ("b.go", "Sell(n int) int", "Sell(n, m int) int", None),
    ("b.go", "Sell(n, m int) int", "Sell(many int) int", None),
    ("d.go", "c.Sell(2)", "c.Sell(2) + brandNew()", 1),
    ("c.go", "package shop", 'package shop\n\nimport "fmt"', 1),
    ("c.go", "x := 1", "fmt.Println()\n\tx := 1", 1),
    ("b.go", "type Cart struct{ n int }", "type Cart struct {\n\tn int\n\tleftOver int\n}", 1),
    ("a.go", "type Seller", "type Buyer interface{ Buy() }\n\ntype Seller", 1),
    ("b.go", "func (c *Cart) Sell", "func (c *Cart) Buy() {}\n\nfunc (c *Cart) Sell", None),
]


@pytest.mark.parametrize(("files", "edits"), [(RUST, RUST_EDITS), (GO, GO_EDITS)], ids=["rust", "go"])
def test_a_history_of_edits(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, files: dict[str, str], edits: list[tuple[str, str, str, int | None]]
) -> None:
    """Each step gives the bytes of a fresh run; where nobody sees the change, one file is linked again."""
    kept, now = Memory(), dict(files)
    caplog.set_level("DEBUG", logger="codequarry.pipeline.merge.linking")
    _both(tmp_path / "0", {"r": facts(now)}, kept)
    for step, (path, old, new, again) in enumerate(edits, 1):
        assert old in now[path]
        now[path] = now[path].replace(old, new, 1)
        caplog.clear()
        _both(tmp_path / str(step), {"r": facts(now)}, kept)
        assert [record.args[1:] for record in caplog.records if isinstance(record.args, tuple)] == (
            [(again, len(now))] if again else []
        ), (step, path)


@pytest.mark.parametrize("name", ["shop", "lib"])
def test_parameters_are_guessed_from_their_own_repository(tmp_path: Path, name: str) -> None:
    """What the edges of a repository are does not depend on which others are in the store, but for what it imports."""
    typed = "class Rate:\n    def apply(self): pass\n\n\n" + "".join(f"def f{n}(rate: Rate): pass\n\n\n" for n in range(4))
    repos = {"shop": facts({"a.py": typed}), "lib": facts({"b.py": "def use(rate):\n    rate.apply()\n"})}
    alone, beside = build(tmp_path / "1", {name: repos[name]}), build(tmp_path / "2", repos)
    assert _calls(alone) == {call for call in _calls(beside) if call[0].startswith(f"{name}:")}


def test_a_class_whose_body_is_in_another_file_is_where_its_bases_begin(tmp_path: Path) -> None:
    built = build(tmp_path / "s", {"r": facts(RUST)})
    keys = {r["symbol"]: r["key"] for r in built.rows("symbols")}
    found = [(keys[r["src"]], keys[r["dst"]], r["line"]) for r in built.rows("edges") if r["kind"] == "implements"]
    assert found == [("r:src/cart.rs#Cart", "r:src/sell.rs#Sell", 3)]


PLACES = {
    "python": {
        "a.py": "import os\nfrom b import help\n\n\ndef run(kind):\n    return help(kind)\n\n\ndef stop(): run(1)\n",
        "b.py": "import json, re\n\n\nclass Base:\n    def go(self): return help(1)\n\n\ndef help(kind): return kind\n",
        "c.py": "from b import Base\n\n\nclass Car(Base):\n    def go(self):\n        return self.stop()\n\n    def stop(self): pass\n",
    },
    "ecmascript": {
        "a.ts": "import { help } from './b'\nexport function run() { return help() }\n",
        "b.ts": "export function help() { return 1 }\nexport class Base { go() { help() } }\n",
        "c.ts": "import { Base } from './b'\nexport class Car extends Base {\n  go() { this.stop() }\n  stop() {}\n}\n",
    },
}
PLACE_EDITS: dict[str, list[tuple[str, str, str, bool]]] = {
    "python": [
        ("a.py", "\n\n\ndef run", "\n\n# A remark.\n\n\ndef run", True),
        ("b.py", "import json, re", '"""What the module does."""\n\nimport json, re', True),
        ("c.py", "return self.stop()", "# stop at once\n        return self.stop()", True),
        ("c.py", "class Car(Base):", "class Car(\n    Base\n):", False),
        ("a.py", "help(kind)\n", "help(\n        kind\n    )\n", True),
        ("a.py", "def stop(): run(1)", "def stop(): run(1); help(2)", False),
        ("b.py", "import json, re", "import json\nimport re", False),
        ("c.py", "    def stop(self): pass", "    def halt(self): pass", False),
    ],
    "ecmascript": [
        ("b.ts", "export class", "/** A base. */\nexport class", True),
        ("c.ts", "{ this.stop() }", "{\n    this.stop()\n  }", False),
        ("c.ts", "this.stop()", "this.halt()", False),
        ("a.ts", "return help()", "return help() + help()", False),
    ],
}


@pytest.mark.parametrize("family", sorted(PLACES))
def test_what_says_the_same_in_other_places_is_not_linked(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, family: str
) -> None:
    """Each step gives the bytes of a fresh run, with the lines that things have now."""
    kept, now = Memory(), dict(PLACES[family])
    caplog.set_level("DEBUG", logger="codequarry.pipeline.merge.linking")
    _both(tmp_path / "0", {"r": facts(now)}, kept)
    for step, (path, old, new, same) in enumerate(PLACE_EDITS[family], 1):
        assert old in now[path]
        now[path] = now[path].replace(old, new, 1)
        caplog.clear()
        _both(tmp_path / str(step), {"r": facts(now)}, kept)
        told = [record for record in caplog.records if "other places" in record.msg]
        assert bool(told) is same, (step, path)


def test_a_configuration_that_linking_does_not_read_in_full(tmp_path: Path) -> None:
    kept = Memory()
    package = '{"name": "shop", "version": "1.0.0", "main": "main.ts"}'
    code = {"main.ts": "export function f() {}\n", "lib.go": "package lib\n\nfunc f() {}\n", "package.json": package}
    changes = [("1.0.0", "2.0.0", 0), ("main.ts", "lib.ts", 1), ("shop", "store", 1)]
    _both(tmp_path / "0", {"r": facts(code)}, kept)
    assert kept.links() == 2
    for step, (old, new, again) in enumerate(changes, 1):
        code["package.json"] = code["package.json"].replace(old, new)
        _both(tmp_path / str(step), {"r": facts(code)}, kept)
        assert kept.links() == again


EVERYWHERE = {
    "go.go": "package p\n\ntype S interface{ Go() int }\n\ntype T struct{}\n\n"
    "func (t T) Go() int { return run() }\n\nfunc run() int { return 1 }\n",
    "java.java": "class A extends B {\n  void run() { go(); }\n  @Override void go() {}\n}\n\nclass B { void go() {} }\n",
    "one.rb": "require_relative 'two'\n\nclass A < B\n  def run\n    go\n  end\nend\n",
    "two.rb": "class B\n  def go\n    stop\n  end\n\n  def stop; end\nend\n",
    "a.php": "<?php\nclass A extends B {\n  function run() { return $this->go(); }\n}\n\nclass B { function go() {} }\n",
    "a.cs": "namespace N;\npartial class A : B {\n  void Run() { Go(); }\n}\n\nclass B { protected void Go() {} }\n",
    "b.cs": "namespace N;\npartial class A : I {\n  void More() { Run(); }\n}\n\ninterface I {}\n",
    "a.h": "int go(int n);\n",
    "a.c": '#include "a.h"\n\nint go(int n) { return n; }\n\nint run(void) { return go(1); }\n',
    "a.rs": "struct A;\n\ntrait Go { fn go(&self) -> u8; }\n\n"
    "impl Go for A {\n    fn go(&self) -> u8 { run() }\n}\n\nfn run() -> u8 { 1 }\n",
}


def test_lines_move_in_every_family(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kept = Memory()
    caplog.set_level("DEBUG", logger="codequarry.pipeline.merge.linking")
    before = _both(tmp_path / "1", {"r": facts(EVERYWHERE)}, kept)
    later = {path: text.replace("\n\n", "\n\n\n") for path, text in EVERYWHERE.items()}
    after = _both(tmp_path / "2", {"r": facts(later)}, kept)
    told = [record.args[0] for record in caplog.records if "other places" in record.msg and isinstance(record.args, tuple)]
    assert told == ["c", "csharp", "go", "jvm", "php", "ruby", "rust"]
    assert _calls(after) == _calls(before)
    moved = {(r["src"], r["dst"], r["kind"]): r["line"] for r in before.rows("edges")}
    now = {(r["src"], r["dst"], r["kind"]): r["line"] for r in after.rows("edges")}
    assert moved.keys() == now.keys()
    assert sum(moved[edge] != now[edge] for edge in now) > 10
