"""Time the walk over the code graph in memory: 2 hops from 30 seeds, on synthetic graphs of growing size.

    python scripts/bench/walk.py [--edges N ...] [--json]

Degrees follow Zipf's law at the target end, as in real code: a few symbols are used by nearly everything. Times are CPU
milliseconds of one thread; the median and the 95th percentile of 200 walks from different seeds.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from codequarry.query.graph.walk import walk, walk_policy
from codequarry.query.readers.neighbours import Adjacency, ResidentNeighbours
from codequarry.schemas.tables import EDGE_KINDS

EDGES_A_SYMBOL = 5
SEEDS, WALKS = 30, 200
POLICY = walk_policy(
    {"calls": 1.0, "references": 0.5, "extends": 1.0, "implements": 1.0},
    {"calls": 0.7, "references": 0.3, "extends": 1.0, "implements": 1.0},
    {"direct": 1.0, "reinforcing": 0.5},
)


def made(edges: int, seed: int) -> ResidentNeighbours:
    """Return a graph with this many edges."""
    rng = np.random.default_rng(seed)
    symbols = max(edges // EDGES_A_SYMBOL, 2)
    src = rng.integers(0, symbols, edges)
    dst = np.minimum((symbols ** rng.random(edges)).astype(np.int64), symbols - 1)
    dst = rng.permutation(symbols)[dst]
    kinds = rng.choice([EDGE_KINDS.index(kind) for kind in ("calls", "references", "extends")], edges).astype(np.uint8)
    neighbours = ResidentNeighbours.__new__(ResidentNeighbours)
    neighbours._out, neighbours._in = _adjacency(src, dst, kinds, symbols), _adjacency(dst, src, kinds, symbols)
    return neighbours


def _adjacency(ends: np.ndarray, others: np.ndarray, kinds: np.ndarray, symbols: int) -> Adjacency:
    order = np.lexsort((others, ends))
    starts = np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=symbols))])
    full = np.full(len(ends), 98, np.uint8)
    return Adjacency(starts, others[order].astype(np.int32), kinds[order], np.zeros(len(ends), np.uint8), full)


def measure(edges: int) -> dict[str, float]:
    """Walk WALKS times and return the figures."""
    neighbours, rng = made(edges, 7), np.random.default_rng(8)
    symbols = max(edges // EDGES_A_SYMBOL, 2)
    times, reached = [], []
    for _ in range(WALKS):
        starts = np.unique(rng.integers(0, symbols, SEEDS)).astype(np.int32)
        begin = time.process_time()
        found = walk(neighbours, starts, np.ones(len(starts)), POLICY)
        times.append(1e3 * (time.process_time() - begin))
        reached.append(len(found.symbols))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    p50, p95 = np.percentile(times, [50, 95])
    return {
        "edges": edges,
        "p50_ms": round(p50, 3),
        "p95_ms": round(p95, 3),
        "reached": float(np.median(reached)),
        "peak_mb": memory,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edges", type=int, nargs="+", default=[50_000, 500_000, 5_000_000])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [measure(edges) for edges in options.edges]
    if options.json:
        print(json.dumps(rows))
        return 0
    print(f"{'edges':>10} {'p50 ms':>8} {'p95 ms':>8} {'reached':>8} {'peak MB':>8}")
    for row in rows:
        print(
            f"{row['edges']:>10,} {row['p50_ms']:>8.2f} {row['p95_ms']:>8.2f} {row['reached']:>8,.0f} {row['peak_mb']:>8.0f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
