"""Resolution of C."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[..., dict[tuple[str, str], tuple[str, float]]]


def test_prototypes_lead_to_definitions_through_includes(edges: Edges) -> None:
    files = {
        "include/api.h": "#define API extern\nAPI int run(int x);\nint *both(void);\nint only(void);\n",
        "src/run.c": '#include "api.h"\nint run(int x) { return x; }\nstatic int hidden(void) { return 1; }\n',
        "src/unix/both.c": "int *both(void) { return 0; }\n",
        "src/win/both.c": "int *both(void) { return 0; }\n",
        "test/a.c": '#include "api.h"\nint main(void) { run(1); both(); only(); hidden(); absent(); return 0; }\n',
        "test/b.c": "int other(void) { return run(2); }\n",
    }
    assert edges(files) == {
        ("test/a.c#main", "src/run.c#run"): ("included", 0.95),
        ("test/a.c#main", "src/unix/both.c#both"): ("shared", 0.5),
        ("test/a.c#main", "src/win/both.c#both"): ("shared", 0.5),
        ("test/a.c#main", "include/api.h#only"): ("prototype", 0.9),
    }
    assert set(edges(files, "imports")) >= {("test/a.c", "include/api.h")}


def test_the_own_static_function_comes_first(edges: Edges) -> None:
    files = {
        "a.h": "int f(void);\n",
        "a.c": '#include "a.h"\nint f(void) { return 1; }\n',
        "b.c": '#include "a.h"\nstatic int f(void);\nint g(void) { return f(); }\nstatic int f(void) { return 2; }\n',
    }
    assert edges(files) == {("b.c#g", "b.c#f"): ("scope", 0.99)}


def test_test_macros_are_functions_and_macros_no_callees(edges: Edges) -> None:
    files = {
        "t.c": "#define CHECK(x) x\nstatic int f(void) { return 1; }\nTEST_IMPL(fork_it) {\n  CHECK(f());\n  return 0;\n}\n"
    }
    assert edges(files) == {("t.c#fork_it", "t.c#f"): ("scope", 0.99)}
    assert ("t.c#fork_it", "t.c#CHECK") in edges(files, "references")


def test_function_pointers_are_no_functions_of_that_name(edges: Edges) -> None:
    files = {"t.c": "static void cb(void) {}\nvoid f(void (*cb)(void)) { cb(); }\nvoid g(struct s *p) { p->cb(); }\n"}
    assert edges(files) == {}


def test_a_replacement_of_a_library_function_is_less_sure(edges: Edges) -> None:
    files = {
        "snprintf.h": "int snprintf(char *s, int n);\n",
        "snprintf.c": "int snprintf(char *s, int n) { return n; }\n",
        "a.c": '#include "snprintf.h"\nvoid f(void) { snprintf(0, 1); }\n',
    }
    assert edges(files) == {("a.c#f", "snprintf.c#snprintf"): ("library_name", 0.85)}
