"""Shortest chains: from the nearest start to the nearest end, over the edge given first, no longer than asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from codequarry.query.graph import chains
from codequarry.query.graph.chains import Chain, Step, shortest_chain


def edges(*pairs: tuple[int, int]) -> Callable[[Sequence[int]], Iterator[tuple[int, int, str]]]:
    return lambda front: ((near, far, f"{near}-{far}") for near, far in pairs if near in front)


def way(chain: Chain[str]) -> list[str]:
    return [step.edge for step in chain.steps]


def test_the_shortest_of_several_ways() -> None:
    found = shortest_chain([1], [4], 6, edges((1, 2), (2, 3), (3, 4), (1, 5), (5, 4)))
    assert found == Chain(steps=(Step(1, 5, "1-5"), Step(5, 4, "5-4")))


def test_any_start_and_any_end_will_do() -> None:
    between = edges((1, 2), (2, 3), (7, 9), (3, 8))
    assert way(shortest_chain([1, 7], [8, 9], 6, between)) == ["7-9"]
    assert way(shortest_chain([1], [8, 9], 6, between)) == ["1-2", "2-3", "3-8"]


def test_the_edge_that_comes_first_and_the_lowest_end() -> None:
    assert way(shortest_chain([1], [4], 6, edges((1, 3), (1, 2), (3, 4), (2, 4)))) == ["1-3", "3-4"]
    assert way(shortest_chain([1], [6, 5], 6, edges((1, 6), (1, 5)))) == ["1-5"]


def test_no_chain_that_is_longer_or_returns_to_its_start() -> None:
    line = edges((1, 2), (2, 3), (3, 1))
    assert way(shortest_chain([1], [3], 2, line)) == ["1-2", "2-3"]
    assert shortest_chain([1], [3], 1, line) == Chain()
    assert shortest_chain([1], [1], 6, line) == Chain()
    assert shortest_chain([1], [9], 6, line) == Chain()


def test_what_is_too_large_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "MOST_VISITED", 2)
    star = edges((1, 2), (1, 3), (1, 4), (4, 5))
    assert shortest_chain([1], [5], 6, star) == Chain(cut=3)
    assert way(shortest_chain([1], [4], 6, star)) == ["1-4"]
