"""Tests of doc comments: where they are looked for, and what is left of them."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract._docs import doc_of, module_doc, trailing, trailing_doc
from codequarry.pipeline.languages import LANGUAGES, DocStyle

C = LANGUAGES["c"].doc
RUST = LANGUAGES["rust"].doc
PYTHON = LANGUAGES["python"].doc
JAVASCRIPT = LANGUAGES["javascript"].doc


def above(text: str, style: DocStyle, limit: int = 200) -> str:
    """Return the doc comment of the declaration that `DEF` stands for."""
    data = text.encode()
    return doc_of(data, data.index(b"DEF"), -1, style, limit)


@pytest.mark.parametrize(
    ("text", "style", "doc"),
    [
        ("// one\n// two\nDEF", C, "one\ntwo"),
        ("/// one\n///two\nDEF", C, "one\ntwo"),
        ("///// one\nDEF", C, "one"),
        ("//! one\nDEF", C, "one"),
        ("    // one\n    DEF", C, "one"),
        ("// one\r\n// two\r\nDEF", C, "one\ntwo"),
        ("// gone\n\n// one\nDEF", C, "one"),
        ("// gone\n\nDEF", C, ""),
        ("x = 1; // of x\nDEF", C, ""),
        ("//\n// one\n//\nDEF", C, "one"),
        ("//----------\n// one\n//==========\nDEF", C, "one"),
        ("/** one */ DEF", C, "one"),
        ("/** one */\nDEF", C, "one"),
        ("/**\n * one\n *  two\n */\nDEF", C, "one\ntwo"),
        ("/*\none\n*/\nDEF", C, "one"),
        ("/*! one */\nDEF", C, "one"),
        ("/* one */\n\nDEF", C, ""),
        ("a */\nDEF", C, ""),
        ("/* a */ x();\nDEF", C, ""),
        ("//! of the file\n/// one\nDEF", RUST, "one"),
        ("//! of the file\nDEF", RUST, ""),
        ("#!/bin/sh\nDEF", PYTHON, ""),
        ("# one\n# two\nDEF", PYTHON, "one\ntwo"),
        ("## one\nDEF", PYTHON, "one"),
        ("// é\nDEF", C, "é"),
        ("DEF", C, ""),
        ("\n\n  DEF", C, ""),
        ("// " + "x" * 200 + "\nDEF", C, "x" * 200),
        ("x" * 200 + "\nDEF", C, ""),
    ],
)
def test_above(text: str, style: DocStyle, doc: str) -> None:
    assert above(text, style) == doc


def test_a_long_comment_is_cut() -> None:
    assert above("// " + "ab " * 100 + "\nDEF", C, 10) == "ab ab ab a"
    assert above("/* " + "é" * 100 + " */\nDEF", C, 10) == "é" * 10
    assert above("".join(f"// {i}\n" for i in range(500)) + "DEF", C, 10_000).split("\n")[0] == "420"


@pytest.mark.parametrize(
    ("body", "doc"),
    [
        ('"""One."""', "One."),
        (':\n    """One.\n\n    Two.\n    """\n', "One.\n\nTwo."),
        (":  # why\n    # and\n    r'''One\\d'''", "One\\d"),
        ("'One.'", "One."),
        ('"One \\" two"', 'One \\" two'),
        ('u"""a "quoted" word"""', 'a "quoted" word'),
        (': x = "no"', ""),
        (': f"""no"""', ""),
        ('"""never closed', ""),
        ('""', ""),
        ("pass", ""),
        ("", ""),
    ],
)
def test_docstring(body: str, doc: str) -> None:
    assert doc_of(b"def f()" + body.encode(), 0, 7, PYTHON, 200) == doc


@pytest.mark.parametrize(
    ("text", "style", "doc"),
    [
        ('"""One."""\n', PYTHON, "One."),
        ('#!/usr/bin/python\n# coding: utf-8\n\n"""One."""\n', PYTHON, "One."),
        ("# only words\n", PYTHON, ""),
        ("x = 1\n'not it'\n", PYTHON, ""),
        ("//! one\n//! two\n\nuse a;", RUST, "one\ntwo"),
        ("// one\n// two\npackage a\n", LANGUAGES["go"].doc, "one\ntwo"),
        ("/* Copyright nobody */\nint a;", C, ""),
        ("// SPDX-License-Identifier: MIT\n", C, ""),
        ("\n\n/** one */\nint a;", JAVASCRIPT, "one"),
        ("#!/usr/bin/env node\n/** one */", JAVASCRIPT, "one"),
        ("/** never closed", JAVASCRIPT, ""),
        ("// one", C, "one"),
        ("", C, ""),
        ("", PYTHON, ""),
    ],
)
def test_module_doc(text: str, style: DocStyle, doc: str) -> None:
    assert module_doc(text.encode(), style, 200) == doc


@pytest.mark.parametrize(
    ("rest", "style", "doc"),
    [
        ("; // one\n", C, "one"),
        (",  /**< one */\n", C, "one"),
        ("; ///< one", C, "one"),
        ("; /* one */ int y;\n", C, "one */ int y;"),
        ("  # one\r\n", PYTHON, "one"),
        ("; int y; // of y\n", C, ""),
        ("\n// of the next\n", C, ""),
        ("", C, ""),
        (" = 1", PYTHON, ""),
    ],
)
def test_trailing(rest: str, style: DocStyle, doc: str) -> None:
    assert trailing_doc(b"int x" + rest.encode(), 5, trailing(style), 200) == doc


def test_a_style_without_comments_finds_none() -> None:
    assert above("// one\nDEF", DocStyle()) == ""
    assert trailing_doc(b"x // one", 1, trailing(DocStyle()), 200) == ""
    assert module_doc(b"// one", DocStyle(), 200) == ""
