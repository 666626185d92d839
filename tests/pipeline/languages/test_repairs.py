"""Tests of the changes of text that let a grammar read what it could not: equal length, equal lines, the right blanks."""

from __future__ import annotations

import re

import pytest
from codequarry.pipeline.languages import LANGUAGES
from codequarry.pipeline.languages._cfamily import open_classes, repair_c, repair_cpp
from codequarry.pipeline.languages._scan import blank_groups, matching_brace
from codequarry.pipeline.languages.rust import open_macros
from codequarry.pipeline.languages.typescript import repair_types
from hypothesis import given
from hypothesis import strategies as st

CHANGES = [change for row in LANGUAGES.values() for change in (row.expand, row.repair) if change is not None]
PIECES = """#if A
|#else
|#endif
|{|}|{ }|  |API int f();
|class API X {|cfg_rt! {
|fn f() {}
|if #[cfg(a)] {|else {|  <T>(x): y
|<in T>|/* a */|// b
|"s"|'c'|FOO(a, b)
|foo(a) {
|é|
""".split("|")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SHOP_API int f();\n", "         int f();\n"),
        ("static int WINAPI f(int x) {}\n", "static int        f(int x) {}\n"),
        ("int f(void) SHOP_NOEXCEPT;\n", "int f(void)              ;\n"),
        ("typedef int (WINAPI *fn)(int);\n", "typedef int (       *fn)(int);\n"),
        ("EXPORT(int f(int x));\n", "       int f(int x) ;\n"),
        ("struct s {\n  PRIVATE_FIELDS\n};\n", "struct s {\n                \n};\n"),
        ("enum {\n  ONE,\n  TWO\n};\n", None),
        ("enum e {\n  ONE\n};\n", None),
        (
            "enum {\n#define X(a) a,\n  ALL(X)\n#undef X\n  LAST\n};\n",
            "enum {\n               \n        \n        \n  LAST\n};\n",
        ),
        ("x = member(p, struct a, b);\n", "x = member(p,        a, b);\n"),
        ("  each(q, &list) {\n", "  if  (q, &list) {\n"),
        ("  queue_each(q, &list) {\n", "  while     (q, &list) {\n"),
        ("#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\n}\n", "        \nif (a) {\n     \n        \n      \n}\n"),
        ("#ifdef A\nint a;\n#else\nint b;\n#endif\n", None),
        (
            "do\n#ifdef A\n  a();\n#else\n  b();\n#endif\nwhile (x);\n",
            "do\n        \n  a();\n     \n      \n      \nwhile (x);\n",
        ),
        ("int f(int x) { return (x); }\n", None),
    ],
)
def test_repair_c(text: str, expected: str | None) -> None:
    changed = repair_c(text.encode())
    assert (changed.decode() if changed is not None else None) == expected


def test_loops_by_macro_are_read_in_c_alone() -> None:
    assert repair_cpp(b"  Foo(int x) {\n") is None
    assert repair_c(b"  Foo(int x) {\n") == b"  if (int x) {\n"


def test_open_classes() -> None:
    assert open_classes(b"class SHOP_API Cart : Base {") == b"class          Cart : Base {"
    assert open_classes(b"class Cart {") is None
    assert open_classes(b"struct SHOP_API;") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cfg_rt! {\n  fn f() {}\n}\n", "         \n  fn f() {}\n \n"),
        ("a::b! {\n  #[x]\n  // c }\n  pub struct S;\n}\n", "       \n  #[x]\n  // c }\n  pub struct S;\n \n"),
        ("vec! { 1 }\n", None),
        ("json!{ {} }\n", None),
        ("cfg_rt! {\n  fn f() {}\n", None),
        (
            "cfg_if! {\n  if #[cfg(a)] {\n fn f() {}\n } else {\n fn f() {}\n }\n}\n",
            "         \n                \n fn f() {}\n         \n fn f() {}\n  \n \n",
        ),
    ],
)
def test_open_macros(text: str, expected: str | None) -> None:
    changed = open_macros(text.encode())
    assert (changed.decode() if changed is not None else None) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("interface A<in out T, out U> {}", "interface A<       T,     U> {}"),
        ("export type * from 'x'\n", "export      * from 'x'\n"),
        ("a: readonly import('x').Y[]", "a:                      Y[]"),
        ("static accessor x = 1", "static          x = 1"),
        ("interface A {\n  (x: T): T\n  <K>(x: K): K\n}\n", "interface A {\n  (x: T): T\n ;<K>(x: K): K\n}\n"),
        ("type A = {\n  (x): y // z\n  <K>(x: K): K\n}\n", "type A = {\n  (x): y // z\n ;<K>(x: K): K\n}\n"),
        ("const f =\n  <T>(x: T) => x\n", None),
        ("f(\n  <T>x\n)", None),
    ],
)
def test_repair_types(text: str, expected: str | None) -> None:
    changed = repair_types(text.encode())
    assert (changed.decode() if changed is not None else None) == expected


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("{}", 1),
        ("{ { } }", 6),
        ("{ '}' \"}\" // }\n /* } */ }", 24),
        ('{ r#"}"# }', 9),
        ("{ 'a }", 5),
        ("{ {", -1),
        ('{ "', -1),
    ],
)
def test_matching_brace(text: str, end: int) -> None:
    assert matching_brace(text.encode(), 0) == end


@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=200))
def test_changes_keep_length_and_never_touch_line_ends_before_them(text: str) -> None:
    data = text.encode()
    for change in CHANGES:
        changed = change(data)
        assert changed is None or (len(changed) == len(data) and changed != data)
        assert changed is None or changed.count(b"\n") == data.count(b"\n")


def test_blank_groups_leaves_groups_that_did_not_match() -> None:
    assert blank_groups(b"ab\ncd", (re.compile(rb"(?P<a>a)|(?P<d>d)"),)) == b" b\nc "


@pytest.mark.parametrize("blanks", ["\t", " ", " \t"])
def test_long_runs_of_blanks_are_read_once(blanks: str) -> None:
    """Quadratic patterns would take minutes here."""
    text = f"int f(void);\n/*{blanks * 150_000}I{blanks * 150_000}*/\n"
    assert repair_cpp(text.encode()) is None
    assert repair_c(text.encode()) is None
