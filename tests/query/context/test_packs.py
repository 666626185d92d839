"""Context packs of a tree that was really indexed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from codequarry.query import open_index
from codequarry.query.cli import run
from codequarry.query.context import Item, Pack, Packs, tokens
from codequarry.query.context.values import SECTIONS, SOURCES
from codequarry.schemas.errors import StoreError, UsageError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ..parcels import TREE, index_parcels, write_parcels
from ..stores import FileSpec, build_store

TASK = "how is a parcel routed to a depot"


@pytest.fixture(scope="module", params=[True, False], ids=["resident", "lookup"])
def packs(parcels: Path, request: pytest.FixtureRequest) -> Iterator[Packs]:
    with open_index(parcels, resident=request.param) as index, closing(Packs(index)) as made:
        yield made


def named(pack: Pack, section: str) -> list[str]:
    return [item.name for item in pack.items if item.section == section]


def one(pack: Pack, name: str) -> Item:
    (item,) = [item for item in pack.items if item.name == name]
    return item


def test_definitions_come_first_and_are_whole_where_they_fit(packs: Packs) -> None:
    pack = packs.pack("route_parcel")
    assert named(pack, "definitions")[0] == "Router.route_parcel"
    best = one(pack, "Router.route_parcel")
    assert (best.source, best.path, best.start_line, best.end_line) == ("parsed_symbol", "src/router.py", 9, 14)
    assert best.blocks[0].lines == tuple(TREE["src/router.py"].split("\n")[8:14])
    assert re.findall("^## .*", pack.text, re.M) == ["## Definitions", "## Documents"]  # neighbours are shown as files


def test_documents_that_match_and_with_a_hop_those_they_link_to(packs: Packs) -> None:
    task = "how a parcel travels"
    without, within, far = (packs.pack(task, hops=hops) for hops in (0, 1, 2))
    by_link = [
        {item.path: (item.link.path, item.link.line, item.link.hops) for item in pack.items if item.link}
        for pack in (without, within, far)
    ]
    assert by_link[0] == {}
    assert by_link[1] == {"docs/prices.md": ("docs/guide.md", 3, 1), "docs/routing.md": ("docs/guide.md", 3, 1)}
    assert by_link[2] == by_link[1]  # what remains is there for its own words
    assert {item.source for item in within.items if item.link} == {"document_link"}
    assert "section Prices.Zones, linked from docs/guide.md:3\n" in within.text


def test_the_same_task_gives_the_same_pack(packs: Packs, parcels: Path) -> None:
    with open_index(parcels, resident=False) as index, closing(Packs(index)) as again:
        assert again.pack(TASK, hops=1) == packs.pack(TASK, hops=1)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(100, 1200), st.sampled_from([TASK, "Router", "zones", "zzz"]), st.sampled_from([0, 2]))
def test_a_pack_is_never_over_its_budget(packs: Packs, budget: int, task: str, hops: int) -> None:
    pack = packs.pack(task, budget=budget, hops=hops)
    assert pack.tokens == tokens(pack.text) == -(-len(pack.text) // 4) <= budget
    assert "".join(item.text for item in pack.items if item.section == "opening") == pack.text[: len(pack.items[0].text)]
    assert all(item.text in pack.text for item in pack.items)
    assert all(item.source in SOURCES for item in pack.items)
    order = [SECTIONS.index(item.section) for item in pack.items[1:]]
    assert order == sorted(order)
    for item in pack.items:
        lines = TREE[item.path].split("\n") if item.file is not None else []
        for block in item.blocks:
            assert block.lines == tuple(lines[block.start - 1 : block.end])


def test_no_line_of_a_file_is_shown_twice(packs: Packs) -> None:
    shown = [
        (item.path, number)
        for item in packs.pack(TASK, hops=2).items
        for block in item.blocks
        for number in range(block.start, block.end + 1)
    ]
    assert len(shown) == len(set(shown))


def test_what_has_no_room_is_listed(packs: Packs) -> None:
    whole, small = packs.pack(TASK, hops=1), packs.pack(TASK, hops=1, budget=160)
    assert whole.complete
    assert whole.omissions == ()
    assert not small.complete
    assert {o.path for o in small.omissions} <= set(TREE)
    assert "## Left out\n" in small.text
    assert small.files < whole.files


def test_nothing_found_is_said(packs: Packs) -> None:
    pack = packs.pack("flux capacitor")
    assert [item.source for item in pack.items if item.section == "opening"] == ["generated_explanation"]
    assert "nothing in the index matches" in " ".join(pack.notes) or pack.items[1:]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"budget": 99}, "a budget of 99 tokens holds nothing: give 100 or more"),
        ({"hops": 3}, "3 hops cannot be followed: give 0, 1 or 2"),
        ({"hops": -1}, "-1 hops cannot be followed: give 0, 1 or 2"),
    ],
)
def test_what_cannot_be_asked_for(packs: Packs, more: dict[str, int], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        packs.pack(TASK, **more)  # type: ignore[arg-type]  # a name and a number
    assert str(caught.value) == said


def test_a_snapshot_without_texts_says_so(tmp_path: Path) -> None:
    build_store(tmp_path, {"r": [FileSpec(path="a.py", text="x = 1\n")]}, with_sources=False)
    with open_index(tmp_path) as index, closing(Packs(index)) as made, pytest.raises(StoreError, match="holds no texts"):
        made.pack("x")


def test_repositories_are_named_where_there_are_several(tmp_path: Path) -> None:
    files = [FileSpec(path="cart.py", text="def cart(): pass\n")]
    build_store(tmp_path, {"shop": files, "web": files})
    with open_index(tmp_path) as index, closing(Packs(index)) as made:
        text = made.pack("cart").text
    assert "### shop:cart.py:1 file\n" in text
    assert "### web:cart.py:1 file\n" in text


def test_text_that_acts_on_a_terminal_is_escaped_and_fences_hold(tmp_path: Path) -> None:
    text = "# Title\x1b[31m\n\n```sh\nls\n```\n"
    build_store(tmp_path, {"shop": [FileSpec(path="title.md", text=text, language="markdown")]})
    with open_index(tmp_path) as index, closing(Packs(index)) as made:
        pack = made.pack("title")
    assert "````markdown\n# Title\\x1b[31m\n\n```sh\nls\n```\n````\n" in pack.text


def test_a_checkout_that_has_changed_is_noted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tree = write_parcels(tmp_path / "tree")
    store = index_parcels(tree, tmp_path / "store")
    (tree / "src/router.py").write_text("changed\n")
    (tree / "src/depots.py").unlink()
    assert run(["context", "route_parcel", "--index", str(store), "--checkout", str(tree)]) == 0
    out = capfd.readouterr().out
    assert out.endswith("\nNot the same in the checkout: src/depots.py, src/router.py\n")
