"""Tests of names and of the owners that a declaration names itself."""

from __future__ import annotations

import pytest
from codequarry.pipeline.extract._names import bare_name, join, owner_path
from codequarry.pipeline.extract._query import Item
from codequarry.pipeline.languages import LANGUAGES
from hypothesis import given
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("text", "separator", "path"),
    [
        ("*Store[K, V]", b"", "Store"),
        ("Store", b"", "Store"),
        ("a::Vec<T<U>>::Node", b"::", "a.Vec.Node"),
        ("&'a mut Foo", b"::", "Foo"),
        ("dyn Walk<T> + Send", b"::", "Send"),
        ("std::function<void(int)>", b"::", "std.function"),
        ("(A, B)", b"::", ""),
        ("a > b", b"", "b"),
        ("", b"::", ""),
        ("<<<<", b"::", ""),
    ],
)
def test_owner_path(text: str, separator: bytes, path: str) -> None:
    assert owner_path(text, separator) == path


def item(name: str, owner: str = "") -> tuple[bytes, Item]:
    data = f"{name}|{owner}".encode()
    end, at = len(name.encode()), len(name.encode()) + 1
    return data, Item(0, -len(data), 0, end, -1, at if owner else -1, len(data) if owner else -1, "function")


@pytest.mark.parametrize(
    ("language", "name", "owner", "expected"),
    [
        ("python", "f", "", ("f", 0, "")),
        ("go", "Get", "*Store[K]", ("Get", 0, "Store")),
        ("rust", "r#match", "", ("match", 2, "")),
        ("typescript", '"left-pad"', "", ("left-pad", 1, "")),
        ("typescript", "'a.b'", "", ("a.b", 1, "")),
        ("typescript", "Geo.Flat", "", ("Flat", 4, "Geo")),
        ("typescript", "[Symbol.iterator]", "", ("[Symbol.iterator]", 0, "")),
        ("typescript", '"', "", ('"', 0, "")),
        ("cpp", "a::b::f", "", ("f", 6, "a.b")),
        ("cpp", "Vec<a::b>::~Vec", "", ("~Vec", 11, "Vec")),
        ("cpp", "Vec<T>::operator<", "", ("operator<", 8, "Vec")),
        ("cpp", "A::operator std::string() const", "", ("operator std::string", 3, "A")),
        ("cpp", "operator ()(int)", "", ("operator ()", 0, "")),
        ("cpp", "operator   bool", "", ("operator bool", 0, "")),
        ("javascript", "#secret", "", ("#secret", 0, "")),
        ("python", "x" * 300, "", ("", 0, "")),
    ],
)
def test_bare_name(language: str, name: str, owner: str, expected: tuple[str, int, str]) -> None:
    assert bare_name(*item(name, owner), LANGUAGES[language]) == expected


def test_join() -> None:
    assert join("", "f") == "f"
    assert join("A", "f") == "A.f"
    assert join("A", "") == "A"
    assert join("A" * 400, "f") == "f"


@given(st.text(max_size=60), st.sampled_from([b"", b"::", b"."]))
def test_an_owner_path_has_no_blank_and_no_empty_part(text: str, separator: bytes) -> None:
    path = owner_path(text, separator)
    assert path == "" or all(part and not part.isspace() for part in path.split("."))


@given(st.text(min_size=1, max_size=40), st.sampled_from(["cpp", "typescript", "rust", "go"]))
def test_a_name_is_found_where_it_is_said_to_be(name: str, language: str) -> None:
    data, found = item(name)
    bare, start, _ = bare_name(data, found, LANGUAGES[language])
    assert "".join(data[start:].decode("utf-8", "replace").split()).startswith("".join(bare.split()))
