"""Resolution of C#."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]


def test_namespaces_and_usings(edges: Edges) -> None:
    files = {
        "a/B.cs": "namespace N.M;\npublic class B { public void Go() {} public static B Make() => new B();\n"
        "  public static void Free() {} }\n",
        "a/C.cs": "namespace N.M { class C { public C(int x) {} void F() { B.Make().Go(); } } }\n",
        "b/B.cs": "namespace Other;\npublic class B { public void Go() {} }\n",
        "b/Globals.cs": "global using G.H;\n",
        "b/H.cs": "namespace G.H { public class Everywhere { public static void E() {} } }\n",
        "u.cs": "using N.M;\nusing O = Other.B;\nusing static N.M.B;\nnamespace U {\n  class X : C {\n"
        "    void F(B b, O o) { b.Go(); o.Go(); Free();\n"
        "      Everywhere.E(); new C(1); N.M.B.Make(); Console.Write(1); unknown.Go(); }\n  }\n}\n",
    }
    assert {k[1]: v for k, v in edges(files).items() if k[0] == "u.cs#F"} == {
        "a/B.cs#Go": ("typed", 0.97),
        "b/B.cs#Go": ("typed", 0.97),
        "a/B.cs#Free": ("import", 0.98),
        "a/B.cs#Make": ("import", 0.98),
        "a/C.cs#C": ("base", 0.98),
        "b/H.cs#E": ("scope", 0.99),
    }
    assert {k[1] for k in edges(files) if k[0] == "a/C.cs#F"} == {"a/B.cs#Make", "a/B.cs#Go"}
    assert ("u.cs#X", "a/C.cs#C") in edges(files, "extends")
    assert ("u.cs", "b/B.cs#B") in edges(files, "imports")


def test_partial_classes_bases_and_constructors(edges: Edges) -> None:
    files = {
        "a.cs": "namespace N;\ninterface I { void Both(); }\nclass Base { public Base(int x) {} public virtual void Up() {} }\n"
        "partial class C : Base, I {\n  readonly D d = new();\n  public D P { get { return Own(); } }\n  public C() : base(1) { }\n"
        "  public C(int x) : this() { }\n  public override void Up() { base.Up(); Late(); d.Go(); P.Go(); this.Own().Go(); }\n}\n",
        "b.cs": "namespace N;\npartial class C { void Late() { Up(); } D Own() => null; public void Both() {} }\n"
        "class D { public void Go() {} }\n",
    }
    found = {(k[0][5:], k[1][5:]) for k in edges(files)}
    assert found == {
        ("P", "Own"), ("C", "Base"), ("C", "C"), ("Up", "Up"), ("Up", "Late"), ("Up", "Go"), ("Up", "Own"), ("Late", "Up"),
    }  # fmt: skip
    assert set(edges(files, "extends")) == {("a.cs#C", "a.cs#Base")}
    assert set(edges(files, "implements")) == {("a.cs#C", "a.cs#I")}
    assert ("a.cs#Up", "a.cs#Up") in edges(files, "overrides")


def test_extension_methods_need_the_type(edges: Edges) -> None:
    text = (
        "using System.Collections.Generic;\nnamespace N;\nclass A { }\nclass B { public void Own() {} }\n"
        "static class Ext { public static void Run(this A a) {} public static void Own(this B b, int x) {}\n"
        "  public static string Text(this string s) => s; }\n"
        "class T { void F(A a, B b, List<A> l, string s, X x) {\n"
        "    a.Run(); b.Own(); foreach (var i in l) i.Run(); s.Text(); x.Run(); b.Run(); }\n"
        "  async System.Threading.Tasks.Task<B> G(object o) { if (o is B c) c.Own(); (await G(1)).Own(); return null; } }\n"
    )
    found = edges({"a.cs": text})
    assert {(k[0][5:], k[1][5:]) for k in found} == {("F", "Run"), ("F", "Own"), ("F", "Text"), ("G", "Own"), ("G", "G")}
    assert found[("a.cs#F", "a.cs#Run")] == ("typed", 0.97)
