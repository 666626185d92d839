"""Which changes of a file could other files see."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from codequarry.pipeline.graph.facts import FileReferences, encode
from codequarry.pipeline.graph.link import change, unseen

Collect = Callable[[str, str], FileReferences]

RUST = """use crate::money::Coin;

pub struct Cart { items: Vec<Coin> }

impl Cart {
    pub fn total(&self, rate: u32) -> u32 {
        let first = self.items.first();
        first.worth() * rate
    }
}

pub fn empty() -> Cart { Cart { items: vec![] } }
"""
OTHER = "use crate::cart::Cart;\n\nfn pay(cart: Cart) { cart.total(2); }\n"


def _seen(references: Collect, old: str, new: str, path: str = "cart.rs", other: str = OTHER) -> bool | None:
    """Return whether another file could see the change, None if that is not told by names."""
    family = "rust" if path.endswith(".rs") else "go"
    found = change(family, references(path, old), references(path, new))
    others = [encode(references(f"other{path[-3:]}", other))]
    return None if found is None else not unseen([found], others)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("let first", "// remark\n        let first"),
        ("let first = self.items.first();\n        first", "let one = self.items.first();\n        one"),
        ("first.worth() * rate", "let more = helper(rate);\n        first.cost(more) * rate"),
        ("pub fn empty", "pub fn brand_new(kind: u8) -> u8 { kind }\n\npub fn empty"),
        ("    pub fn total", "    fn hidden_part(&self) -> u8 { 1 }\n\n    pub fn total"),
        ("pub fn empty", "pub const LARGEST_CART: u8 = 3;\n\npub fn empty"),
        ("pub fn empty() -> Cart {", "pub fn void() -> Cart {"),
    ],
)
def test_changes_that_nobody_sees(references: Collect, old: str, new: str) -> None:
    assert old in RUST
    assert _seen(references, RUST, RUST.replace(old, new)) is False


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("pub fn total(&self, rate: u32)", "pub fn total(&self)"),
        ("-> u32 {", "-> u64 {"),
        ("pub fn total", "pub fn sum"),
        ("pub fn empty", "pub fn pay() -> u8 { 1 }\n\npub fn empty"),
        ("pub fn empty", "pub struct items;\n\npub fn empty"),
        ("use crate::money::Coin;", "use crate::gold::Coin;"),
    ],
)
def test_changes_that_somebody_may_see(references: Collect, old: str, new: str) -> None:
    assert old in RUST
    assert _seen(references, RUST, RUST.replace(old, new)) is True


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("use crate::money::Coin;", "use crate::money::*;"),
        ("pub fn empty", "impl Clone for Cart { fn clone(&self) -> Cart { empty() } }\n\npub fn empty"),
        ("pub fn empty", "mod inner;\n\npub fn empty"),
        ("pub struct Cart {", "pub struct Cart<T> {"),
        ("pub fn total", "pub fn new() -> Cart { empty() }\n\n    pub fn total"),
    ],
)
def test_changes_that_names_do_not_tell(references: Collect, old: str, new: str) -> None:
    assert old in RUST
    assert _seen(references, RUST, RUST.replace(old, new)) is None


def test_definitions_that_change_places_matter(references: Collect) -> None:
    one, two = "#[cfg(unix)]\nfn run(a: u8) -> u8 { a }\n", "#[cfg(windows)]\nfn run() -> u8 { 1 }\n"
    assert change("rust", references("a.rs", one + two), references("a.rs", two + one)) is None


def test_what_moves_is_found_where_it_went(references: Collect) -> None:
    old, new = (
        references("a.rs", "fn last() -> u8 { 1 }\n"),
        references("a.rs", "fn brand_new(x: u8) {}\n\nfn last() -> u8 { 1 }\n"),
    )
    found = change("rust", old, new)
    assert found is not None
    assert found.names == {"brand_new"}
    names = [[d.name for d in facts.definitions] for facts in (old, new)]
    assert {names[0][a]: names[1][b] for a, b in found.moved.items() if a >= 0} == {"last": "last"}
    assert found.moved[names[0].index("last")] == names[1].index("last") > 0


GO = 'package cart\n\nimport "fmt"\n\ntype Cart struct{}\n\nfunc (c *Cart) Total(rate int) int { return rate }\n'
GO_OTHER = 'package cart\n\nimport "strings"\n\nfunc pay(c *Cart) { c.Total(2); strings.ToLower("") }\n'


@pytest.mark.parametrize(
    ("old", "new", "seen"),
    [
        ("return rate", "fmt.Println()\n\treturn rate", False),
        ('import "fmt"', 'import (\n\t"fmt"\n\t"strings"\n)', False),  # no other file sees what a file imports
        ("type Cart", "func helper() int { return 1 }\n\ntype Cart", False),
        ("func (c *Cart) Total(rate int)", "func (c *Cart) Total(rate, more int)", True),
        ("package cart", "package basket", None),
    ],
)
def test_go(references: Collect, old: str, new: str, seen: bool | None) -> None:
    assert old in GO
    assert _seen(references, GO, GO.replace(old, new), "cart.go", GO_OTHER) is seen


def test_a_name_in_the_outline_of_a_changed_file_is_seen(references: Collect) -> None:
    """`empty` says that it returns a Box, so what a Box is can matter to whoever calls `empty`."""
    old = "pub fn empty() -> Box { open() }\n"
    found = change("rust", references("a.rs", old), references("a.rs", old + "pub struct Box;\n"))
    assert found is not None
    assert not unseen([found], [])
