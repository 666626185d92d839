"""Following links from document to document."""

from __future__ import annotations

from pathlib import Path

from codequarry.query.connection import Connection
from codequarry.query.context.documents import MOST_FILES, Followed, Link, Links, follow
from codequarry.query.store import open_snapshot

from ..stores import FileSpec, LinkSpec, build_store

NAMES = ("a.md", "b.md", "c.md", "d.md")


def links(tmp_path: Path, *specs: LinkSpec) -> Links:
    files = [FileSpec(path=name, text="x\n", language="markdown") for name in NAMES]
    folder = build_store(tmp_path, {"docs": files}, doc_links=specs)
    with Connection(open_snapshot(folder), ("files", "doc_links")) as connection:
        return Links(connection)


def link(path: str, target: str, line: int = 1, *, broken: bool = False) -> LinkSpec:
    return LinkSpec(path=path, line=line, destination=f"./{target}", target=target, broken=broken)


def test_links_of_a_file_but_for_broken_ones_and_those_to_itself(tmp_path: Path) -> None:
    found = links(tmp_path, link("a.md", "a.md"), link("a.md", "b.md", 2), link("a.md", "c.md", 3, broken=True))
    assert found.of(0) == (Link(0, 1, "a.md", 2, "./b.md"),)
    assert found.of(1) == ()


def test_a_hop_takes_a_share_of_the_score_and_the_targets_own(tmp_path: Path) -> None:
    chain = links(tmp_path, link("a.md", "b.md", 3), link("b.md", "c.md", 4), link("c.md", "a.md", 5))
    first = Followed(1, 0.7, Link(0, 1, "a.md", 3, "./b.md"), 1)
    assert follow(chain, {0: 1.0}, [0], 0) == []
    own = {0: 1.0, 1: 0.1}
    assert follow(chain, own, [0], 1) == [first]
    assert follow(chain, own, [0], 2) == [first, Followed(2, 0.42, Link(1, 2, "b.md", 4, "./c.md"), 2)]


def test_the_best_of_several_links_counts_and_the_first_of_equal_ones(tmp_path: Path) -> None:
    several = links(tmp_path, link("a.md", "c.md", 1), link("b.md", "c.md", 2), link("b.md", "c.md", 3))
    assert follow(several, {0: 1.0, 1: 2.0}, [0, 1], 1) == [Followed(2, 1.2, Link(1, 2, "b.md", 2, "./c.md"), 1)]


def test_a_start_that_another_links_to_gains_and_is_not_begun_from_twice(tmp_path: Path) -> None:
    pair = links(tmp_path, link("a.md", "b.md", 1), link("b.md", "c.md", 2))
    assert follow(pair, {0: 1.0, 1: 0.5}, [0, 1], 2) == [
        Followed(1, 1.1, Link(0, 1, "a.md", 1, "./b.md"), 1),
        Followed(2, 0.3, Link(1, 2, "b.md", 2, "./c.md"), 1),
    ]


def test_no_more_than_a_number_of_files_comes_back() -> None:
    class Many(Links):
        def __init__(self) -> None:
            self._of = {0: tuple(Link(0, n, "index.md", n, f"{n}.md") for n in range(1, 200))}

    found = follow(Many(), {0: 1.0, 150: 0.5}, [0], 1)
    assert len(found) == MOST_FILES == 64
    assert [entry.file for entry in found[:3]] == [150, 1, 2]
