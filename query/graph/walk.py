"""A weighted walk from some symbols over the edges of the graph, a few steps in both directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ...schemas.tables import EDGE_KINDS, EVIDENCE
from ..readers.arrays import Array, Codes, Floats, Ids
from ..readers.neighbours import Adjacency, Neighbours

__all__ = ["Reached", "WalkPolicy", "walk", "walk_policy"]


class WalkPolicy(NamedTuple):
    """What a walk follows: a weight for each kind of edge, against its direction too, and for each evidence.

    `fade` is what one more step keeps; `spread` how many symbols a step goes on from; a symbol with more than `hub` edges in
    one direction is not walked through in that direction.
    """

    kinds_out: Floats
    kinds_in: Floats
    evidence: Floats
    fade: float = 0.5
    hops: int = 2
    spread: int = 100
    hub: int = 200


class Reached(NamedTuple):
    """Symbols that a walk has reached, ascending, with what arrived there; starts are among them only if led back to.

    `via` is the symbol from which the most came, `kinds` and `evidence` are those of that edge, `steps` the first step.
    """

    symbols: Ids
    weights: Floats
    via: Ids
    kinds: Codes
    evidence: Codes
    steps: Codes


def walk_policy(
    out: Mapping[str, float], into: Mapping[str, float], evidence: Mapping[str, float], **more: float
) -> WalkPolicy:
    """Return a policy from weights by name; what is not named weighs nothing."""
    return WalkPolicy(
        np.array([out.get(kind, 0.0) for kind in EDGE_KINDS]),
        np.array([into.get(kind, 0.0) for kind in EDGE_KINDS]),
        np.array([evidence.get(word, 0.0) for word in EVIDENCE]),
        **more,  # type: ignore[arg-type]  # hops and spread are whole numbers
    )


def walk(neighbours: Neighbours, starts: Ids, weights: Floats, policy: WalkPolicy) -> Reached:
    """Walk from ascending `starts` with their weights.

    What a symbol hands on is divided by the root of the number of edges that it could take, and what arrives at a hub by the
    root of what leads there: so a symbol that everything uses neither gives nor takes much. Equal inputs give equal
    outputs, whatever the reader.
    """
    arrived: list[tuple[Array, ...]] = []
    front, strength = starts, weights
    for step in range(1, policy.hops + 1):
        steps = [
            _step(neighbours.out(front, policy.hub), front, strength, policy.kinds_out, policy.evidence),
            _step(neighbours.into(front, policy.hub), front, strength, policy.kinds_in, policy.evidence),
        ]
        columns = [np.concatenate(pair) for pair in zip(*steps, strict=True)]
        arrived.append((*columns, np.full(len(columns[0]), step, np.uint8)))
        if step == policy.hops or not len(columns[0]):
            break
        front, sums = _summed(columns[0], columns[1])
        best = np.sort(np.argsort(-sums, kind="stable")[: policy.spread])
        front, strength = front[best], sums[best] * policy.fade
    return _reached([np.concatenate(column) for column in zip(*arrived, strict=True)])


def _step(edges: Adjacency, front: Ids, strength: Floats, kinds: Floats, evidence: Floats) -> tuple[Array, ...]:
    """Return (symbol, weight, from, kind, evidence) for every edge that weighs something."""
    worth = kinds[edges.kinds] * evidence[edges.evidence] * (edges.confidences / 100)
    kept = np.flatnonzero(worth > 0)
    owner = np.repeat(np.arange(len(front)), np.diff(edges.starts))[kept]
    taken = np.bincount(owner, minlength=len(front))
    given = strength[owner] * worth[kept] / np.sqrt(taken[owner])
    return edges.others[kept], given, front[owner], edges.kinds[kept], edges.evidence[kept]


def _summed(symbols: Ids, weights: Floats) -> tuple[Ids, Floats]:
    order = np.argsort(symbols, kind="stable")
    ordered = symbols[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[first], np.add.reduceat(weights[order], first)


def _reached(columns: list[Array]) -> Reached:
    symbols, weights, via, kinds, evidence, steps = columns
    if not len(symbols):
        return Reached(symbols.astype(np.int32), weights, via.astype(np.int32), kinds, evidence, steps)
    order = np.lexsort((kinds, via, -weights, symbols))
    symbols, weights, steps = symbols[order], weights[order], steps[order]
    first = np.flatnonzero(np.append(True, symbols[1:] != symbols[:-1]))
    sums, soonest = np.add.reduceat(weights, first), np.minimum.reduceat(steps, first)
    best = order[first]
    return Reached(symbols[first], sums, via[best], kinds[best], evidence[best], soonest)
