"""Fine-tuning by value: products against dense ones, the gradient against differences, and what it learns."""

from __future__ import annotations

import numpy as np
from codequarry.pipeline.adapt.examples import FIELDS, Counts, Examples
from codequarry.pipeline.adapt.products import Held
from codequarry.pipeline.adapt.training import Recipe, _gradient, fine_tune
from numpy.typing import NDArray

TOKENS, SIZE = 60, 8


def counts(matrix: NDArray[np.float32]) -> Counts:
    """Return a dense matrix [texts, tokens] as counts."""
    rows, tokens = np.nonzero(matrix)
    starts = np.searchsorted(rows, np.arange(len(matrix) + 1))
    return Counts(starts.astype(np.int64), tokens.astype(np.int32), matrix[rows, tokens])


def some_counts(texts: int, seed: int = 0) -> NDArray[np.float32]:
    """Return counts in which a few tokens stand in nearly all texts and most in few; the first text is empty."""
    rng = np.random.default_rng(seed)
    likely = np.where(np.arange(TOKENS) < 6, 0.9, 0.05)
    matrix = (rng.random((texts, TOKENS)) < likely) * rng.integers(1, 4, (texts, TOKENS))
    matrix[0] = 0
    return matrix.astype(np.float32)


def some_examples(pairs: int) -> tuple[NDArray[np.float32], Examples]:
    """Return pairs whose query shares tokens with its first field, and the dense counts of all texts."""
    matrix = some_counts(1 + 2 * pairs, seed=1)
    own = 6 + np.arange(pairs) % (TOKENS - 6)
    for pair in range(pairs):
        matrix[1 + pair, own[pair]] += 3
        matrix[1 + pairs + pair, (own[pair] + 1 - 6) % (TOKENS - 6) + 6] += 3  # another token of its own
    fields = np.zeros((pairs, FIELDS), np.int64)
    fields[:, 0] = 1 + pairs + np.arange(pairs)
    weights = np.zeros((pairs, FIELDS), np.float32)
    weights[:, 0] = 1.5
    data = Examples(
        counts=counts(matrix), queries=1 + np.arange(pairs), fields=fields, weights=weights, about=np.arange(pairs)
    )
    return matrix, data


def table(seed: int = 3) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal((TOKENS, SIZE)).astype(np.float32)


def test_products_are_those_of_dense_matrices() -> None:
    matrix = some_counts(90)
    texts = np.array([3, 0, 7, *range(20, 89)])
    held = Held.of(counts(matrix), texts)
    assert 0 < len(held.common) < len(held.columns) < TOKENS + 1
    dense = matrix[texts][:, held.columns]
    np.testing.assert_allclose(held.sums(table()[held.columns]), dense @ table()[held.columns], rtol=1e-5, atol=1e-5)
    gradient = np.random.default_rng(4).standard_normal((len(texts), SIZE)).astype(np.float32)
    np.testing.assert_allclose(held.spread(gradient), dense.T @ gradient, rtol=1e-5, atol=1e-5)


def loss(vectors: NDArray[np.float64], matrix: NDArray[np.float32], data: Examples, temperature: float) -> float:
    """Return the mean loss of both directions, worked out plainly in float64."""
    sums = matrix.astype(np.float64) @ vectors
    units = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-6)
    code = np.einsum("pf,pfd->pd", data.weights.astype(np.float64), units[data.fields])
    code /= np.linalg.norm(code, axis=1, keepdims=True)
    logits = units[data.queries] @ code.T / temperature
    logits[(data.about[:, None] == data.about) & ~np.eye(len(logits), dtype=bool)] = -np.inf
    own = np.diagonal(logits)
    totals = (np.log(np.exp(logits).sum(axis=axis)) for axis in (0, 1))
    return float(np.mean([(total - own).mean() for total in totals]))


def test_the_gradient_is_that_of_the_loss() -> None:
    matrix, data = some_examples(12)
    data.about[5] = data.about[4]  # no wrong answers for each other
    columns, gradient = _gradient(table(), data, np.arange(12), 0.5)
    for token, dimension in ((0, 0), (3, 5), (8, 2), (40, 7)):
        vectors, step = table().astype(np.float64), 1e-4
        vectors[token, dimension] += step
        above = loss(vectors, matrix, data, 0.5)
        vectors[token, dimension] -= 2 * step
        below = loss(vectors, matrix, data, 0.5)
        found = gradient[list(columns).index(token), dimension] if token in columns else 0.0
        assert abs(found - (above - below) / (2 * step)) < 1e-4


def test_learns_what_stands_together_and_leaves_the_given_table_alone() -> None:
    matrix, data = some_examples(60)
    before = table()
    after = fine_tune(before, data, Recipe(batch=32, rate=0.05, epochs=60))
    assert np.array_equal(before, table())
    assert loss(after.astype(np.float64), matrix, data, 0.05) < 0.7 * loss(before.astype(np.float64), matrix, data, 0.05)
    unseen = matrix.sum(axis=0) == 0
    assert np.array_equal(after[unseen], before[unseen])


def test_the_same_pairs_give_the_same_bytes() -> None:
    _, data = some_examples(60)
    first, again = (fine_tune(table(), data, Recipe(batch=32, steps=8)).tobytes() for _ in range(2))
    assert first == again
    assert first != fine_tune(table(), data, Recipe(batch=32, steps=7)).tobytes()


def test_few_pairs_teach_nothing() -> None:
    _, data = some_examples(31)
    assert np.array_equal(fine_tune(table(), data), table())
