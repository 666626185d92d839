"""Tests of language detection: names, extensions, `#!` lines, and content where they clash."""

from __future__ import annotations

import pytest
from codequarry.pipeline.languages import LANGUAGES, detect
from hypothesis import given
from hypothesis import strategies as st

C_HEADER = b"""/* class of its own, using nothing */
#ifdef __cplusplus
#include <string>
extern "C" {
namespace x {
#endif
typedef struct handle handle;
int open_it(const char *class, struct public *private);
#ifdef __cplusplus
}
#endif
"""


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a.py", "python"),
        ("src/deep/a.pyi", "python"),
        ("A.PY", "python"),
        ("a.mjs", "javascript"),
        ("a.test.jsx", "jsx"),
        ("a.d.ts", "typescript"),
        ("a.tsx", "tsx"),
        ("a.go", "go"),
        ("a.rs", "rust"),
        ("A.java", "java"),
        ("a.c", "c"),
        ("a.C", "cpp"),
        ("a.hpp", "cpp"),
        ("a.H", "cpp"),
        ("SConstruct", "python"),
        ("Dockerfile", "dockerfile"),
        ("sub/Makefile", "make"),
        ("README.md", "markdown"),
        (".hidden", None),
        (".py", None),
        ("a.unknown", None),
        ("noextension", None),
        ("", None),
    ],
)
def test_by_name(path: str, language: str | None) -> None:
    assert detect(path, b"") == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        (b"#!/usr/bin/python\n", "python"),
        (b"#!/usr/bin/python3.11 -u\n", "python"),
        (b"#! /usr/bin/env python3\n", "python"),
        (b"#!/usr/bin/env -S FOO=1 node --harmony\n", "javascript"),
        (b"#!/usr/bin/env\n", None),
        (b"#!\n", None),
        (b"#!/usr/bin/\xff\n", None),
        (b" #!/usr/bin/python\n", None),
    ],
)
def test_by_interpreter(line: bytes, language: str | None) -> None:
    assert detect("bin/tool", line) == language


def test_the_name_wins_over_the_interpreter() -> None:
    assert detect("tool.go", b"#!/usr/bin/python\n") == "go"


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"", "c"),
        (C_HEADER, "c"),
        (b"int a;\nstruct s { int class; };\n", "c"),
        (b"// a class { of words\nint a;\n", "c"),
        (b"class Queue final {\n", "cpp"),
        (b"  class EXPORT_API Queue : public Base {\n", "cpp"),
        (b"class Forward;\n", "cpp"),
        (b"struct A : B {\n", "cpp"),
        (b"template <typename T>\nT f();\n", "cpp"),
        (b"namespace a::b {\n", "cpp"),
        (b"namespace\n{\n", "cpp"),
        (b"using std::string;\n", "cpp"),
        (b"#include <vector>\n", "cpp"),
        (b"#include <stdint.h>\n", "c"),
        (b"int size() noexcept;\n", "cpp"),
        (b'#ifdef __cplusplus\nextern "C" {\n#endif\nclass A {\n};\n', "cpp"),
    ],
)
def test_headers_by_content(head: bytes, language: str) -> None:
    assert detect("x.h", head) == language


def test_only_shared_extensions_are_ambiguous() -> None:
    assert detect.is_ambiguous("x.h")
    assert not detect.is_ambiguous("x.c")
    assert not detect.is_ambiguous("Makefile")
    assert not detect.is_ambiguous("x")


@given(st.text(max_size=30), st.binary(max_size=60))
def test_any_name_and_head_give_a_known_language_or_none(path: str, head: bytes) -> None:
    found = detect(path, head)
    assert found is None or found in LANGUAGES
    assert detect(path, head) == found
