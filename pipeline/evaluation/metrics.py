"""Measures of one ranked answer against graded judgements, as trec_eval defines them.

A tests holds them equal to those of ir-measures: RR, nDCG@10, R@5, R@10 and Success.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

__all__ = ["DEPTH", "METRICS", "SUCCESSES", "measure", "ndcg", "recall", "reciprocal_rank"]

METRICS = ("mrr", "ndcg_10", "recall_5", "recall_10")
SUCCESSES = ("hit_1", "hit_10")

DEPTH = 50
"""Distinct answers that a reciprocal rank looks at: nobody reads further."""


def measure(ranked: Sequence[str], gold: Mapping[str, int]) -> dict[str, float]:
    """Return every measure of distinct answers, the best first; what `gold` does not grade is worth nothing."""
    ranked = ranked[:DEPTH]
    return {
        "mrr": reciprocal_rank(ranked, gold),
        "ndcg_10": ndcg(ranked, gold, 10),
        "recall_5": recall(ranked, gold, 5),
        "recall_10": recall(ranked, gold, 10),
        "hit_1": float(any(gold.get(name, 0) > 0 for name in ranked[:1])),
        "hit_10": float(any(gold.get(name, 0) > 0 for name in ranked[:10])),
    }


def reciprocal_rank(ranked: Sequence[str], gold: Mapping[str, int]) -> float:
    """Return one over the rank of the first answer that is right, 0 if none is."""
    return next((1.0 / rank for rank, name in enumerate(ranked, 1) if gold.get(name, 0) > 0), 0.0)


def ndcg(ranked: Sequence[str], gold: Mapping[str, int], k: int) -> float:
    """Return the discounted gain of the first `k` over that of the best order; the gain is the grade
    (K. Järvelin, J. Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques", 2002, with the log of rank + 1)."""
    ideal = _discounted(sorted(gold.values(), reverse=True)[:k])
    return _discounted([gold.get(name, 0) for name in ranked[:k]]) / ideal if ideal else 0.0


def recall(ranked: Sequence[str], gold: Mapping[str, int], k: int) -> float:
    """Return the share of what is right that is among the first `k`."""
    right = {name for name, grade in gold.items() if grade > 0}
    return len(right.intersection(ranked[:k])) / len(right) if right else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))
