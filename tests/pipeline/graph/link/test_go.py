"""Resolution of Go."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from codequarry.pipeline.graph.link.conditions import may_build

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]

MOD = "module example.com/m\n\ngo 1.22\n"


def test_packages(edges: Edges) -> None:
    files = {
        "go.mod": MOD,
        "a/a.go": 'package a\n\nimport (\n\t"example.com/m/b"\n\tx "example.com/m/c"\n\t"fmt"\n)\n\n'
        "func F() {\n\tb.G()\n\tx.H()\n\tsame()\n\tfmt.Println()\n}\n",
        "a/other.go": "package a\n\nfunc same() {}\n",
        "a/a_test.go": "package a_test\n\nfunc same() {}\n",
        "b/b.go": "package b\n\nfunc G() {}\n",
        "c/c.go": "package c\n\nfunc H() {}\n",
    }
    assert edges(files) == {
        ("a/a.go#F", "b/b.go#G"): ("import", 0.98),
        ("a/a.go#F", "c/c.go#H"): ("import", 0.98),
        ("a/a.go#F", "a/other.go#same"): ("scope", 0.99),
    }


def test_receivers_fields_embedding_and_results(edges: Edges) -> None:
    text = (
        "package a\n\ntype P struct{}\n\nfunc (p *P) Go() *P { return p }\n\ntype Q struct{ P }\n\n"
        "type A struct {\n\tp  *P\n\tqs []*Q\n\tm  map[string]P\n}\n\nfunc make2() (*P, error) { return nil, nil }\n\n"
        "func (a *A) own() { a.p.Go().Go() }\n"
        "func two() {\n\tp, err := make2()\n\tp.Go()\n\terr.Error()\n}\n"
        "func ranged(a A) {\n\tfor _, q := range a.qs {\n\t\tq.Go()\n\t}\n\tfor _, v := range a.m {\n\t\tv.Go()\n\t}\n}\n"
        "func switched(x any) {\n\tswitch t := x.(type) {\n\tcase *P:\n\t\tt.Go()\n\tcase int:\n\t\tt.Go()\n\t}\n}\n"
        "func asserted(x any) {\n\tif p, ok := x.(*P); ok {\n\t\tp.Go()\n\t}\n}\n"
        "func literal() { (&P{}).Go() }\n"
        "func made() {\n\tp := new(P)\n\tp.Go()\n\tf := func() *P { return nil }\n\tf().Go()\n}\n"
        "func appended(ps []P) {\n\tps = append(ps, P{})\n\tps[0].Go()\n}\n"
    )
    found = edges({"a.go": text})
    names = ("own", "two", "ranged", "switched", "asserted", "literal", "made", "appended")
    assert {k[0] for k in found if k[1] == "a.go#Go"} == {f"a.go#{n}" for n in names}


def test_a_conversion_is_no_call(edges: Edges) -> None:
    text = "package a\n\ntype T int\n\nfunc (t T) M() {}\n\nfunc f(x int) { T(x).M() }\n"
    assert set(edges({"a.go": text})) == {("a.go#f", "a.go#M")}


def test_generic_functions_are_called_with_brackets(edges: Edges) -> None:
    text = 'package a\n\nfunc get[T any](k string) T { panic(k) }\n\nfunc f() int { return get[int]("a") }\n'
    assert set(edges({"a.go": text})) == {("a.go#f", "a.go#get")}


def test_implicit_implementations(edges: Edges) -> None:
    text = (
        "package a\n\ntype R interface {\n\tRead(p []byte, n int) (int, error)\n\tClose()\n}\n\ntype W interface{ R }\n\n"
        "type base struct{}\n\nfunc (base) Close() {}\n\ntype Yes struct{ base }\n\n"
        "func (*Yes) Read(p []byte, n int) (k int, err error) { return 0, nil }\n\n"
        "type No struct{ base }\n\nfunc (No) Read(p []byte) (int, error) { return 0, nil }\n"
    )
    assert set(edges({"a.go": text}, "implements")) == {
        ("a.go#Yes", "a.go#R"), ("a.go#Yes", "a.go#W"), ("a.go#W", "a.go#R"), ("a.go#R", "a.go#W"),
    }  # fmt: skip
    assert set(edges({"a.go": text}, "extends")) == {("a.go#Yes", "a.go#base"), ("a.go#No", "a.go#base")}


def test_variants_of_platforms_share_and_custom_tags_are_off(edges: Edges) -> None:
    files = {
        "a.go": "package a\n\nfunc f() { size(); opt() }\n",
        "size_linux.go": "package a\n\nfunc size() {}\n",
        "size_windows.go": "package a\n\nfunc size() {}\n",
        "opt.go": "//go:build !custom\n\npackage a\n\nfunc opt() {}\n",
        "opt_custom.go": "//go:build custom\n\npackage a\n\nfunc opt() {}\n",
    }
    assert edges(files) == {
        ("a.go#f", "size_linux.go#size"): ("shared", 0.5),
        ("a.go#f", "size_windows.go#size"): ("shared", 0.5),
        ("a.go#f", "opt.go#opt"): ("scope", 0.99),
    }


@pytest.mark.parametrize(
    ("condition", "built"),
    [
        ("linux", True), ("!windows", True), ("custom", False), ("!custom", True), ("linux && custom", False),
        ("linux || custom", True), ("(custom || debug) && linux", False), ("go1.21 && !custom", True), ("((", True),
        ("ignore", False), ("", True),
    ],
)  # fmt: skip
def test_conditions(condition: str, built: bool) -> None:
    assert may_build(condition) is built
