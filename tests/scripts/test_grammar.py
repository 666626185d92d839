"""The script for contributors: what of a file is extracted, and what its grammar sees that is not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_language_pack", reason="the extra [index] is not installed")

from codequarry.pipeline.extract import parse

from ._script import SCRIPTS, script

grammar = script("grammar")


def shown(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, str(SCRIPTS / "grammar.py"), str(path), *options]
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)


GO = b"""package shop

import "fmt"

type Cart struct {
\tsize int
}

func (c *Cart) Add(n int) {
\tc.size += n
\tfmt.Println(n, "added")
}
"""

REPORT = """\
go, indexed

3 symbols
     5-7      struct       Cart
     6-6      field        Cart.size
     9-12     method       Cart.Add

17 kinds of named nodes from which nothing is extracted
     6 identifier, first in line 9
     2 expression_list, first in line 10
     2 interpreted_string_literal, first in line 3
     2 interpreted_string_literal_content, first in line 3
     2 parameter_declaration, first in line 9
     2 parameter_list, first in line 9
     2 selector_expression, first in line 10
     1 argument_list, first in line 11
     1 assignment_statement, first in line 10
     1 call_expression, first in line 11
     1 expression_statement, first in line 11
     1 import_declaration, first in line 3
     1 import_spec, first in line 3
     1 package_clause, first in line 1
     1 package_identifier, first in line 1
     1 statement_list, first in line 10
     1 struct_type, first in line 5
"""


def test_symbols_and_unused_kinds_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "cart.go").write_bytes(GO)
    done = shown(tmp_path / "cart.go")
    assert (done.stdout, done.stderr, done.returncode) == (REPORT, "", 0)


def test_kinds_are_counted_in_order_of_frequency_and_of_name() -> None:
    tree = parse(b"x = 1\ny = [2, 3]\nz = (4,)\n", "python")
    assert grammar.unused(tree, "python") == [("integer", 4, 1), ("list", 1, 2), ("tuple", 1, 3)]


def test_all_nodes_of_an_empty_tree_are_none() -> None:
    assert grammar.unused(parse(b"", "python"), "python") == []


def test_a_language_that_a_scanner_reads_has_symbols_and_no_tree(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One\n\ntext\n")
    assert shown(tmp_path / "a.md").stdout.splitlines()[:4] == [
        "markdown, indexed",
        "",
        "1 symbols",
        "     1-3      section      One",
    ]
    assert shown(tmp_path / "a.md").stdout.splitlines()[-1].startswith("no syntax tree")


def test_what_cannot_be_shown_is_one_sentence(tmp_path: Path) -> None:
    missing = shown(tmp_path / "none.py")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert missing.stderr.startswith("grammar: cannot read ")
    (tmp_path / "a.xyz").write_text("x\n")
    assert "is unknown; name one with --language" in shown(tmp_path / "a.xyz").stderr
    assert "is klingon; name one with --language" in shown(tmp_path / "a.xyz", "--language", "klingon").stderr
    assert shown(tmp_path / "a.xyz", "--language", "python").stdout.startswith("python, indexed\n")


ROOT = SCRIPTS.parent
ZIG = ROOT / "tests" / "pipeline" / "languages" / "cases" / "zig"


def blocks(word: str) -> list[list[str]]:
    """Return the lines of the blocks of the page for contributors that are marked by a word."""
    parts = (ROOT / "docs" / "languages.md").read_text("utf-8").split("```")
    return [part.split("\n")[1:-1] for part in parts[1::2] if part.partition("\n")[0] == word]


def assert_in_order(lines: list[str], text: str) -> None:
    """Every line stands in the text, after the one before; `...` stands for anything."""
    rest = iter(text.splitlines())
    for line in lines:
        assert line == "..." or line in rest, line


def test_the_page_shows_the_language_as_it_is() -> None:
    languages = ROOT / "pipeline" / "languages"
    (query,), (row,), (report, symbols) = blocks("scheme"), blocks("python"), blocks("")
    assert_in_order(query, (languages / "zig.scm").read_text("utf-8"))
    assert "\n".join(row) in (languages / "zig.py").read_text("utf-8")
    assert_in_order(symbols, (ZIG / "tour.zig.symbols").read_text("utf-8"))
    assert_in_order(report, shown(ZIG / "tour.zig.in", "--language", "zig").stdout)
