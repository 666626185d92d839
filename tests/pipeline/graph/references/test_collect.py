"""What one file says about names: chains, bindings, scopes, and that facts survive their encoding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from codequarry.pipeline.graph.facts import FileReferences, decode, encode
from codequarry.pipeline.graph.references._uses import used_names
from hypothesis import given
from hypothesis import strategies as st

Collect = Callable[[str, str], FileReferences]


def _chains(facts: FileReferences) -> list[str]:
    return [r.chain for r in facts.references if r.kind in ("call", "bare")]


@pytest.mark.parametrize(
    ("path", "text", "chain"),
    [
        ("a.py", "(await a.b(c(1))[0]).d(2)", "a.b()[]~.d"),
        ("a.py", "(x or y()).z()", "x.z¦y().z"),
        ("a.ts", "a?.b!.c<T>(1)[0].d()", "a.b.c()[].d"),
        ("a.ts", "new A(1).b().c()", "A().b().c"),
        ("a.ts", "(a as B).c()", "`B`.c"),
        ("a.js", "require('./a').b()", "`require ./a`.b"),
        ("a.go", "package a\nfunc f() { (&B{}).c[1].d(<-e) }\n", "`B`.c[].d"),
        ("a.go", "package a\nfunc f() { x.(*B).c() }\n", "`*B`.c"),
        ("A.java", "class A { void f() { ((B) a).c(1)[0].d(); } }", "`B`.c()[].d"),
        ("a.rs", "fn f() { a::b::<C>(1)?.d.await.e(); }", "a.b()~.d.e"),
        ("a.rb", "a.b(1).c&.d[0].e", "a.b().c().d()[].e"),
        ("a.cpp", "void f() { a::b<c>::d(1)->e[0].f(); }", "a.b.d().e[].f"),
        ("a.kt", "fun f() { a?.b(1)!!.c[0].d { it } }", "a.b().c[].d"),
        ("a.scala", "class A { def f = a.b(1).c[Int](2).d }", "a.b().c().d"),
        ("a.cs", "class A { void F() { a?.B(1)!.C<D>()[0].E(); } }", "a.B().C()[].E"),
        ("a.php", "<?php $a?->b(1)->c[0]->d();", "$a.b().c[].d"),
        ("a.php", "<?php \\A\\b()->c();", "\\A\\b().c"),
        ("a.rb", "class A; def f; @a.b; end; end", "self.$a.b"),
        ("a.c", "void f(void) { (*a->b[1]).c(2); }", "a.b[].c"),
    ],
)
def test_chains(references: Collect, path: str, text: str, chain: str) -> None:
    assert chain in _chains(references(path, text))


def test_a_fluent_line_is_one_chain_a_call(references: Collect) -> None:
    calls = 40
    facts = references("a.ts", "z" + "".join(f".m{n}({n})" for n in range(calls)))
    assert sorted(map(len, _chains(facts))) == sorted(
        len("z" + "".join(f".m{n}()" for n in range(k)) + f".m{k}") for k in range(calls)
    )


def test_equal_calls_of_a_scope_are_counted_but_for_names_bound_anew(references: Collect) -> None:
    facts = references("a.py", "def f(x):\n    x.m()\n    x.m()\n    x = g()\n    x.m()\n    h()\n    h()\n")
    assert sorted((r.chain, r.line, r.sites) for r in facts.references) == [
        ("g", 4, 1), ("h", 6, 2), ("x.m", 2, 1), ("x.m", 3, 1), ("x.m", 5, 1),
    ]  # fmt: skip


def test_definitions_point_to_symbols(references: Collect) -> None:
    facts = references("a.py", "class A:\n    def m(self): pass\n    x = 1\n\ndef test_it(): pass\n")
    assert [(d.name, d.kind, d.symbol) for d in facts.definitions if d.symbol >= 0] == [
        ("A", "class", 0), ("m", "function", 1), ("test_it", "function", 3), ("x", "field", 2),
    ]  # fmt: skip
    assert next(d for d in facts.definitions if d.name == "test_it").flags == "is_test"


def test_patterns_bind_by_place_and_name(references: Collect) -> None:
    facts = references("a.ts", "const { a, b: c, ...d } = f(), [e, g] = h()\n")
    assert {d.name: d.value for d in facts.definitions} == {"a": "f().a", "c": "f().b", "d": "", "e": "h()^0", "g": "h()^1"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", [("a", "", "a")]),
        ("a::b as c", [("a", "b", "c")]),
        ("a::{b::C, self, d as e, f::*}", [("a::b", "C", ""), ("a", "", "a"), ("a", "d", "e"), ("a::f", "*", "")]),
        ("x::{y::{z, w}, v}", [("x::y", "z", ""), ("x::y", "w", ""), ("x", "v", "")]),
    ],
)
def test_used_names(text: str, names: list[tuple[str, str, str]]) -> None:
    assert list(used_names(text)) == names


@given(st.text(alphabet="ab:{},*{} as", max_size=40))
def test_used_names_of_any_text_ends(text: str) -> None:
    assert len(list(used_names(text))) <= len(text) + 1


@pytest.mark.parametrize(
    "path", ["a.py", "a.ts", "a.js", "a.go", "A.java", "a.c", "a.rs", "a.rb", "a.php", "a.cs", "a.kt", "a.scala"]
)
def test_encoding_keeps_everything(references: Collect, path: str) -> None:
    texts = {
        "a.py": "from a import b as c\nclass D(E):\n    def f(self, x: int = 1) -> str: return self.g(x)\n",
        "a.ts": "import { a } from './b'\nclass C extends D implements E { x: F = new F(); m(): void { this.x.y() } }\n",
        "a.js": "const a = require('b')\nmodule.exports = { a, c() { a.d() } }\n",
        "a.go": 'package a\nimport "b"\ntype C struct{ b.D }\nfunc (c C) M() error { return c.N() }\n',
        "A.java": "package p;\nimport q.B;\nclass A extends B { B b; void m() { b.n(); } }\n",
        "a.c": '#include "b.h"\nint f(int x);\nint f(int x) { return g(x); }\n',
        "a.cpp": '#include "b.h"\nnamespace n { class A : B { C c; int f(int x); }; int A::f(int x) { return c.g(x); } }\n',
        "a.kt": "package p\nimport q.B\nclass A(val b: B) : C(b) { fun D.f(x: Int): B = b.g(x).h() }\n",
        "a.scala": "package p\nimport q.{B, C => D}\nclass A(val b: B) extends D { def f(x: Int): B = b.g(x).h }\n",
        "a.cs": "using N;\nclass A : B { C c = new(); void F(this D d, int x) { c?.G(x)?.H(); } }\n",
        "a.php": "<?php\nuse A\\B;\nclass C extends B { private D $d; function f() { return $this->d->g(new B); } }\n",
        "a.rb": "require 'b'\nclass C < D\n  attr_reader :x\n  def f(y) = @x.g(y)\nend\n",
        "a.rs": "use a::b;\nstruct C { d: b::E }\nimpl C { fn f(&self) { self.d.g() } }\n",
    }
    facts = references(path, texts[path])
    assert facts.references
    assert decode(encode(facts)) == facts
    assert decode(encode(facts), references=False) == replace(facts, references=())
    assert encode(facts) == encode(references(path, texts[path]))


def test_nothing_depends_on_a_file_that_cannot_be_parsed(references: Collect) -> None:
    facts = references("a.py", "def f(:\n    g(\n\ndef h(): k()\n")
    assert "k" in _chains(facts)
