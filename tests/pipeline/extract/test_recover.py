"""Tests of what happens after a parse error: harmless ones, repaired text, and the light scan of lines."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract import Limits, file_facts, parse
from codequarry.pipeline.extract._recover import best_parse, is_harmless, top_level
from codequarry.pipeline.languages import LANGUAGES

BROKEN = {
    "python": ("x = [\n\ndef f(a):\n    return 1\n\nclass C:\n    pass\n", "function f, class C"),
    "javascript": (
        "x = [;\n}}\nexport async function f() {\n}\nclass C {\n}\nconst g = (a) => {\n}\n",
        "function f, class C, function g",
    ),
    "typescript": (
        "x = [;\n}}\nexport interface I {\n}\ndeclare enum E {\n}\nexport type T = {\n}\n",
        "interface I, enum E, type_alias T",
    ),
    "go": (
        "package a\nx := [\nfunc F(a int) {\n}\nfunc (t *T) M() {\n}\ntype S struct {\n}\ntype I interface {\n}\n",
        "function F, method M, struct S, interface I",
    ),
    "rust": (
        "fn a( {\n}}\npub fn f() {\n}\nstruct S {\n}\npub enum E {\n}\ntrait T {\n}\nmod m {\n}\nmacro_rules! q {\n}\n",
        "function f, struct S, enum E, trait T, module m, macro q",
    ),
    "java": (
        "class A {\n int x = [;\n}}\npublic final class B {\n}\n@X(1) enum E {\n}\ninterface I {\n}\nrecord R() {\n}\n",
        "class B, enum E, interface I, record R",
    ),
    "c": ("int x = [;\n}}\nstatic int f(int a)\n{\n}\nstruct s {\n};\n", "function f, struct s"),
    "cpp": ("int x = [;\n}}\nclass C : public B {\n};\nnamespace n {\n}\n", "class C, namespace n"),
}


@pytest.mark.parametrize("language", sorted(BROKEN))
def test_top_level_declarations_survive_an_error(language: str) -> None:
    text, expected = BROKEN[language]
    facts = file_facts(text.encode(), language, "x", Limits())
    assert (facts.status, facts.reason) == ("partial", "parse_errors")
    assert set(expected.split(", ")) <= {f"{s.kind} {s.name}" for s in facts.symbols}


@pytest.mark.parametrize("language", sorted(BROKEN))
def test_the_light_scan_alone_finds_them_too(language: str) -> None:
    text, expected = BROKEN[language]
    data = text.encode()
    found = top_level(data, LANGUAGES[language], None, [])
    assert set(expected.split(", ")) <= {f"{i.kind} {data[i.name_start : i.name_end].decode()}" for i in found}


def test_the_light_scan_leaves_strings_and_known_names_alone() -> None:
    data = b'x = [\n\ntext = """\ndef not_this():\n"""\n\ndef f(): pass\n'
    names = [s.name for s in file_facts(data, "python", "a.py", Limits()).symbols]
    assert "not_this" not in names
    assert names.count("f") == 1


def test_a_recovered_declaration_ends_where_the_next_begins() -> None:
    text = "x = [\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
    ends = {s.name: s.end_line for s in file_facts(text.encode(), "python", "a.py", Limits()).symbols}
    assert ends["f"] == 4
    assert ends["g"] == 8


def test_a_gap_of_the_grammar_in_a_string_is_harmless() -> None:
    data = b'const a = <A to="x?a=1&b=2" />;\n'
    parsed = best_parse(data, LANGUAGES["tsx"])
    assert parsed.errors
    assert is_harmless(parsed, LANGUAGES["tsx"])
    assert file_facts(data, "tsx", "a.tsx", Limits()).status == "indexed"


def test_an_error_that_no_node_shows_is_harmless() -> None:
    data = b"#define FIELDS \\\n  /* one */ \\\n  int a; \\\n  /* two */ \\\n  LAST \\\n\nint b;\n"
    assert parse(data, "c").root_node.has_error
    facts = file_facts(data, "c", "a.c", Limits())
    assert facts.status == "indexed"
    assert [s.name for s in facts.symbols] == ["FIELDS", "b"]


def test_a_repair_counts_only_if_it_leaves_fewer_errors() -> None:
    row = LANGUAGES["c"]
    assert not best_parse(b"API int f(void);\n", row).errors
    hopeless = b"API int f(void);\nint = ;\n"
    assert best_parse(hopeless, row).errors
    assert [s.name for s in file_facts(hopeless, "c", "a.c", Limits()).symbols] == ["f"]


def test_an_expansion_that_only_adds_errors_is_not_used() -> None:
    data = b"flags! {\n    pub struct F: u32 {\n        const A = 1;\n    }\n}\nfn g() {}\n"
    facts = file_facts(data, "rust", "a.rs", Limits())
    assert facts.status == "indexed"
    assert [s.name for s in facts.symbols] == ["g"]


def test_many_unknown_lines_are_bounded() -> None:
    text = "x = [\n" + "".join(f"def f{i}(\n" for i in range(1500))
    found = top_level(text.encode(), LANGUAGES["python"], None, [])
    assert len(found) == 1000
