"""Fine-tune a token table on pairs, in numpy: symmetric InfoNCE (van den Oord et al. 2018) with Adam (Kingma and Ba 2015).

Everything has a fixed order and one seed, so that the same pairs give the same bytes on the same machine; as products of
matrices are summed in an order that depends on the number of threads, there has to be one (commands.index).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .examples import Examples
from .products import Held

__all__ = ["RECIPE", "Recipe", "adam", "fine_tune", "softmax"]

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The settings of adaptation, chosen on the suites of docs/ranking.md."""

    temperature: float = 0.05
    batch: int = 512
    rate: float = 3e-3
    epochs: int = 8
    steps: int = 300
    least: int = 32
    """Fewer pairs teach nothing."""
    seed: int = 0


RECIPE = Recipe()


def fine_tune(table: Floats, data: Examples, recipe: Recipe = RECIPE) -> Floats:
    """Return a token table [tokens, dimensions] that has learned from the pairs; the given one stays as it is."""
    table = table.copy()
    if len(data.queries) < recipe.least:
        return table
    first, second = np.zeros_like(table), np.zeros_like(table)
    for step, rows in enumerate(_batches(len(data.queries), recipe), 1):
        columns, gradient = _gradient(table, data, rows, recipe.temperature)
        adam(table, columns, gradient, first, second, recipe.rate, step)
    return table


def _batches(count: int, recipe: Recipe) -> list[NDArray[np.int64]]:
    """Return the pairs of each step: every epoch all of them in another order, the rest that fills no batch left out."""
    rng, size = np.random.default_rng(recipe.seed), min(recipe.batch, count)
    orders = (rng.permutation(count) for _ in range(recipe.epochs))
    found = [order[at : at + size] for order in orders for at in range(0, count - size + 1, size)]
    return found[: recipe.steps]


def _gradient(
    table: Floats, data: Examples, rows: NDArray[np.int64], temperature: float
) -> tuple[NDArray[np.int64], Floats]:
    """Return the tokens of a batch and the gradient of its loss with respect to their vectors."""
    queries, fields, weights = data.queries[rows], data.fields[rows], data.weights[rows]
    texts, places = np.unique(np.concatenate([queries, fields.ravel()]), return_inverse=True)
    of_query, of_field = places[: len(rows)], places[len(rows) :].reshape(fields.shape)
    held = Held.of(data.counts, texts)
    unit, norm = _unit(held.sums(table[held.columns]))
    summed = np.zeros((len(rows), table.shape[1]), np.float32)
    for place in range(fields.shape[1]):
        summed += weights[:, place, None] * unit[of_field[:, place]]
    code, code_norm = _unit(summed)
    about = data.about[rows]
    same = (about[:, None] == about) | (queries[:, None] == queries)
    d_query, d_code = _info_nce(unit[of_query], code, same, temperature)
    d_summed = _through_norm(d_code, code, code_norm)
    d_fields = weights[:, :, None] * d_summed[:, None, :]
    carried = _added(np.concatenate([d_query, d_fields.reshape(-1, d_query.shape[1])]), places, len(texts))
    return held.columns, held.spread(_through_norm(carried, unit, norm))


def _added(rows: Floats, places: NDArray[np.int64], count: int) -> Floats:
    """Return the sum of the rows of each place; every place of `count` has one."""
    order = np.argsort(places, kind="stable")
    starts = np.searchsorted(places[order], np.arange(count))
    added: Floats = np.add.reduceat(rows[order], starts, axis=0)
    return added


def _unit(sums: Floats) -> tuple[Floats, Floats]:
    norm: Floats = np.maximum(np.sqrt(np.einsum("ij,ij->i", sums, sums)), np.float32(1e-6))[:, None]
    return sums / norm, norm


def _through_norm(gradient: Floats, unit: Floats, norm: Floats) -> Floats:
    """Carry a gradient back through x / |x|."""
    carried: Floats = (gradient - unit * np.einsum("ij,ij->i", gradient, unit)[:, None]) / norm
    return carried


def _info_nce(query: Floats, code: Floats, same: NDArray[np.bool_], temperature: float) -> tuple[Floats, Floats]:
    """Return the gradients of the mean loss of both directions; pairs that are about the `same` are no wrong answers."""
    logits = (query @ code.T) / np.float32(temperature)
    logits[same & ~np.eye(len(query), dtype=bool)] = -np.inf
    error: Floats = softmax(logits, 1) + softmax(logits, 0)
    error[np.diag_indices(len(query))] -= 2
    error *= np.float32(0.5 / (len(query) * temperature))
    return error @ code, error.T @ query


def softmax(logits: Floats, axis: int) -> Floats:
    """Return the softmax of a matrix along an axis."""
    shifted: Floats = np.exp(logits - logits.max(axis=axis, keepdims=True))
    shifted /= shifted.sum(axis=axis, keepdims=True)
    return shifted


def adam(
    table: Floats, columns: NDArray[np.int64], gradient: Floats, first: Floats, second: Floats, rate: float, step: int
) -> None:
    """Update in place the rows `columns` of a table, whose gradient this is, and their moments (lazy: of no other row)."""
    first[columns] = 0.9 * first[columns] + 0.1 * gradient
    second[columns] = 0.999 * second[columns] + 0.001 * gradient * gradient
    corrected = first[columns] / (1 - 0.9**step)
    table[columns] -= rate * corrected / (np.sqrt(second[columns] / (1 - 0.999**step)) + 1e-8)
