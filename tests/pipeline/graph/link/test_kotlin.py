"""Resolution of Kotlin."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]


def test_packages_imports_and_private_functions(edges: Edges) -> None:
    files = {
        "p/A.kt": "package p\nimport q.B\nimport q.twice as double\nimport q.sub.*\n"
        "fun f() { B().m(); double(); star(); near(); hidden(); q.once() }\n",
        "p/Near.kt": "package p\nfun near() {}\nprivate fun hidden() {}\n",
        "q/B.kt": "package q\nclass B { fun m() {} }\nfun twice() {}\nfun once() {}\n",
        "q/sub/S.kt": "package q.sub\nfun star() {}\n",
        "q/J.java": "package q;\nclass J { void j() { new B().m(); } }\n",
        "other/B.kt": "package other\nclass B { fun m() {} }\n",
        "build.gradle.kts": "fun script() { unpackaged() }\n",
        "lone.kt": "fun unpackaged() {}\nclass X { fun near() {} }\n",
    }
    found = edges(files)
    assert {k[1]: v[0] for k, v in found.items() if k[0] == "p/A.kt#f"} == {
        "q/B.kt#B": "import",
        "q/B.kt#m": "typed",
        "q/B.kt#twice": "import",
        "q/B.kt#once": "import",
        "q/sub/S.kt#star": "import",
        "p/Near.kt#near": "scope",
    }
    assert {k[1] for k in found if k[0] == "q/J.java#j"} == {"q/B.kt#B", "q/B.kt#m"}
    assert ("p/A.kt", "q/B.kt#twice") in edges(files, "imports")


def test_classes_companions_objects_and_extensions(edges: Edges) -> None:
    text = (
        "package p\ninterface I { fun i() }\nopen class Base(val x: D) { open fun up() {} }\n"
        "class A(private val d: D, n: Int = 1) : Base(d), I {\n  companion object { fun make(): A = A(D()) }\n"
        "  val p: D get() = own()\n  fun own(): D { d.go(); return d }\n"
        "  override fun up() { super.up(); Obj.run(); A.make().own(); p.go(); i(); d.also { }.go() }\n  override fun i() {}\n}\n"
        "class D { fun go() {} }\nobject Obj { fun run() {} }\nfun D.more(n: Int) {}\nfun String.text() {}\n"
        "fun f(l: List<D>, a: A?, s: String, x: Any) {\n  for (q in l) q.more(1)\n  a?.own()!!.go(); l.first().go(); s.text(); x.go()\n"
        "  val g = { d: D -> d.go() }; a.more(1); (x as D).more(2); val o = a ?: A(D()); o.own(); go() }\n"
    )
    found = {(k[0][5:], k[1][5:]) for k in edges({"a.kt": text})}
    assert found == {
        ("A", "Base"), ("make", "A"), ("make", "D"), ("p", "own"), ("own", "go"), ("up", "up"), ("up", "run"), ("up", "make"),
        ("up", "own"), ("up", "go"), ("up", "i"), ("f", "more"), ("f", "own"), ("f", "go"), ("f", "text"), ("f", "A"), ("f", "D"),
    }  # fmt: skip
    assert set(edges({"a.kt": text}, "extends")) == {("a.kt#A", "a.kt#Base")}
    assert set(edges({"a.kt": text}, "implements")) == {("a.kt#A", "a.kt#I")}


def test_expected_and_actual_definitions_share_an_edge(edges: Edges) -> None:
    files = {
        "common/a.kt": "package p\nexpect fun now(): Long\nfun f() { now() }\n",
        "js/a.kt": "package p\nactual fun now(): Long = 1\n",
        "jvm/a.kt": "package p\nactual fun now(): Long = 2\n",
        "use.kt": "package q\nimport p.now\nfun g() { now() }\n",
    }
    assert {k: v for k, v in edges(files).items() if k[0] == "use.kt#g"} == {
        ("use.kt#g", f"{folder}/a.kt#now"): ("shared", 0.333) for folder in ("common", "js", "jvm")
    }


def test_a_bare_extension_needs_its_object_and_arguments_must_fit(edges: Edges) -> None:
    text = (
        "package p\nclass B { fun own() { more(); hash(1) } fun hash() {} }\nclass C { fun own() { more() } }\n"
        "fun B.more() {}\nfun B.again() { more() }\nfun hash(x: Int) {}\nfun many(vararg x: Int) {}\n"
        "fun f() { B().apply { more() }; many(1, 2, 3); hash(1, 2) }\n"
    )
    found = [(k[0][5:], k[1][5:]) for k in edges({"a.kt": text})]
    assert sorted(found) == [("again", "more"), ("f", "B"), ("f", "many"), ("own", "hash"), ("own", "more")]
