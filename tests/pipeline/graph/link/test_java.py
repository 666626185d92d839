"""Resolution of Java."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]


def test_packages_and_imports(edges: Edges) -> None:
    files = {
        "src/main/java/p/A.java": "package p;\nimport q.B;\nimport q.sub.*;\nimport static q.B.twice;\n"
        "class A { void f() { new B().m(); new Near().n(); new Star().s(); twice(); B.one(); } }\n",
        "src/test/java/p/Near.java": "package p;\nclass Near { void n() {} }\n",
        "q/B.java": "package q;\npublic class B { public void m() {} static void twice() {} static void one() {} }\n",
        "q/sub/Star.java": "package q.sub;\npublic class Star { public void s() {} }\n",
        "other/B.java": "package other;\npublic class B { public void m() {} }\n",
    }
    found = {k[1] for k in edges(files) if k[0].endswith("A.java#f")}
    b, near, star = "q/B.java", "src/test/java/p/Near.java", "q/sub/Star.java"
    assert found == {f"{b}#B", f"{b}#m", f"{b}#twice", f"{b}#one", f"{near}#Near", f"{near}#n", f"{star}#Star", f"{star}#s"}
    assert ("src/main/java/p/A.java", "q/B.java#B") in edges(files, "imports")


def test_methods_and_variables_are_apart(edges: Edges) -> None:
    text = (
        "class A { A reader(int x) { return this; }\n"
        " void f() { A reader = new A().reader(reader(1)); reader.g(); } void g() {} }\n"
    )
    assert {k[1] for k in edges({"A.java": text}) if k[0] == "A.java#f"} == {"A.java#A", "A.java#reader", "A.java#g"}


def test_overloads_by_arity_and_constructors(edges: Edges) -> None:
    text = (
        "class A {\n A() { this(1); }\n A(int x) { }\n void m() { m(1); }\n void m(int x) { }\n}\n"
        "class B extends A { B() { super(2); } void k() { new A(3); } }\n"
    )
    found = edges({"A.java": text})
    calls = (("A", "A"), ("m", "m"), ("B", "A"), ("k", "A"))
    assert set(found) == {(f"A.java#{caller}", f"A.java#{callee}") for caller, callee in calls}


def test_inherited_inner_and_anonymous(edges: Edges) -> None:
    text = (
        "interface I extends J { default void d() {} }\ninterface J { void j(); }\n"
        "abstract class A implements I {\n  void run() { d(); j(); helper(); new I() { public void j() { d(); } }.j(); }\n"
        "  static void helper() {}\n  class In { void x() { helper(); A.this.run(); } }\n}\n"
    )
    found = set(edges({"A.java": text}))
    assert {("A.java#run", "A.java#d"), ("A.java#run", "A.java#j"), ("A.java#run", "A.java#helper")} <= found
    assert {("A.java#j", "A.java#d"), ("A.java#x", "A.java#helper"), ("A.java#x", "A.java#run")} <= found
    assert set(edges({"A.java": text}, "implements")) == {("A.java#A", "A.java#I")}
    assert set(edges({"A.java": text}, "extends")) == {("A.java#I", "A.java#J")}


def test_generics_fields_and_records(edges: Edges) -> None:
    text = (
        "class Box<T> { T get() { return null; } T inner; }\nclass P { void go() {} }\nrecord R(P p) {}\n"
        "enum E { ONE; void e() {} }\n"
        "class A {\n  java.util.List<P> ps; java.util.Map<String, P> m;\n"
        "  void boxed(Box<P> b) { b.get().go(); }\n  void listed() { ps.get(0).go(); for (P p : ps) p.go(); }\n"
        '  void mapped() { m.get("a").go(); }\n  void recorded(R r) { r.p().go(); }\n'
        "  void matched(Object o) { if (o instanceof P p) p.go(); E.ONE.e(); }\n"
        "  void inferred() { var p = new P(); p.go(); }\n}\n"
    )
    found = edges({"A.java": text})
    names = ("boxed", "listed", "mapped", "recorded", "matched", "inferred")
    assert {k[0] for k in found if k[1] == "A.java#go"} == {f"A.java#{n}" for n in names}
    assert ("A.java#matched", "A.java#e") in found
