"""Bytes to text: encodings, binary formats, minified and generated files, secrets."""

# ruff: noqa: RUF001

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import pickle
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import pytest
from codequarry.pipeline.content import Inspection, inspect
from hypothesis import example, given
from hypothesis import strategies as st

# --- encodings


def _read(data: bytes, name: str = "a.py") -> tuple[str | None, str | None, str | None]:
    seen = inspect(data, name)
    return seen.text, seen.encoding, seen.reason


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "x = 1\r\ny = 2\r\n",
        "a\rb\r",
        "\f\v\t\x1b[0m\x1a",
        "d\u00e9j\u00e0 \u4e2d\u6587 \U0001f642",
        "\ufffd",
        "a\u2028b\x85",
    ],
)
def test_utf8_is_kept_to_the_byte(text: str) -> None:
    assert _read(text.encode()) == (text, "utf-8", None)


def test_a_byte_order_mark_is_not_text() -> None:
    assert _read(b"\xef\xbb\xbfdef f(): ...") == ("def f(): ...", "utf-8-sig", None)
    assert _read(b"\xef\xbb\xbf") == ("", "utf-8-sig", None)
    assert _read("\ufeff\ufeffx".encode()) == ("\ufeffx", "utf-8-sig", None)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_with_a_byte_order_mark(codec: str) -> None:
    text = "class Caf\u00e9 {}\r\n\U0001f642\n"
    assert _read(f"\ufeff{text}".encode(codec)) == (text, "utf-16", None)
    assert _read("\ufeff".encode(codec)) == ("", "utf-16", None)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xfea", "encoding_unsupported"),
        (b"\xff\xfe\x00\xd8a\x00", "encoding_unsupported"),
        ("\ufeffx".encode("utf-32-le"), "encoding_unsupported"),
        ("\ufeffx".encode("utf-32-be"), "encoding_unsupported"),
        ("\ufeffa\0b".encode("utf-16-le"), "binary"),
        ("class Hidden { }\n".encode("utf-16-le"), "binary"),
        ("class Hidden { }\n".encode("utf-16-be"), "binary"),
    ],
)
def test_wide_encodings_that_cannot_be_read(data: bytes, reason: str) -> None:
    assert _read(data) == (None, None, reason)


@pytest.mark.parametrize(
    ("head", "codec", "encoding"),
    [
        ("# -*- coding: latin-1 -*-", "latin-1", "iso8859-1"),
        ("#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :", "iso8859-15", "iso8859-15"),
        ("# coding=cp1251", "cp1251", "cp1251"),
        ('<?xml version="1.0" encoding="ISO-8859-1"?>', "latin-1", "iso8859-1"),
        ("<?xml version='1.0' encoding='windows-1252' standalone='yes'?>", "cp1252", "cp1252"),
        ('<html><head><meta charset="windows-1252">', "cp1252", "cp1252"),
        ('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">', "iso8859-2", "iso8859-2"),
        ('@charset "iso-8859-15";', "iso8859-15", "iso8859-15"),
        ("; -*- mode: lisp; coding: latin-1 -*-", "latin-1", "iso8859-1"),
    ],
)
def test_declared_encodings(head: str, codec: str, encoding: str) -> None:
    text = f"{head}\nsize = 'na\u00efve \u00e9'\n" if "1251" not in codec else f"{head}\n\u0438\n"
    text = text.replace("\u00ef", "i") if codec == "iso8859-2" else text
    assert _read(text.encode(codec)) == (text, encoding, None)


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [
        ("shift_jis", "shift_jis"),
        ("euc_jp", "euc_jp"),
        ("gbk", "gbk"),
        ("big5", "big5"),
        ("euc_kr", "euc_kr"),
        ("koi8-r", "koi8-r"),
    ],
)
def test_declared_multibyte_encodings(codec: str, encoding: str) -> None:
    sample = {"koi8-r": "\u043f\u0440\u0438\u0432\u0435\u0442", "euc_kr": "\uc548\ub155"}.get(codec, "\u65e5\u672c")
    text = f"# coding: {codec}\ns = '{sample}'\n"
    assert _read(text.encode(codec)) == (text, encoding, None)


def test_a_declaration_that_does_not_fit_falls_back_to_its_superset() -> None:
    text = "# coding: gb2312\n# \u9555\n"  # a character of GBK
    assert _read(text.encode("gb18030")) == (text, "gb18030", None)


@pytest.mark.parametrize(
    "name", ["utf-8", "nonsense", "utf-7", "unicode_escape", "rot13", "hex", "idna", "ascii", "undefined"]
)
def test_a_declaration_that_names_no_legacy_encoding_does_not_count(name: str) -> None:
    text = f"# coding: {name}\ns = 'caf\u00e9'\n"
    assert _read(text.encode("latin-1")) == (text, "cp1252", None)


def test_a_declaration_does_not_override_utf8() -> None:
    text = "# coding: latin-1\ns = 'caf\u00e9 \u4e2d'\n"
    assert _read(text.encode()) == (text, "utf-8", None)


def test_iso_2022_is_ascii_with_escapes() -> None:
    text = "/* \u65e5\u672c\u8a9e */\nint f(void);\n"
    assert _read(text.encode("iso2022_jp"), "a.c") == (text, "iso2022_jp", None)


_SAMPLES = {
    "cp1252": "// Déclaration du contrôleur — “naïve”, Größe, Ångström, på får år\nint taille;\n",
    "cp932": "// これは日本語のコメントです。\nint x;\n",
    "euc_jp": "// これは日本語のコメントです。\nint x;\n",
    "gb18030": "// 这是一个简单的注释，说明函数的作用。\nint x;\n",
    "cp950": "// 這是一個簡單的註解，說明函數的作用。\nint x;\n",
    "cp949": "// 이 함수는 파일을 읽습니다.\nint x;\n",
    "cp1251": "// Эта функция читает файл и возвращает строку\nint x;\n",
    "koi8-r": "// Эта функция читает файл и возвращает строку\nint x;\n",
    "cp866": "// Эта функция читает файл и возвращает строку\nint x;\n",
}


@pytest.mark.parametrize("encoding", _SAMPLES)
def test_undeclared_encodings_are_told_by_their_comments(encoding: str) -> None:
    text = _SAMPLES[encoding]
    assert _read(text.encode(encoding), "a.c") == (text, encoding, None)


@pytest.mark.parametrize(
    "text",
    [
        "caf\u00e9",
        "\u00e9\u00e8",
        "Gr\u00fc\u00dfe",
        "\u00a9 2020 M\u00fcller",
        "100 \u20ac",
        "\u00c5\u00c4\u00d6",
        "p\u00e5 \u00e5r",
    ],
)
def test_a_little_latin_is_not_taken_for_something_else(text: str) -> None:
    assert _read(f"# {text}\n".encode("cp1252")) == (f"# {text}\n", "cp1252", None)


def test_every_byte_has_a_meaning_in_the_last_resort() -> None:
    data = b"x = '" + bytes(range(0x80, 0x100)) + b"'" * 60
    text, encoding, _ = _read(data)
    assert text is not None
    assert (len(text), encoding) == (len(data), "cp1252")
    assert "\u20ac" in text
    assert "\x81" in text


def test_damaged_utf8_keeps_what_is_whole() -> None:
    text = "# \u65e5\u672c\u8a9e \u65e5\u672c\u8a9e \u65e5\u672c\u8a9e\ndef alpha(): ...\n"
    assert _read(text.encode() + b"# \xe6\x97\n") == (text + "# \ufffd\n", "utf-8", None)


def test_invalid_sequences_of_every_kind_are_still_text() -> None:
    data = b"# \xed\xa0\x80 \xc0\xaf \xf5\x80\x80\x80 \xff \x80 \xe2\x82\ndef alpha():\n    return b'\\xff'\n"
    text, encoding, reason = _read(data)
    assert text is not None
    assert text.split("\n")[1:3] == ["def alpha():", "    return b'\\xff'"]
    assert (encoding, reason) == ("cp1252", None)


@given(st.binary(max_size=300))
@example(b"\x1b$B\x80")
@example(b"# coding: utf-7\n+2AA-\xe9")
@example(b"\xff\xfe")
def test_whatever_comes_out_is_text(data: bytes) -> None:
    """Lines are counted and offsets taken in the UTF-8 of the text, so that must exist; and there is text or a reason."""
    seen = inspect(data, "a.py")
    assert (seen.text is None) != (seen.reason is None)
    if seen.text is not None:
        assert "\0" not in seen.text
        assert seen.text.encode().decode() == seen.text
    assert seen == inspect(data, "a.py")


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=200))
def test_utf8_text_is_always_read_as_itself(text: str) -> None:
    assert inspect(b"#" + text.encode(), "a.py", allow_secrets=True).text == "#" + text


# --- binary files


def _binaries() -> dict[str, bytes]:
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("a.txt", "hello")
    with tarfile.open(fileobj=tarred, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("a"))
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE t (x)")
    samples = {
        "zip": zipped.getvalue(),
        "tar": tarred.getvalue(),
        "sqlite": database.serialize(),
        "gzip": gzip.compress(b"hello" * 100, mtime=0),
        "pickle": pickle.dumps({"a": [1, 2.5, "x"]}, protocol=4),
        "small pickle": b"\x80\x04K\x01.",
        "png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        "gif": b"GIF89a" + b"\x01\x02" * 10,
        "pdf": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n",
        "pdf in ascii": b"%PDF-1.4\n1 0 obj\n",
        "wasm": b"\0asm\x01\0\0\0",
        "ico": b"\0\0\x01\0" + bytes(range(256)),
        "elf": b"\x7fELF\x02\x01\x01" + bytes(100),
        "ar": b"!<arch>\na.o/            0\n",
        "random": hashlib.shake_256(b"x").digest(5000),
        "random without NUL": hashlib.shake_256(b"y").digest(5000).replace(b"\0", b""),
        "controls": b"\x01\x02\x03" * 10 + b"abc",
        "text with a NUL": b"int main() { return '\0'; }\n",
    }
    database.close()
    return samples


@pytest.mark.parametrize("kind", _binaries())
def test_binary_whatever_the_name(kind: str) -> None:
    for name in ("a.py", "readme.md", "x"):
        assert _read(_binaries()[kind], name) == (None, None, "binary")


@pytest.mark.parametrize(
    "data", [b"PK is not a zip\n", b"GIF is a format\n", b"BM 1\n", b"ID 3\n", b"%PDF\n", b"MZ\n", b"\x0c\n/* page */\n"]
)
def test_text_that_begins_like_a_format(data: bytes) -> None:
    assert _read(data) == (data.decode(), "utf-8", None)


# --- LFS pointers


def test_an_lfs_pointer() -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n"
    for name in ("model.bin", "dump.sql"):
        assert inspect(pointer, name) == Inspection(text=None, encoding=None, reason="lfs_pointer", generated=False)
    assert _read(b"# " + pointer)[2] is None
    assert _read(b"version https://git-lfs.github.com/spec/v1\nis how a pointer begins\n")[2] is None
    assert _read(pointer + b"x" * 2000)[2] is None


# --- minified code

_BUNDLE = "".join(f"function f{i}(a){{return a+{i}}}" for i in range(5000)).encode()
_REAL = b"export function real() {\n  return 1;\n}\n" * 50


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (_BUNDLE, "app.bundle.js"),
        (_BUNDLE, "app.mjs"),
        (_BUNDLE, "APP.JS"),
        (b"/*! licence */\n" + _BUNDLE + b"\n//# sourceMappingURL=a.js.map\n", "app.js"),
        (_BUNDLE.replace(b"}f", b"}\rf"[:1] + b"f"), "mac.js"),
        (b"".join(b".c%d{color:#%06x;margin:0}" % (i, i) for i in range(900)), "a.css"),
        (_BUNDLE[:60_000] + b"\n" + _REAL, "half.js"),
    ],
)
def test_minified(data: bytes, name: str) -> None:
    assert inspect(data, name) == Inspection(text=None, encoding="utf-8", reason="minified", generated=True)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (_REAL, "a.js"),
        (_REAL.replace(b"\n", b"\r"), "mac.js"),
        (_REAL + b"const logo = '" + base64.b64encode(bytes(range(256)) * 900) + b"';\n", "logo.js"),
        (b"x = " + b"(" * 100_000 + b"1" + b")" * 100_000 + b";\nfunction after() {}\n", "paren.js"),
        (b"let x: " + b"A<" * 3000 + b"B" + b">" * 3000 + b";\n", "tmpl.ts"),
        (b"export const table = [" + b"12345,67890," * 9000 + b"];\n", "table.js"),
        (b"int f(int a) {\n" + b"if (a == 1) return 2; else " * 5000 + b"return 0;\n}\n", "elif.c"),
        (_BUNDLE, "bundle.txt"),
        (b"f(){};" * 20, "short.js"),
        (b'{"a":{"b":[1,2]}}' * 2000, "data.json"),
    ],
)
def test_long_lines_that_are_not_minified(data: bytes, name: str) -> None:
    assert inspect(data, name).reason is None


# --- notebooks


def test_notebooks_are_json_objects_or_empty() -> None:
    for text in ('{"cells": []}', "", "\n ", '{"cells": [], "nbformat": 4}\n'):
        assert _read(text.encode(), "a.ipynb") == (text, "utf-8", None)
    for text in ('{"cells": [', "[]", "# not JSON", "[" * 100_000):
        assert _read(text.encode(), "A.IPYNB") == (None, "utf-8", "notebook_invalid")
        assert _read(text.encode(), "a.json")[2] is None


# --- generated files


@pytest.mark.parametrize(
    "text",
    [
        "// Code generated by protoc-gen-go. DO NOT EDIT.\n\npackage a\n",
        "// Code generated by tool; DO NOT EDIT.\n",
        "# -*- coding: utf-8 -*-\n# Generated by the protocol buffer compiler.  DO NOT EDIT!\n",
        "# DO NOT EDIT: generated from schema.yml\n",
        "/* @generated */\n",
        "/**\n * Copyright\n *\n * @generated SignedSource<<abc>>\n */\n",
        "// <auto-generated>\n//     This code was generated by a tool.\n",
        "# This file is automatically generated by setup.py\n",
        "/* This file was generated from a.idl */\n",
        "# Autogenerated by Thrift Compiler (0.9)\n",
        "/* Generated by Cython 3.0 */\n",
        "<!-- generated by doxygen -->\n",
        "-- Generated by sqlc\n",
        "; autogenerated\n",
        '"""Generated by a script."""\n',
        "\n" * 40 + "// Code generated by stringer; DO NOT EDIT.\n",
    ],
)
def test_marks_of_generators(text: str) -> None:
    seen = inspect(text.encode(), "a.go")
    assert (seen.generated, seen.reason, seen.text) == (True, None, text)


@pytest.mark.parametrize(
    "text",
    [
        "# Handles ids that are generated by the server.\n",
        'print("// Code generated by x. DO NOT EDIT.")\n',
        "// The token is auto-generated on first use\n",
        "# do not edit this by hand without asking\n",
        "// @generated-by-hand\n",
        "generated by nobody\n",
        "x" * 3000 + "\n// Code generated by x. DO NOT EDIT.\n",
        "regenerated = 1\n",
        "---\ntitle: x\n---\n\nGenerated by whom?\n",
        '""\n`Generated by ${tool}`\n',
    ],
)
def test_text_that_only_speaks_of_generating(text: str) -> None:
    assert inspect(text.encode(), "a.go").generated is False


def test_a_generated_name_is_enough() -> None:
    assert inspect(b"{}\n", "package-lock.json") == Inspection(text="{}\n", encoding="utf-8", reason=None, generated=True)


# --- secrets


def _key(kind: str = "RSA ") -> str:
    body = base64.b64encode(hashlib.shake_256(kind.encode()).digest(300)).decode()
    lines = "\n".join(body[i : i + 64] for i in range(0, len(body), 64))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----\n"


_RANDOM = base64.b64encode(hashlib.sha256(b"r").digest()).decode().replace("+", "A").replace("/", "B")[:40]
_HEX = hashlib.sha256(b"h").hexdigest()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (_key(), "server.pem"),
        (_key(""), "tls.key.txt"),
        (_key("EC "), "deploy"),
        (_key("OPENSSH "), "config.yml"),
        ("Bag Attributes\n    localKeyID: 01\n" + _key("ENCRYPTED "), "bundle.crt"),
        ("data:\n  key: |\n" + "".join(f"    {line}\n" for line in _key().splitlines()), "secret.yaml"),
        (f"API_KEY={_RANDOM}\n", ".env.example"),
        (f"TOKEN: '{_HEX}'\n", "secrets.yml"),
        ("AWS=AKIAIOSFODNN7EXAMPLE\n", ".env.sample"),
        (f"//registry.example.invalid/:_authToken=npm_{'aB3' * 12}\n", ".npmrc"),
        (f'db_password = "{_RANDOM}"\n', "prod.tfvars"),
        (f'{{"client_secret": "{_RANDOM}"}}\n', "client_secret.json"),
    ],
)
def test_secrets_are_skipped_unless_allowed(text: str, name: str) -> None:
    assert _read(text.encode(), name) == (None, "utf-8", "secret")
    assert inspect(text.encode(), name, allow_secrets=True).text == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"const testKey = `{_key()}`\n", "tls_test.go"),
        ("-----BEGIN CERTIFICATE-----\n" + _key().split("\n", 1)[1], "cert.pem"),
        ("-----BEGIN RSA PRIVATE KEY-----\n...\n-----END RSA PRIVATE KEY-----\n", "docs.txt"),
        ("API_KEY=your-api-key-goes-here\nURL=https://example.invalid/a/b/c\n", ".env.example"),
        ("DATABASE_URL=postgres://user:password@localhost:5432/app\n", ".env.sample"),
        (f"checksum: {_HEX}\n", "config.yml"),
        (f"key = '{_RANDOM}'\n", "a.py"),
        ("A=" + "0" * 64 + "\n", ".env.example"),
    ],
)
def test_what_only_looks_like_a_secret(text: str, name: str) -> None:
    assert _read(text.encode(), name)[2] is None


def test_files_of_this_project_are_plain_text() -> None:
    root = Path(__file__).parents[2]
    for path in [*root.glob("pipeline/**/*.py"), *root.glob("schemas/*.py"), *root.glob("*.md")]:
        seen = inspect(path.read_bytes(), path.name)
        assert (seen.reason, seen.encoding, seen.generated) == (None, "utf-8", False), path
