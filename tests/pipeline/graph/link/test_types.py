"""Reading declared types; whatever the text, reading ends."""

from __future__ import annotations

import pytest
from codequarry.pipeline.graph.link.types import UNKNOWN, TypeTree, read_type
from hypothesis import given
from hypothesis import strategies as st


def _name(text: str, *arguments: TypeTree) -> TypeTree:
    return ("name", text, arguments)


FOO = _name("Foo")


@pytest.mark.parametrize(
    ("family", "text", "tree"),
    [
        ("python", 't.Optional["Foo"]', _name("t.Optional", FOO)),
        ("python", "dict[str, a.B] | None", ("union", (_name("dict", _name("str"), _name("a.B")), _name("None")))),
        ("python", "Callable[[int], Foo]", _name("Callable", ("tuple", (_name("int"),)), FOO)),
        ("angle", "Map<string, Foo[]>", _name("Map", _name("string"), _name("[]", FOO))),
        ("angle", "(a: X, b?: Y) => Foo", ("function", FOO)),
        ("angle", "? extends Foo", FOO),
        ("angle", "Foo...", _name("[]", FOO)),
        ("angle", "const struct Foo *", FOO),
        ("angle", "&'a mut Option<Box<dyn Foo>>", _name("Option", _name("Box", FOO))),
        ("angle", "impl Fn(A) -> Foo", ("function", FOO)),
        ("angle", "typeof a.b", ("typeof", "a.b")),
        ("angle", "{ a: string }", UNKNOWN),
        ("angle", "", UNKNOWN),
        ("go", "map[string][]*p.Foo", _name("map", _name("string"), _name("[]", _name("p.Foo")))),
        ("go", "(a, b *Foo, err error)", ("tuple", (FOO, FOO, _name("error")))),
        ("go", "(*Foo, error)", ("tuple", (FOO, _name("error")))),
        ("go", "func(a int) *Foo", ("function", FOO)),
        ("go", "struct{ a int }", UNKNOWN),
    ],
)
def test_read_type(family: str, text: str, tree: TypeTree) -> None:
    assert read_type(family, text) == tree


@given(st.sampled_from(["python", "angle", "go"]), st.text(alphabet="aT<>[](){}|&*?.,:=-> '\"", max_size=60))
def test_any_text_is_read(family: str, text: str) -> None:
    assert isinstance(read_type(family, text), tuple)


def test_deep_types_end() -> None:
    for family in ("python", "angle", "go"):
        assert isinstance(read_type(family, "A<[(" * 5000), tuple)
