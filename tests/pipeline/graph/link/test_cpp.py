"""Resolution of C++, together with C."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]

_HEADER = (
    "#include <memory>\nnamespace n {\nint free_one(int x);\nclass Base { public: Base(int x); virtual void up(); };\n"
    "class A : public Base {\n public:\n  A(int x, int y);\n  static A* make();\n  void run() { inside(); }\n  void inside();\n"
    "  int go() const;\n  std::unique_ptr<A> next_;\n  A* other;\n};\nnamespace deep { int far(); }\n}\n"
)
_SOURCE = (
    '#include "a.h"\nnamespace n {\nnamespace { int hidden() { return 1; } }\nint free_one(int x) { return hidden(); }\n'
    "Base::Base(int x) {}\nvoid Base::up() {}\nA::A(int x, int y) : Base(x) { inside(); }\nA* A::make() { return new A(1, 2); }\n"
    "void A::inside() { next_->go(); this->other->go(); up(); free_one(1); }\n"
    "int A::go() const { return deep::far(); }\nnamespace deep { int far() { return 2; } }\n}\n"
)


def test_members_out_of_line_and_headers_to_definitions(edges: Edges) -> None:
    found = edges({"a.h": _HEADER, "a.cc": _SOURCE})
    assert {(k[0], k[1]) for k in found} == {
        ("a.h#run", "a.cc#inside"),
        ("a.cc#free_one", "a.cc#hidden"),
        ("a.cc#A", "a.cc#Base"),
        ("a.cc#A", "a.cc#inside"),
        ("a.cc#make", "a.cc#A"),
        ("a.cc#inside", "a.cc#go"),
        ("a.cc#inside", "a.cc#up"),
        ("a.cc#inside", "a.cc#free_one"),
        ("a.cc#go", "a.cc#far"),
    }
    assert set(edges({"a.h": _HEADER, "a.cc": _SOURCE}, "extends")) == {("a.h#A", "a.h#Base")}


def test_namespaces_usings_and_constructors(edges: Edges) -> None:
    user = (
        '#include "a.h"\n#include <vector>\nusing n::free_one;\nnamespace d = n::deep;\n'
        "static int main2(const n::A& r, std::vector<n::A> all) {\n  n::A a(1, 2);\n  a.run(); r.go(); n::A::make()->inside();\n"
        "  for (auto& e : all) e.go();\n  auto f = [](n::A* p) { p->run(); };\n  std::sort(1); unknown->run(); hidden();\n"
        "  return free_one(1) + d::far() + n::deep::far();\n}\n"
        "void other() { using namespace n; A b = A(3, 4); free_one(2); }\n"
    )
    files = {
        "a.h": _HEADER,
        "a.cc": _SOURCE,
        "use.cc": user,
        "x/b.h": "namespace n { void lost(); class A { void run(); }; }\n",
    }
    found = edges(files)
    main = {k[1]: v[0] for k, v in found.items() if k[0] == "use.cc#main2"}
    assert set(main) == {"a.cc#A", "a.h#run", "a.cc#go", "a.cc#make", "a.cc#inside", "a.cc#free_one", "a.cc#far"}
    assert {k[1] for k in found if k[0] == "use.cc#other"} == {"a.cc#A", "a.cc#free_one"}
    assert ("use.cc", "a.h") in edges(files, "imports")


def test_c_and_cpp_are_one_family(edges: Edges) -> None:
    files = {
        "c.h": '#ifdef __cplusplus\nextern "C" {\n#endif\nint c_fn(int x);\n#ifdef __cplusplus\n}\n#endif\n',
        "c.c": '#include "c.h"\nint c_fn(int x) { return x; }\n',
        "u.cc": '#include "c.h"\nclass K { public: int m() { return c_fn(1); } };\nTEST(Suite, Works) { K k; k.m(); }\n',
    }
    assert edges(files) == {
        ("u.cc#m", "c.c#c_fn"): ("included", 0.95),
        ("u.cc#Works", "u.cc#m"): ("typed", 0.97),
    }


def test_templates_by_bare_name(edges: Edges) -> None:
    text = (
        "template <typename T> T twice(T x) { return x; }\n"
        "template <class T> class Box { public: T get(); void put(T x) { twice<T>(x); get(); } };\n"
        "template <class T> T Box<T>::get() { return T(); }\nvoid f(Box<int> b) { twice<int>(1); b.get(); Box<int> c{b}; }\n"
    )
    assert set(edges({"a.cpp": text})) == {
        ("a.cpp#put", "a.cpp#twice"),
        ("a.cpp#put", "a.cpp#get"),
        ("a.cpp#f", "a.cpp#twice"),
        ("a.cpp#f", "a.cpp#get"),
        ("a.cpp#f", "a.cpp#Box"),
    }
