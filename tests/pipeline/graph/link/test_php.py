"""Resolution of PHP."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]

_LIBRARY = {
    "src/B.php": "<?php\nnamespace Q;\nclass B { function m() {} static function s(): static {} }\nfunction twice() {}\n",
    "src/Sub/C.php": "<?php\nnamespace Q\\Sub;\nclass C { function __construct() {} function go() {} }\n",
    "src/D.php": "<?php\nnamespace Q;\nclass D { function go() {} }\n",
    "src/global.php": "<?php\nfunction free() {}\nclass G { function go() {} }\n",
}


def test_namespaces_and_imports(edges: Edges) -> None:
    text = (
        "<?php\nnamespace P;\nuse Q\\B;\nuse Q\\{D as E};\nuse Q\\Sub;\nuse function Q\\twice;\nrequire_once __DIR__ . '/../src/D.php';\n"
        "function f() { (new B())->m(); B::s()->m(); twice(); (new E())->go(); (new Sub\\C())->go(); free(); new \\G(); G::go();\n"
        " strlen('x'); }\n"
    )
    found = edges({**_LIBRARY, "lib/a.php": text})
    assert {k[1]: v[0] for k, v in found.items()} == {
        "src/B.php#B": "import",
        "src/B.php#m": "typed",
        "src/B.php#s": "import",
        "src/B.php#twice": "import",
        "src/D.php#D": "import",
        "src/D.php#go": "typed",
        "src/Sub/C.php#__construct": "scope",
        "src/Sub/C.php#go": "typed",
        "src/global.php#free": "scope",
        "src/global.php#G": "scope",
    }
    assert {k[1] for k in edges({**_LIBRARY, "lib/a.php": text}, "imports")} == {
        "src/B.php#B", "src/D.php#D", "src/B.php#twice", "src/D.php",
    }  # fmt: skip


def test_members_of_this_of_the_class_and_of_bases(edges: Edges) -> None:
    text = (
        "<?php\nnamespace Q;\ninterface I { function both(); }\ntrait T { function both() { $this->own(); } function t() {} }\n"
        "class A { function __construct(private D $d) {} function up() {} function both() {} static function make(): self {} }\n"
        "class X extends A implements I { use T; private B $b;\n"
        "  function own() { parent::up(); self::make()->up(); static::make(); $this->b->m(); $this->d->go(); $this->both();\n"
        "    $this->t(); unknown()->go(); }\n"
        "  function g(?D $d, array $l) { $d?->go(); foreach ($l as $x) { $x->go(); } $n = new X(new D()); $n->own();\n"
        "    $f = fn(D $z) => $z->go(); try {} catch (D $e) { $e->go(); } $this->missing(); } }\n"
    )
    found = edges({**_LIBRARY, "src/X.php": text})
    here = {(k[0][10:], k[1].removeprefix("src/X.php#")) for k in found}
    assert here == {
        ("own", "up"), ("own", "make"), ("own", "src/B.php#m"), ("own", "src/D.php#go"), ("own", "both"), ("own", "t"),
        ("g", "src/D.php#go"), ("g", "__construct"), ("g", "src/D.php#D"), ("g", "own"),
    }  # fmt: skip
    assert set(edges({**_LIBRARY, "src/X.php": text}, "extends")) == {("src/X.php#X", "src/X.php#A")}
    assert set(edges({**_LIBRARY, "src/X.php": text}, "implements")) == {
        ("src/X.php#X", "src/X.php#I"), ("src/X.php#X", "src/X.php#T"),
    }  # fmt: skip


def test_a_trait_comes_before_the_base_and_both_before_an_interface(edges: Edges) -> None:
    text = (
        "<?php\ninterface I { function m(); }\ntrait T { function m() {} }\nclass A { function m() {} }\n"
        "class B extends A implements I { use T; function f() { $this->m(); } }\n"
    )
    assert set(edges({"a.php": text})) == {("a.php#f", "a.php#m")}
    rows = {"T.php": "<?php\ntrait T { function m() {} }\n", "I.php": "<?php\ninterface I { function m(); }\n"}
    user = "<?php\nclass B implements I { use T; function f() { $this->m(); } }\n"
    assert set(edges({**rows, "b.php": user})) == {("b.php#f", "T.php#m")}


def test_code_outside_of_tests_does_not_see_their_names(edges: Edges) -> None:
    files = {
        "src/A.php": "<?php\nnamespace P;\nclass A { function __construct() {} function f() { mail(1); own(); } }\n",
        "src/B.php": "<?php\nnamespace P;\nclass B extends A { function __construct() { parent::__construct(); } }\nfunction own() {}\n",
        "tests/T.php": "<?php\nnamespace P;\nfunction mail($x) {}\nfunction t() { mail(2); own(); }\n",
    }
    assert {(k[0].partition("#")[2], k[1]) for k in edges(files)} == {
        ("f", "src/B.php#own"), ("t", "src/B.php#own"), ("t", "tests/T.php#mail"), ("__construct", "src/A.php#__construct"),
    }  # fmt: skip
    assert edges(files, "overrides") == {}


def test_an_object_without_brackets_runs_its_constructor(edges: Edges) -> None:
    text = "<?php\nclass A { function __construct() {} function m() {} }\nclass B extends A {}\nfunction f() { $b = new B; $b->m(); }\n"
    assert set(edges({"a.php": text})) == {("a.php#f", "a.php#__construct"), ("a.php#f", "a.php#m")}
