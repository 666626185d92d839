"""Resolution of Python: each rule of the ladder, and the traps that name matching falls into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]
Graph = Callable[[dict[str, str]], Any]


def test_own_file_and_nested_scope(edges: Edges) -> None:
    found = edges({"a.py": "def f(): pass\ndef g():\n    def f(): pass\n    f()\ndef h(): f()\n"})
    assert found == {("a.py#g", "a.py#f"): ("scope", 0.99), ("a.py#h", "a.py#f"): ("scope", 0.99)}


def test_code_outside_of_functions_belongs_to_the_file(edges: Edges) -> None:
    assert edges({"a.py": "def f(): pass\nf()\nx = [f() for _ in y]\n"}) == {("a.py", "a.py#f"): ("scope", 0.99)}


def test_calls_in_closures_decorators_and_arguments_are_kept(edges: Edges, graph: Graph) -> None:
    text = "def d(x): return x\ndef f(): pass\n@d(1)\ndef g():\n    return lambda: f(d(f()))\n"
    assert set(edges({"a.py": text})) == {("a.py", "a.py#d"), ("a.py#g", "a.py#f"), ("a.py#g", "a.py#d")}
    sites = {e.sites for e in graph({"a.py": text}).edges if e.kind == "calls" and e.target == 1}
    assert sites == {2}


def test_imports_aliases_and_modules(edges: Edges) -> None:
    files = {
        "p/__init__.py": "",
        "p/m.py": "def f(): pass\ndef g(): pass\n",
        "p/n.py": "from .m import f as h\nfrom . import m\nimport p.m\nimport p.m as q\n"
        "def a(): h()\ndef b(): m.g()\ndef c(): p.m.f()\ndef d(): q.g()\n",
    }
    assert edges(files) == {
        ("p/n.py#a", "p/m.py#f"): ("import", 0.98),
        ("p/n.py#b", "p/m.py#g"): ("import", 0.98),
        ("p/n.py#c", "p/m.py#f"): ("import", 0.98),
        ("p/n.py#d", "p/m.py#g"): ("import", 0.98),
    }


def test_reexports_and_stars(edges: Edges) -> None:
    files = {
        "p/__init__.py": "from .a import one\nfrom .b import *\n",
        "p/a.py": "def one(): pass\n",
        "p/b.py": "def two(): pass\n",
        "use.py": "from p import one, two\ndef f():\n    one()\n    two()\n",
    }
    assert set(edges(files)) == {("use.py#f", "p/a.py#one"), ("use.py#f", "p/b.py#two")}


def test_star_imports_of_each_other_end(edges: Edges) -> None:
    files = {"a.py": "from b import *\nf()\n", "b.py": "from a import *\nf()\n"}
    assert edges(files) == {}


def test_import_edges_lead_to_what_defines_the_name(edges: Edges) -> None:
    files = {
        "p/__init__.py": "from .a import go as start\n",
        "p/a.py": "from . import b\nfrom .s.c import *\ndef go(): pass\n",
        "p/b.py": "from p import a\nfrom p import start\n",
        "p/s/__init__.py": "",
        "p/s/c.py": "from ..b import a\n",
    }
    assert set(edges(files, "imports")) == {
        ("p/__init__.py", "p/a.py#go"),
        ("p/a.py", "p/b.py"),
        ("p/a.py", "p/s/c.py"),
        ("p/b.py", "p/a.py"),
        ("p/b.py", "p/a.py#go"),
        ("p/s/c.py", "p/a.py"),
    }


def test_a_standard_module_is_not_the_file_of_that_name_nearby(edges: Edges) -> None:
    files = {
        "src/p/__init__.py": "",
        "src/p/json/__init__.py": "def dumps(x): pass\n",
        "src/p/json/tag.py": "import json\ndef f(): json.dumps(1)\n",
    }
    assert edges(files) == {}


def test_self_bases_and_super(edges: Edges) -> None:
    files = {
        "b.py": "class Base:\n    def m(self): pass\n    def n(self): pass\n",
        "c.py": "from b import Base\nclass C(Base):\n    def m(self):\n        super().m()\n        self.n()\n"
        "        self.own()\n    def own(self): pass\n",
    }
    assert edges(files) == {
        ("c.py#m", "b.py#m"): ("base", 0.98),
        ("c.py#m", "b.py#n"): ("base", 0.98),
        ("c.py#m", "c.py#own"): ("scope", 0.99),
    }
    assert edges(files, "extends") == {("c.py#C", "b.py#Base"): ("base", 0.98)}
    assert edges(files, "overrides") == {("c.py#m", "b.py#m"): ("base", 0.98)}


def test_a_member_of_an_unknown_base_is_outside(edges: Edges, graph: Graph) -> None:
    files = {"a.py": "from lib import Base\nclass C(Base):\n    def f(self): self.run()\ndef run(): pass\n"}
    assert edges(files) == {}
    assert graph(files).unresolved == (("python", "call", "external", 1),)


def test_local_types(edges: Edges) -> None:
    text = (
        "class A:\n    def m(self): pass\n"
        "def annotated(x: 'A'): x.m()\n"
        "def optional(x: A | None): x.m()\n"
        "def made():\n    y = A()\n    y.m()\n"
        "def walrus():\n    if (z := A()): z.m()\n"
        "def looped(xs: list[A]):\n    for x in xs: x.m()\n"
        "def values(d: dict[str, A]):\n    for k, v in d.items(): v.m()\n"
    )
    found = edges({"a.py": text})
    names = ("annotated", "optional", "made", "walrus", "looped", "values")
    assert {k for k in found if k[1] == "a.py#m"} == {(f"a.py#{n}", "a.py#m") for n in names}
    assert found[("a.py#annotated", "a.py#m")] == ("typed", 0.97)
    assert found[("a.py#looped", "a.py#m")] == ("chain", 0.95)


def test_a_local_variable_is_a_final_answer(edges: Edges) -> None:
    files = {"a.py": "def m(): pass\ndef f(m): m()\ndef g():\n    m = other()\n    m()\n    m.m()\n"}
    assert edges(files) == {}


def test_the_binding_before_the_use_counts(edges: Edges) -> None:
    text = (
        "class A:\n    def m(self): pass\nclass B:\n    def m(self): pass\ndef f():\n    x = A()\n"
        "    x.m()\n    x = B()\n    x.m()\n"
    )
    links = edges({"a.py": text})
    assert ("a.py#f", "a.py#A") in links
    assert links[("a.py#f", "a.py#m")] == ("typed", 0.97)


def test_chains_over_fields_and_results(edges: Edges) -> None:
    text = (
        "class P:\n    def go(self): pass\n"
        "class A:\n    def __init__(self): self.p = P()\n    def make(self) -> P: return P()\n"
        "    @property\n    def q(self): return self.make()\n    def me(self): return self\n"
        "def f(a: A):\n    a.p.go()\n"
        "def g(a: A):\n    a.make().go()\n"
        "def h(a: A):\n    a.q.go()\n"
        "def i(a: A):\n    a.me().me().q.go()\n"
    )
    found = edges({"a.py": text})
    assert {k[0] for k in found if k[1] == "a.py#go"} == {f"a.py#{n}" for n in "fghi"}
    assert found[("a.py#f", "a.py#go")] == ("typed", 0.97)
    assert found[("a.py#g", "a.py#go")] == ("chain", 0.95)


def test_with_and_context_managers(edges: Edges) -> None:
    text = (
        "from contextlib import contextmanager\nfrom typing import Iterator\n"
        "class A:\n    def m(self): pass\n    def __enter__(self) -> 'A': return self\n"
        "@contextmanager\ndef opened() -> Iterator[A]: yield A()\n"
        "def f():\n    with opened() as a: a.m()\n"
        "def g():\n    with A() as a: a.m()\n"
    )
    assert {k[0] for k in edges({"a.py": text}) if k[1] == "a.py#m"} == {"a.py#f", "a.py#g"}


def test_a_decorator_may_make_an_object_of_a_function(edges: Edges) -> None:
    text = (
        "from typing import Callable\nclass Command:\n    def main(self): pass\n"
        "def command() -> Callable[[object], Command]: ...\n"
        "@command()\ndef cli(): pass\n"
        "def f(): cli.main()\n"
    )
    assert ("a.py#f", "a.py#main") in edges({"a.py": text})


def test_a_decorator_named_like_a_function_is_not_that_function(edges: Edges) -> None:
    files = {
        "a.py": "import fastapi\napp = fastapi.FastAPI()\n@app.get('/')\ndef index(): pass\n",
        "b.py": "def get(): pass\n",
    }
    assert edges(files) == {}
    assert edges(files, "references") == {}


def test_a_parameter_name_that_nearly_always_has_one_class(edges: Edges) -> None:
    typed = "".join(f"def t{n}(ctx: C): pass\n" for n in range(3))
    text = "class C:\n    def m(self): pass\n" + typed + "def f(ctx):\n    ctx.m()\n    ctx.unknown()\n"
    assert edges({"a.py": text}) == {("a.py#f", "a.py#m"): ("parameter_name", 0.85)}


def test_a_test_parameter_is_the_fixture_of_that_name(edges: Edges) -> None:
    files = {
        "app.py": "class App:\n    def run(self): pass\n",
        "tests/conftest.py": "import pytest\nfrom app import App\n@pytest.fixture\ndef app():\n    yield App()\n",
        "tests/test_a.py": "def test_run(app): app.run()\ndef helper(app): app.run()\n",
    }
    assert {k: v for k, v in edges(files).items() if k[1] == "app.py#run"} == {
        ("tests/test_a.py#test_run", "app.py#run"): ("fixture", 0.85)
    }
    assert ("tests/test_a.py#test_run", "app.py#run") in edges(files, "tests")


def test_another_language_and_a_test_double_are_not_called(edges: Edges) -> None:
    files = {
        "a.py": "from b import parse\ndef main(): return parse('x')\n",
        "b.py": "def parse(s): return s\n",
        "tests/fakes.py": "def parse(s): return None\n",
        "web/parse.js": "export function parse(s) { return s; }\n",
        "src/lib.rs": "pub fn parse(s: &str) {}\n",
    }
    assert edges(files) == {("a.py#main", "b.py#parse"): ("import", 0.98)}


def test_types_and_handed_on_functions_are_references(edges: Edges) -> None:
    text = "class A: pass\ndef cb(): pass\ndef f(x: A) -> list[A]:\n    run(cb)\n    local = x\n    run(local)\n"
    assert set(edges({"a.py": text}, "references")) == {("a.py#f", "a.py#A"), ("a.py#f", "a.py#cb")}
