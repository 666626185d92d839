"""Resolution of Rust."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]

CARGO = '[package]\nname = "my-crate"\n'


def test_modules_and_uses(edges: Edges) -> None:
    files = {
        "Cargo.toml": CARGO,
        "src/lib.rs": "pub mod a;\nmod b;\npub use self::b::deep::two;\npub fn root() {}\n",
        "src/a.rs": "use crate::b::{deep::{self, one as uno}, Kind};\nuse super::root;\n"
        "pub fn f() { uno(); deep::two(); root(); crate::b::here(); Kind::new(); std::mem::drop(1); }\n",
        "src/b/mod.rs": "pub mod deep;\npub struct Kind;\nimpl Kind { pub fn new() -> Self { Kind } }\npub fn here() {}\n"
        "mod tests { use super::*; fn t() { here(); self::u(); } fn u() {} }\n",
        "src/b/deep.rs": "pub fn one() {}\npub fn two() { super::here() }\n",
        "tests/it.rs": "use my_crate::{two, a};\nfn t() { two(); a::f(); my_crate::root(); }\n",
    }
    found = set(edges(files))
    a = {t for s, t in found if s == "src/a.rs#f"}
    assert a == {"src/b/deep.rs#one", "src/b/deep.rs#two", "src/lib.rs#root", "src/b/mod.rs#here", "src/b/mod.rs#new"}
    assert {t for s, t in found if s == "tests/it.rs#t"} == {"src/b/deep.rs#two", "src/a.rs#f", "src/lib.rs#root"}
    assert {t for s, t in found if s == "src/b/mod.rs#t"} == {"src/b/mod.rs#here", "src/b/mod.rs#u"}
    assert ("src/b/deep.rs#two", "src/b/mod.rs#here") in found
    assert ("src/lib.rs", "src/b/deep.rs#two") not in found
    assert edges(files, "reexports") != {}


def test_impl_blocks_traits_and_bounds(edges: Edges) -> None:
    text = (
        "trait Run: Base { fn run(&self); fn twice(&self) { self.run(); self.base(); } }\ntrait Base { fn base(&self); }\n"
        "struct A { b: Box<B> }\nstruct B;\n"
        "impl A { fn new() -> Self { Self { b: Box::new(B) } } fn go(&self) { self.b.poll(); self.run(); Self::new(); } }\n"
        "impl Run for A { fn run(&self) {} }\nimpl B { fn poll(&self) -> Option<A> { None } }\n"
        "fn generic<T: Run>(t: T) { t.run(); }\nfn dynamic(t: &dyn Run) { t.twice(); }\nfn some(t: impl Run) { t.run(); }\n"
        "fn opened(b: B) { if let Some(a) = b.poll() { a.go(); } b.poll().unwrap().go(); }\n"
        "fn outside<F: Future>(f: F) { f.poll(); }\n"
    )
    found = edges({"src/lib.rs": text})
    assert {k[1] for k in found if k[0] == "src/lib.rs#go"} == {"src/lib.rs#poll", "src/lib.rs#run", "src/lib.rs#new"}
    assert {k[1] for k in found if k[0] == "src/lib.rs#twice"} == {"src/lib.rs#run", "src/lib.rs#base"}
    for caller in ("generic", "some"):
        assert (f"src/lib.rs#{caller}", "src/lib.rs#run") in found
    assert {k[1] for k in found if k[0] == "src/lib.rs#opened"} == {"src/lib.rs#poll", "src/lib.rs#go"}
    assert not [k for k in found if k[0] == "src/lib.rs#outside"]
    assert set(edges({"src/lib.rs": text}, "implements")) == {("src/lib.rs#A", "src/lib.rs#Run")}
    assert set(edges({"src/lib.rs": text}, "extends")) == {("src/lib.rs#Run", "src/lib.rs#Base")}
    assert set(edges({"src/lib.rs": text}, "overrides")) == {("src/lib.rs#run", "src/lib.rs#run")}


def test_arguments_of_macros_are_not_lost(edges: Edges) -> None:
    text = (
        "struct A;\nimpl A { fn n(&self) -> u8 { 1 } }\nfn f() -> u8 { 1 }\n"
        'fn g(a: A) { assert_eq!(f(), a.n()); println!("{}", x.n()); }\n'
    )
    assert set(edges({"src/lib.rs": text})) == {("src/lib.rs#g", "src/lib.rs#f"), ("src/lib.rs#g", "src/lib.rs#n")}


def test_crates_of_one_workspace(edges: Edges) -> None:
    files = {
        "one/Cargo.toml": '[package]\nname = "one"\n',
        "one/src/lib.rs": "pub fn f() {}\n",
        "two/Cargo.toml": '[package]\nname = "two"\n',
        "two/src/main.rs": "use one::f;\nfn main() { f(); one::f(); }\n",
    }
    assert edges(files) == {("two/src/main.rs#main", "one/src/lib.rs#f"): ("import", 0.98)}


def test_a_library_beside_its_manifest(edges: Edges) -> None:
    files = {
        "one/Cargo.toml": '[package]\nname = "one"\n\n[lib]\npath = "lib.rs"\n',
        "one/lib.rs": "pub mod deep;\n",
        "one/deep.rs": "pub fn go() {}\n",
        "two/Cargo.toml": '[package]\nname = "two"\n',
        "two/src/lib.rs": "use one::deep;\nfn user() { deep::go(); one::deep::go(); }\n",
    }
    assert set(edges(files)) == {("two/src/lib.rs#user", "one/deep.rs#go")}
