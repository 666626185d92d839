"""Resolution of Scala."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from codequarry.pipeline.graph.references._uses import imported_names

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import a.b.C", [("a.b.C", "", "")]),
        ("import a.{B, c => d, _}", [("a.B", "", ""), ("a.c", "", "d"), ("a", "*", "")]),
        ("import a.b._, c.D", [("a.b", "*", ""), ("c.D", "", "")]),
        ("import a.{b => _, *}", [("a", "*", "")]),
        ("import a.given", []),
        ("import a.B as C", [("a.B", "", "C")]),
    ],
)
def test_names_of_an_import(text: str, names: list[tuple[str, str, str]]) -> None:
    assert list(imported_names(text)) == names


def test_packages_imports_and_companions(edges: Edges) -> None:
    files = {
        "A.scala": "package p\npackage inner\nimport q.{B, D => E}\nimport q.Obj._\n"
        "class A { def f(b: B): Unit = { b.m(); B.make(1).m(); new E(2).go; helper(); q.sub.S.s(); near() } }\n",
        "Near.scala": "package p.inner\nobject Near { }\n",
        "B.scala": "package q\nclass B { def m(): B = this; private def own = B.make(2) }\nobject B { def make(x: Int) = new B }\n"
        "class D(val x: Int) { def go = x }\nobject Obj { def helper() = 1 }\n",
        "S.scala": "package q.sub\nobject S { def s() = 1 }\n",
        "C.scala": "package other\nclass B { def m() = 1 }\nobject T { def near() = 1 }\n",
    }
    assert {k[1]: v[0] for k, v in edges(files).items() if k[0] == "A.scala#f"} == {
        "B.scala#m": "typed",
        "B.scala#make": "import",
        "B.scala#D": "import",
        "B.scala#go": "typed",
        "B.scala#helper": "import",
        "S.scala#s": "import",
    }
    assert {k[1] for k in edges(files) if k[0] == "B.scala#own"} == {"B.scala#make"}
    assert ("A.scala", "B.scala#B") in edges(files, "imports")


def test_traits_extensions_and_members_without_brackets(edges: Edges) -> None:
    text = (
        "package p\ntrait T { def t: D = new D; def both() = 1 }\nabstract class U(d: D) { def u() = 2 }\n"
        "class A(val d: D) extends U(d) with T {\n  def own = t.go()\n"
        "  override def u() = { super.u(); both(); this.d.go(); own.toString }\n}\n"
        "class D { def go() = 1; def next: D = this }\nobject Ext { implicit class Ops(val d: D) { def more() = d.next.next.go() } }\n"
        "object Use { def f(x: Any, o: Option[D], l: List[D]) = { (new A(new D)).d.more(); o.get.go(); for (q <- l) q.go()\n"
        "  x match { case d: D => d.next; case _ => x.go() }; val h = l.head; h.more(); val k = (z: D) => z.go() } }\n"
    )
    found = {(k[0][8:], k[1][8:]) for k in edges({"a.scala": text})}
    assert found == {
        ("t", "D"), ("own", "go"), ("u", "u"), ("u", "both"), ("u", "go"), ("more", "go"), ("more", "next"),
        ("f", "A"), ("f", "D"), ("f", "more"), ("f", "go"), ("f", "next"),
    }  # fmt: skip
    assert set(edges({"a.scala": text}, "extends")) == {("a.scala#A", "a.scala#U")}
    assert set(edges({"a.scala": text}, "implements")) == {("a.scala#A", "a.scala#T")}
