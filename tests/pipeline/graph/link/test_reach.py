"""Which repositories could see each other."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from codequarry.pipeline.graph.facts import FileReferences, language_of
from codequarry.pipeline.graph.facts import encode as encode_facts
from codequarry.pipeline.graph.link import LinkFile, Reach, components, family_of, is_configuration, reach_of
from codequarry.pipeline.graph.link.reach import EVERYTHING
from hypothesis import given
from hypothesis import strategies as st

Collect = Callable[[str, str], FileReferences]

NAMES = st.frozensets(st.sampled_from("abcdef"), max_size=3)


def _reach(references: Collect, family: str, files: dict[str, str]) -> Reach:
    return reach_of(
        family,
        [
            LinkFile(
                repo="r",
                path=path,
                text=text if is_configuration(path) else None,
                facts=None if is_configuration(path) or not text else references(path, text),
            )
            for path, text in sorted(files.items())
        ],
    )


def test_python_offers_packages_that_are_installed_and_mentions_what_it_imports(references: Collect) -> None:
    files = {
        "src/shop/__init__.py": "",
        "src/shop/cart.py": "import os.path\nfrom lib.money import pay\nfrom . import other\n",
        "tools/run.py": "x = 1\n",
        "setup.cfg.py": "",
        "pyproject.toml": "",
    }
    offers, mentions = _reach(references, "python", {p: t for p, t in files.items() if p != "setup.cfg.py"})
    assert offers == {"shop", "shop.cart"}
    assert mentions == {"os", "os.path", "lib", "lib.money", "."}


def test_ecmascript_offers_packages_and_mentions_those_of_specifiers(references: Collect) -> None:
    files = {
        "package.json": '{"name": "@shop/cart"}',
        "a.ts": "import { x } from '@lib/money/deep'\nimport y from './b'\nimport z from 'zed/part?raw'\n",
        "b.js": "const fs = require('files/x')\nmodule.exports = { fs, other: require('other') }\n",
    }
    offers, mentions = _reach(references, "ecmascript", files)
    assert offers == {"@shop/cart"}
    assert mentions >= {"@lib/money", "zed", "files", "other"}


def test_go_offers_modules_and_mentions_what_imports_begin_with(references: Collect) -> None:
    files = {"go.mod": "module example.com/shop\n", "a.go": 'package shop\n\nimport "example.com/lib/money"\n'}
    offers, mentions = _reach(references, "go", files)
    assert offers == {"example.com/shop"}
    assert mentions == {"example.com", "example.com/lib", "example.com/lib/money", "shop"}


def test_rust_offers_crates_and_mentions_every_word_that_could_be_one(references: Collect) -> None:
    files = {
        "Cargo.toml": '[package]\nname = "shop-cart"\n',
        "src/lib.rs": "use money::Coin;\nfn f(x: bank::Note) -> u8 { purse::open(x) }\n",
    }
    offers, mentions = _reach(references, "rust", files)
    assert offers == {"shop_cart"}
    assert mentions >= {"money", "Coin", "bank", "purse"}


@pytest.mark.parametrize(
    ("language", "family"),
    [("c", "c"), ("cpp", "c"), ("java", "jvm"), ("kotlin", "jvm"), ("scala", "jvm"), ("tsx", "ecmascript"), ("lua", "lua")],
)
def test_families(language: str, family: str) -> None:
    assert family_of(language) == family


@pytest.mark.parametrize("family", ["jvm", "ruby", "php", "csharp", "lua"])
def test_what_shares_namespaces_sees_everything(family: str) -> None:
    assert reach_of(family, []) == Reach(frozenset({EVERYTHING}), frozenset({EVERYTHING}))


def test_c_sees_its_own_repository_only() -> None:
    assert reach_of("c", []) == Reach(frozenset(), frozenset())


@given(st.lists(st.builds(Reach, NAMES, NAMES), max_size=8))
def test_components_are_a_partition_and_no_name_leads_out_of_one(reaches: list[Reach]) -> None:
    found = components(reaches)
    assert sorted(i for group in found for i in group) == list(range(len(reaches)))
    assert all(group == sorted(group) for group in found)
    place = {i: n for n, group in enumerate(found) for i in group}
    for i, one in enumerate(reaches):
        for j, other in enumerate(reaches):
            if one.mentions & other.offers:
                assert place[i] == place[j]


def test_components_join_what_was_joined_before() -> None:
    none: frozenset[str] = frozenset()
    reaches = [
        Reach(frozenset("a"), none),
        Reach(frozenset("d"), none),
        Reach(none, frozenset("bd")),
        Reach(frozenset("b"), frozenset("a")),
    ]
    assert components(reaches) == [[0, 1, 2, 3]]


def test_components_follow_a_chain() -> None:
    none: frozenset[str] = frozenset()
    reaches = [
        Reach(none, frozenset("b")),
        Reach(frozenset("x"), none),
        Reach(frozenset("b"), frozenset("c")),
        Reach(frozenset("c"), none),
    ]
    assert components(reaches) == [[0, 2, 3], [1]]


def test_the_language_of_facts_is_read_without_the_rest(references: Collect) -> None:
    assert language_of(encode_facts(references("a.py", "x = 1\n"))) == "python"
