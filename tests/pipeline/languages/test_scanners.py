"""Tests of the languages that are read without a grammar: anchors, names, the shape of cells, and that nothing raises."""

from __future__ import annotations

import json
from typing import Any

import pytest
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.languages import KINDS, LANGUAGES, detect
from codequarry.pipeline.languages._markdown import read
from codequarry.pipeline.languages.markdown import anchors, plain_text
from hypothesis import given
from hypothesis import strategies as st

SCANNED = sorted(name for name, row in LANGUAGES.items() if row.scan or row.embed)
WORDS = (
    "# ## > - * + 1. 2) ``` ~~~ === --- *** <div> </div> <script> </script> <h1> </h1> <!-- --> [x]: | a b é FROM AS define "
    "endef function( set( ) ( { } [ ] ; : = , . $$ ' \" ` /* */ // -- create table view function begin end message enum rpc "
    'id = 1 type query fragment on @a --v: $v: @media .c #d & \\ \\\n \t % ! ? {"cells": null true 0 \x0c \x0b \u2028 \ufffd'
).split(" ")
TEXTS = st.lists(st.sampled_from([*WORDS, " ", "\n", "\n\n", "\r\n", "    "]), max_size=60).map("".join)


def facts_of(text: str, language: str, name: str = "") -> FileFacts:
    return file_facts(text.encode(), language, name, Limits())


def check(facts: FileFacts) -> None:
    """Assert what holds of the symbols of any file."""
    assert facts.text is not None
    data = facts.text.encode()
    order = [(s.start_byte, -s.end_byte) for s in facts.symbols]
    assert order == sorted(order)
    for i, s in enumerate(facts.symbols):
        assert s.kind in KINDS
        assert s.name.strip() == s.name != ""
        assert -1 <= s.parent < i
        assert 0 <= s.start_byte < s.end_byte <= len(data)
        assert s.start_byte <= s.body_start <= s.end_byte
        assert s.start_line == data.count(b"\n", 0, s.start_byte) + 1
        assert s.end_line == data.count(b"\n", 0, s.end_byte - 1) + 1
        assert s.start_line <= s.name_line <= s.end_line
        if s.parent >= 0:
            owner = facts.symbols[s.parent]
            assert owner.start_byte <= s.start_byte
            assert s.end_byte <= owner.end_byte


@pytest.mark.parametrize("language", SCANNED)
@given(text=TEXTS)
def test_any_text_gives_well_formed_symbols(language: str, text: str) -> None:
    check(facts_of(text, language))


@given(text=TEXTS, more=TEXTS)
def test_markdown_blocks_do_not_overlap_and_stay_inside_their_containers(text: str, more: str) -> None:
    data = (text + more).encode()
    document = read(data)
    last = 0
    for block in document.blocks:
        assert last <= block.start <= block.end <= len(data)
        assert all(block.start <= start <= end <= block.end for start, end in block.spans)
        assert block.end <= document.ends[block.group]
        last = block.start


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("# a\n", [(1, 1)]),
        ("   ### a ###\n", [(1, 3)]),
        ("    # code\n", []),
        ("a\n    # still a\n", []),
        ("\\# a\n", []),
        ("a\n=\n", [(1, 1)]),
        ("a\nb\n---\n", [(1, 2)]),
        ("> a\n---\n", []),
        ("> a\n> ---\n", [(1, 2)]),
        ("- a\n---\n", []),
        ("- a\n  ===\n", [(1, 1)]),
        ("---\n", []),
        ("[x]: y\n===\n", []),
        ("```\n# a\n", []),
        ("```\n# a\n``\n```\n# b\n", [(5, 1)]),
        ("~~~ `x`\n# a\n~~~\n", []),
        ("- ```\n  # a\n# b\n", [(3, 1)]),
        ("<pre>\n\n# a\n</pre>\n# b\n", [(5, 1)]),
        ("<div>\n# a\n\n# b\n", [(4, 1)]),
        ("a <b>\n# c\n", [(2, 1)]),
        ("-\n\n  # a\n", [(3, 1)]),
        ("1. a\n\n   # b\n\n# c\n", [(3, 1), (5, 1)]),
        ("a\n2. # b\n", []),
        ("a\n1. # b\n", [(2, 1)]),
        ("#\tTab\n", [(1, 1)]),
        ("-\t# a\n", [(1, 1)]),
        ("\t# code\n", []),
        ("| a |\n|---|\n", []),
    ],
)
def test_headings_follow_the_block_rules(text: str, headings: list[tuple[int, int]]) -> None:
    data = text.encode()
    found = [(data.count(b"\n", 0, b.start) + 1, b.level) for b in read(data).blocks if b.kind == "heading"]
    assert found == headings


@pytest.mark.parametrize(
    "text", [">" * 5000 + " # a\n", "- " * 5000 + "# a\n", "".join("  " * i + "- a\n" for i in range(300))]
)
def test_containers_may_nest_without_end(text: str) -> None:
    check(facts_of(text + "\n# after\n", "markdown"))
    assert facts_of(text + "\n# after\n", "markdown").symbols[-1].name == "after"


@pytest.mark.parametrize(
    ("markup", "text", "anchor"),
    [
        ("`code` & More!", "code & More!", "code--more"),
        ("Über 中文", "Über 中文", "über-中文"),
        ("**Bold** _x_ ~~y~~", "Bold x y", "bold-x-y"),
        ("[text](url \"t\") [ref][r] [Unreleased]", "text ref Unreleased", "text-ref-unreleased"),
        ("![logo](x.png) Name", "Name", "name"),
        ("![Logo](x.png)", "Logo", "logo"),
        ("a_b_c `a_b_c` \\*x\\*", "a_b_c a_b_c *x*", "a_b_c-a_b_c-x"),
        ("<b>A</b> &amp; <https://x.y>", "A & https://x.y", "a--httpsxy"),
        ("arr[0]: f(x)", "arr[0]: f(x)", "arr0-fx"),
        ("Title {#own-id .class}", "Title", "own-id"),
        ("🚀 Go", "🚀 Go", "-go"),
        ("⚡\ufe0f हिन्दी½ 2²", "⚡\ufe0f हिन्दी½ 2²", "\ufe0f-हिन्दी-2"),
        ("Title [#own-id]", "Title #own-id", "own-id"),
    ],
)  # fmt: skip
def test_headings_are_named_and_anchored_as_they_are_shown(markup: str, text: str, anchor: str) -> None:
    assert plain_text(markup) == text
    assert anchors([(text, f"## {markup} ##")]) == [anchor]


def test_equal_anchors_are_numbered() -> None:
    names = ["Same", "Same", "Same 1", "same", "Same 1"]
    assert anchors([(name, name) for name in names]) == ["same", "same-1", "same-1-1", "same-2", "same-1-2"]


@given(st.lists(st.sampled_from(["A", "A 1", "a", "A-1", "B"])))
def test_anchors_are_unique(names: list[str]) -> None:
    found = anchors([(name, name) for name in names])
    assert len(set(found)) == len(found)


def notebook(*cells: dict[str, Any], **metadata: object) -> FileFacts:
    book = {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return facts_of(json.dumps(book), "jupyter", "a.ipynb")


def test_the_text_of_a_notebook_is_its_cells() -> None:
    code = {"cell_type": "code", "source": ["x = 1\n", "y = 2\n"], "outputs": [{"text": "never kept"}]}
    facts = notebook({"cell_type": "markdown", "source": "# T"}, code)
    assert facts.text == "# T\n\nx = 1\ny = 2\n"
    assert facts.lines == 4
    assert [(s.name, s.start_line) for s in facts.symbols] == [("T", 1), ("x", 3), ("y", 4)]


@pytest.mark.parametrize("source", [None, 3, [1, "x = 1"], {"a": 1}, [], "\ud800 = 1", "a\0b"])
def test_odd_sources_of_cells_are_read_as_far_as_they_go(source: object) -> None:
    check(notebook({"cell_type": "code", "source": source}, {"cell_type": 5}, {}))


@pytest.mark.parametrize(
    "book", [{}, {"cells": 3}, {"cells": [1, None]}, {"worksheets": [1, {"cells": "x"}], "metadata": []}]
)
def test_odd_notebooks_have_no_cells(book: dict[str, Any]) -> None:
    assert facts_of(json.dumps(book), "jupyter", "a.ipynb").symbols == ()


def test_a_broken_cell_costs_no_other() -> None:
    cells = [{"cell_type": "code", "source": s} for s in ("def a(): pass", "def (((", "'''", "def b(): pass")]
    facts = notebook(*cells)
    assert facts.reason == "parse_errors"
    assert {"a", "b"} <= {s.name for s in facts.symbols}


@pytest.mark.parametrize("magic", ["%time f()", "!ls -l", "x = !ls", "f?", "?f", "%%time", "    !ls", "x = %env A"])
def test_magics_are_no_errors(magic: str) -> None:
    source = f"if y:\n    pass\n{magic}\n" if magic != "    !ls" else "if y:\n    !ls\n"
    facts = notebook(
        {"cell_type": "code", "source": ("" if magic != "%%time" else "%%time\n") + source.replace("%%time\n", "")}
    )
    assert facts.status == "indexed"
    assert magic in (facts.text or "")


def test_the_kernel_decides_the_language_of_cells() -> None:
    cell = {"cell_type": "code", "source": "fn f() {}"}
    assert [s.name for s in notebook(cell, language_info={"name": "rust"}).symbols] == ["f"]
    assert notebook(cell, kernelspec={"name": "x", "language": "unheard of"}).symbols == ()


def test_scripts_keep_the_bytes_of_the_file() -> None:
    text = "<p>é</p>\n<script>\nfunction f() {}\n</script>\n<script lang=ts>type T = 1</script>\n"
    facts = facts_of(text, "vue")
    data = text.encode()
    assert [data[s.start_byte : s.end_byte] for s in facts.symbols] == [b"function f() {}", b"type T = 1"]
    assert [s.start_line for s in facts.symbols] == [3, 5]


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        ("<script>", ["f"]),
        ("<SCRIPT TYPE=module>", ["f"]),
        ("<script type='text/babel'>", ["f"]),
        ("<script type='application/json'>", []),
        ("<script lang='coffee'>", []),
        ("<!-- <script> -->", []),
        ("<style>", []),
        ("<script/>", []),
    ],
)
def test_only_scripts_are_read_as_code(tag: str, names: list[str]) -> None:
    assert [s.name for s in facts_of(f"{tag}function f() {{}}", "html").symbols] == names


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("README.md", "markdown"),
        ("a.mdx", "markdown"),
        ("a.rst", "restructuredtext"),
        ("package.json", "json"),
        ("a.yml", "yaml"),
        ("Cargo.lock", "toml"),
        ("setup.cfg", "ini"),
        ("a.sql", "sql"),
        ("a.css", "css"),
        ("a.less", "scss"),
        ("a.htm", "html"),
        ("A.vue", "vue"),
        ("A.svelte", "svelte"),
        ("A.astro", "astro"),
        ("a.ipynb", "jupyter"),
        ("a.proto", "proto"),
        ("a.gql", "graphql"),
        ("x/Dockerfile.dev", "dockerfile"),
        ("api.dockerfile", "dockerfile"),
        ("GNUmakefile", "make"),
        ("rules.mk", "make"),
        ("x/CMakeLists.txt", "cmake"),
    ],
)
def test_files_are_told_by_name(path: str, language: str) -> None:
    assert detect(path, b"") == language
