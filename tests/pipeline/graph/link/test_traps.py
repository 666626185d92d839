"""What a graph must never say: unrelated names that are spelled alike, languages that cannot call each other."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from codequarry.pipeline.extract import Limits, facts_and_tree
from codequarry.pipeline.graph.facts import FileReferences
from codequarry.pipeline.graph.link import LinkFile, is_configuration, link
from codequarry.pipeline.graph.references import collect, supported
from codequarry.pipeline.languages import detect

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]
Collect = Callable[[str, str], FileReferences]

_ONE_NAME = {
    "a.py": "def shared(): pass\ndef py_user(config, x): shared(); config.load(); x.load(); Config().load()\n",
    "a.rs": "pub fn shared() {}\npub struct Config;\nimpl Config { pub fn load(&self) {} }\n"
    "fn a(config: &Config) {}\nfn b(config: &Config) {}\nfn c(config: &Config) { shared(); config.load() }\n",
    "a.go": "package a\nfunc shared() {}\nfunc goUser() { shared(); load() }\n",
    "a.js": "export function shared() {}\nexport function jsUser(config) { shared(); config.load() }\n",
    "b.ts": "import { shared } from './a'\nexport function tsUser(): void { shared() }\n",
    "a.rb": "def shared; end\nclass RubyUser; def m(config); shared; config.load; Config.new.load; end; end\n",
    "a.php": "<?php\nfunction shared() {}\nfunction phpUser($config) { shared(); $config->load(); }\n",
    "a.c": "void shared(void) {}\nvoid c_user(void) { shared(); load(); }\n",
    "a.cc": "class Cpp { public: void load(); };\nvoid cpp_user(Cpp c) { c.load(); }\nvoid Cpp::load() {}\n",
    "A.java": "class A { static void shared() {} void javaUser(Config config) { shared(); config.load(); } }\n",
    "a.kt": "class K { fun load() {} }\nfun ktUser(config: Config, k: K) { k.load(); config.load(); A.shared() }\n",
    "a.cs": "class C { static void shared() {} void CsUser(Config config) { shared(); config.load(); } }\n",
}
_FAMILIES = (("py",), ("rs",), ("go",), ("js", "ts"), ("rb",), ("php",), ("c", "cc", "h"), ("java", "kt", "scala"), ("cs",))


def _family(end: str) -> int:
    return next(n for n, endings in enumerate(_FAMILIES) if end.partition("#")[0].rpartition(".")[2] in endings)


_ONE_BASE = {
    "a.py": "class Base:\n    def run(self): pass\nclass PySub(Base):\n    def run(self): pass\n",
    "b.py": "import a\nclass Lost(Elsewhere):\n    def run(self): pass\n",
    "a.ts": "export class Base { run() {} }\nexport interface Runs { run(): void }\n",
    "b.ts": "import { Base, Runs } from './a'\nclass TsSub extends Base implements Runs { run() {} }\n",
    "A.java": "class Base { void run() {} }\ninterface Runs { void run(); }\n"
    "class JavaSub extends Base implements Runs { void run() {} }\n",
    "a.cs": "class Base { public virtual void run() {} }\ninterface Runs { void run(); }\n"
    "class CsSub : Base, Runs { public override void run() {} }\n",
    "a.rb": "class Base; def run; end; end\nclass RubySub < Base; def run; end; end\n",
    "c.rb": "require_relative 'a'\n",
    "a.rs": "trait Runs { fn run(&self); }\nstruct RustSub;\nimpl Runs for RustSub { fn run(&self) {} }\n",
    "a.h": "struct base { int run; };\n",
    "a.c": '#include "a.h"\n',
}


@pytest.mark.parametrize(
    ("kind", "count"),
    [("calls", 14), ("references", 5), ("extends", 5), ("implements", 4), ("imports", 4), ("overrides", 6)],
)
def test_no_edge_leaves_its_family_of_languages(edges: Edges, kind: str, count: int) -> None:
    found = edges(_ONE_NAME if kind in ("calls", "references") else _ONE_BASE, kind)
    assert len(found) == count
    assert all(_family(source) == _family(target) for source, target in found)


def test_every_language_calls_its_own(edges: Edges) -> None:
    found = edges(_ONE_NAME)
    own = [
        ("a.py#py_user", "a.py#shared"),
        ("a.rs#c", "a.rs#shared"),
        ("a.go#goUser", "a.go#shared"),
        ("a.js#jsUser", "a.js#shared"),
    ]
    own += [
        ("b.ts#tsUser", "a.js#shared"),
        ("a.rb#m", "a.rb#shared"),
        ("a.php#phpUser", "a.php#shared"),
        ("a.c#c_user", "a.c#shared"),
    ]
    own += [("A.java#javaUser", "A.java#shared"), ("a.kt#ktUser", "A.java#shared"), ("a.cs#CsUser", "a.cs#shared")]
    own += [("a.cc#cpp_user", "a.cc#load"), ("a.kt#ktUser", "a.kt#load"), ("a.rs#c", "a.rs#load")]
    assert set(found) == set(own)


def test_a_decorator_of_something_outside_calls_nothing(edges: Edges) -> None:
    files = {
        "app.py": "from framework import App\napp = App()\n@app.get('/x')\ndef handler(): pass\n@app.post\ndef other(): pass\n",
        "store.py": "class Store:\n    def get(self, key): pass\n    def post(self): pass\ndef get(path): pass\n",
    }
    assert edges(files) == {}
    assert {k for k in edges(files, "references") if k[1].startswith("store.py")} == set()


def test_a_decorator_of_the_corpus_is_referred_to(edges: Edges) -> None:
    text = "class App:\n    def get(self, path): return lambda f: f\napp = App()\n@app.get('/x')\ndef handler(): pass\n"
    assert ("a.py", "a.py#get") in edges({"a.py": text}, "references")


def test_an_unknown_receiver_has_no_callee(edges: Edges) -> None:
    files = {
        "a.py": "def f(x): x.poll(); x.only_one()\n",
        "b.py": "class A:\n    def poll(self): pass\n    def only_one(self): pass\nclass B:\n    def poll(self): pass\n",
        "a.rs": "fn g<T: Unknown>(t: T) { t.poll() }\nstruct S;\nimpl S { fn poll(&self) {} }\n",
        "a.rb": "def h(x); x.poll; end\nclass P; def poll; end; end\n",
    }
    assert edges(files) == {}


@pytest.mark.parametrize(
    ("path", "library", "user"),
    [
        ("a.rb", "class Tool; def go; end; end\n", "Tool.new.go\n"),
        ("A.java", "package p; class Tool { void go() {} }\n", "package p; class User { void u() { new Tool().go(); } }\n"),
        ("a.kt", "package p\nclass Tool { fun go() {} }\n", "package p\nfun u() { Tool().go() }\n"),
        ("a.php", "<?php\nnamespace P;\nclass Tool { function go() {} }\n", "<?php\nnamespace P;\n(new Tool())->go();\n"),
        (
            "a.cs",
            "namespace P; class Tool { public void Go() {} }\n",
            "namespace P; class U { void F() { new Tool().Go(); } }\n",
        ),
    ],
)
def test_the_own_repository_comes_first(references: Collect, path: str, library: str, user: str) -> None:
    rows = [
        LinkFile(repo=repo, path=folder + path, facts=references(path, text))
        for repo, folder, text in (("a", "lib/", library), ("b", "lib/", library), ("b", "use/", user), ("c", "use/", user))
    ]
    links = link(rows)
    found = {(rows[e.source_file].repo, rows[e.target_file].repo) for e in links.edges if e.kind == "calls"}
    assert found == {("b", "b"), ("c", "a")}


def _checkout(name: str) -> Path:
    root = Path(os.environ.get("CODEQUARRY_CHECKOUTS", "")) / name
    if not os.environ.get("CODEQUARRY_CHECKOUTS") or not root.is_dir():
        pytest.skip(f"no checkout of {name}: set CODEQUARRY_CHECKOUTS to a folder that has one")
    return root


def test_tokio_has_thousands_of_calls_and_poll_is_many() -> None:
    root = _checkout("tokio")
    rows = []
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".rs", ".toml")):
        name = path.relative_to(root).as_posix()
        data = path.read_bytes()
        facts, tree = facts_and_tree(data, detect(name, data[:4096]), path.name, Limits())
        known = tree is not None and facts.text is not None and supported(facts.language or "")
        rows.append(
            LinkFile(
                repo="r",
                path=name,
                facts=collect(tree, facts.text.encode(), facts.language or "", facts.symbols)  # type: ignore[arg-type, union-attr]  # known
                if known
                else None,
                text=facts.text if is_configuration(name) else None,
            )
        )
    links = link(rows)
    calls = [e for e in links.edges if e.kind == "calls"]
    polls = Counter(e.target for e in calls if links.world.definitions[e.target].name == "poll")
    assert len(calls) > 5000
    wrapper, *others = polls.most_common()  # the tests poll through a wrapper of tokio-test, whose type is known there
    assert links.world.files[links.world.definition_file[wrapper[0]]].path == "tokio-test/src/task.rs"
    assert {e.rule for e in calls if e.target == wrapper[0]} <= {"chain", "typed", "scope"}
    assert len(others) >= 10
    assert max(count for _, count in others) < 10
