"""Facts that say the same in other places."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from codequarry.pipeline.graph.facts import FileReferences, encode
from codequarry.pipeline.graph.places import moved_lines

Collect = Callable[[str, str], FileReferences]

CODE = "import os\n\n\ndef run(a):\n    b = os.getcwd()\n    return stop(a, b)\n\n\ndef stop(a, b): return a\n"


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        ("stop(a, b)\n", "stop(a, b)\n\n", {1: 1, 4: 4, 5: 5, 6: 6, 9: 10}),
        ("import os", "# A remark.\nimport os", {1: 2, 4: 5, 5: 6, 6: 7, 9: 10}),
        ("    b = os", "    b  =  os", {1: 1, 4: 4, 5: 5, 6: 6, 9: 9}),
        ("\n    return", "; return", {1: 1, 4: 4, 5: 5, 6: 5, 9: 8}),
        ("return a", "return a\n\n\n", {1: 1, 4: 4, 5: 5, 6: 6, 9: 9}),
    ],
)
def test_where_lines_went(references: Collect, old: str, new: str, lines: dict[int, int]) -> None:
    assert old in CODE
    assert moved_lines(encode(references("a.py", CODE)), encode(references("a.py", CODE.replace(old, new, 1)))) == lines


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("os.getcwd()", "os.getpid()"),
        ("stop(a, b)\n", "stop(b, b, a)\n"),
        ("import os", "import os as os_"),
        ("def run(a)", "def run(a: int)"),
        ("def run(a):\n", "def run(a):\n    c = 1\n"),
        ("def stop(a, b): return a", "def stop(a, b):\n    return a"),  # one line is two now
        (CODE, "import os\n"),
    ],
)
def test_what_says_something_else(references: Collect, old: str, new: str) -> None:
    assert old in CODE
    assert moved_lines(encode(references("a.py", CODE)), encode(references("a.py", CODE.replace(old, new, 1)))) is None


def test_another_language_or_order_says_something_else(references: Collect) -> None:
    one, two = "f = 1\n", "def g(): pass\n"
    assert moved_lines(encode(references("a.py", one + two)), encode(references("a.py", two + one))) is None
    code = "function f() {}\n"
    assert moved_lines(encode(references("a.js", code)), encode(references("a.ts", code))) is None
    assert moved_lines(encode(references("a.js", code)), encode(references("a.js", code))) == {1: 1}
