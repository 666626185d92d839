"""Tests of signatures, decorators and visibility."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract._heads import decorators, signature, visibility
from codequarry.pipeline.languages import LANGUAGES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int  f(\n    int a,\n\tint b) {", "int f( int a, int b)"),
        ("def f(self) -> int:", "def f(self) -> int"),
        ("x = 1;", "x = 1"),
        ("bool operator==(A) =", "bool operator==(A)"),
        ("f(é)", "f(é)"),
        ("", ""),
        ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrs…"),
    ],
)
def test_signature(text: str, expected: str) -> None:
    data = text.encode()
    assert signature(data, 0, len(data), 20) == expected


def test_signature_never_reads_a_whole_huge_literal() -> None:
    data = b"x = '" + "é".encode() * 100_000
    assert len(signature(data, 0, len(data), 50)) == 50


@pytest.mark.parametrize(
    ("language", "text", "names", "rest"),
    [
        ("python", "@a\n@b.c(1, (2, [3]))\ndef f", ("a", "b.c"), "def f"),
        ("python", "# why\n@a\ndef f", ("a",), "def f"),
        ("python", "@ a\n\n# between\n@b\nasync def f", ("a", "b"), "async def f"),
        ("python", "def f", (), "def f"),
        ("python", "@a(\ndef f", ("a",), "(\ndef f"),
        ("java", '@A @B("x(") // c\n@C(1)\npublic void f', ("A", "B", "C"), "public void f"),
        ("java", "@interface X", (), "@interface X"),
        ("java", "/* c */ @a.B\nvoid f", ("a.B",), "void f"),
        ("typescript", "@Component({ a: [1] })\nexport class", ("Component",), "export class"),
        ("rust", '#[derive(A, B)]\n// c\n#[tokio::test]\n#[x = "]"]\nfn f', ("derive", "tokio::test", "x"), '"]\nfn f'),
        ("rust", "fn f", (), "fn f"),
    ],
)
def test_decorators(language: str, text: str, names: tuple[str, ...], rest: str) -> None:
    pattern = LANGUAGES[language].decorator
    assert pattern is not None
    data = text.encode()
    found, at = decorators(data, 0, len(data), pattern)
    assert (found, data[at:].decode().strip()) == (names, rest)


@pytest.mark.parametrize(
    ("language", "name", "head", "owner", "expected"),
    [
        ("python", "f", "def f()", "", "public"),
        ("python", "_f", "def _f()", "", "private"),
        ("python", "__f__", "def __f__()", "", "public"),
        ("python", "__f", "def __f()", "class", "private"),
        ("go", "F", "func F()", "", "public"),
        ("go", "f", "func f()", "", "internal"),
        ("go", "Ähm", "func Ähm()", "", "public"),
        ("java", "f", "public void f()", "class", "public"),
        ("java", "f", "static protected void f()", "class", "protected"),
        ("java", "f", "void f()", "class", "internal"),
        ("java", "f", "void f()", "interface", "owner's"),
        ("rust", "f", "pub fn f()", "", "public"),
        ("rust", "f", "pub(crate) fn f()", "", "internal"),
        ("rust", "f", "fn f()", "", "private"),
        ("rust", "f", "fn f()", "trait", "owner's"),
        ("rust", "publish", "fn publish()", "", "private"),
        ("c", "f", "static int f()", "", "private"),
        ("c", "f", "int f()", "", "public"),
        ("cpp", "f", "static int f()", "struct", "public"),
        ("cpp", "f", "int f()", "class", "private"),
        ("typescript", "f", "private f()", "class", "private"),
        ("typescript", "f", "f()", "class", "owner's"),
        ("typescript", "#f", "#f()", "class", "private"),
        ("javascript", "f", "export function f()", "", "public"),
        ("javascript", "f", "function f()", "", "internal"),
        ("markdown", "f", "", "", "public"),
    ],
)
def test_visibility(language: str, name: str, head: str, owner: str, expected: str) -> None:
    assert visibility(LANGUAGES[language], name, head, owner, "owner's", True) == expected


def test_what_is_not_exported_is_public_where_nothing_is() -> None:
    assert visibility(LANGUAGES["javascript"], "f", "function f()", "", "", False) == "public"
