# ruff: noqa: E402  the thread settings must stand before the first import of numpy
"""Train the embedded encoder: a static table of token vectors, from doc comments and the code they describe.

    python scripts/encoder_data.py --data DIR fetch     the pinned packages, licences checked
    python scripts/encoder_pairs.py --data DIR          pairs of a sentence and a definition
    python scripts/train_encoder.py --data DIR          the model, measured, into pipeline/encoder

A Unigram vocabulary (Kudo 2018) over split identifiers, vectors begun by latent semantic analysis (Deerwester et al.
1990), then symmetric InfoNCE (van den Oord et al. 2018) in Matryoshka sizes (Kusupati et al. 2022) with Adam. Sentence
vectors are the normalised sum of token vectors, definition vectors the weighted sum of normalised field vectors, as the
index makes them. One BLAS thread and fixed seeds: the same bytes on the same machine.
"""

from __future__ import annotations

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[_name] = "1"  # before numpy is imported: sums over several threads have no fixed order

import argparse
import json
import logging
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from codequarry.pipeline.adapt.model import quantise
from codequarry.pipeline.adapt.training import adam, softmax
from encoder_card import write_card
from encoder_evaluation import best_weight, evaluate, pools
from encoder_pairs import MAX_PAIRS, Pair, read_pairs, word_list
from numpy.typing import NDArray
from safetensors.numpy import save_file
from scipy import sparse  # type: ignore[import-untyped]  # stubs are a package of their own
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

__all__ = ["Features", "Recipe", "features", "lsa", "quantise", "save", "train", "train_tokenizer"]

OUT = Path(__file__).resolve().parent.parent / "pipeline" / "encoder"
UNKNOWN = "<unk>"

Floats = NDArray[np.float32]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """The settings of a training run; chosen on the validation packages."""

    vocabulary: int = 4_096
    sample: int = 50_000
    """The vocabulary and the first vectors are learned from about so many pairs, spread over all packages."""
    sizes: tuple[tuple[int, float], ...] = ((128, 1.0), (64, 0.5), (32, 0.25))
    """Matryoshka sizes, the table's first, and the weight of each one's loss."""
    temperature: float = 0.03
    group: int = 512
    """Pairs of one package, or of a language's neighbouring small ones, that stand together: hard negatives."""
    batch: int = 1_024
    dropout: float = 0.1
    rate: float = 1e-2
    warm_up: int = 30
    steps: int = 600
    body_only: int = 7
    """Every so many batches the definitions lose name and signature, so that bodies are learned from too."""
    fields: tuple[float, float, float] = (1.5, 0.7, 0.8)
    """Weights of a definition's name, signature and body, as in the index's symbol vectors."""
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """Token counts of pairs, one row a pair: of the sentence, and of each field of the definition."""

    query: sparse.csr_array
    fields: tuple[sparse.csr_array, ...]


def train_tokenizer(texts: Sequence[Sequence[str]], size: int) -> Tokenizer:
    """Learn a Unigram vocabulary of lists of words; pieces never cross words and carry no word marker.

    The trainer of `tokenizers` is not deterministic in the last bits: scores are rounded and pieces ordered by them.
    """
    tokenizer = _tokenizer([(UNKNOWN, 0.0)])
    trainer = trainers.UnigramTrainer(
        vocab_size=size, special_tokens=[UNKNOWN], unk_token=UNKNOWN, max_piece_length=16, show_progress=False
    )
    ascii_only = (" ".join(w for w in text if w.isascii()) for text in texts)
    tokenizer.train_from_iterator(ascii_only, trainer)
    learned = json.loads(tokenizer.to_str())["model"]["vocab"]
    pieces = sorted(((p, round(score, 6)) for p, score in learned if p != UNKNOWN), key=lambda item: (-item[1], item[0]))
    return _tokenizer([(UNKNOWN, 0.0), *pieces])


def _tokenizer(vocabulary: list[tuple[str, float]]) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram(vocabulary, unk_id=0, byte_fallback=False))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return tokenizer


def features(pairs: Sequence[Pair], tokenizer: Tokenizer) -> Features:
    """Count the tokens of each pair's sentence, name, signature and body; every distinct word is tokenised once."""
    known: dict[str, list[int]] = {}
    columns = tokenizer.get_vocab_size()
    fields = ([p.query for p in pairs], [p.name for p in pairs], [p.signature for p in pairs], [p.body for p in pairs])
    query, *rest = (_counts([word_list(text) for text in texts], tokenizer, known, columns) for texts in fields)
    return Features(query=query, fields=tuple(rest))


def _counts(
    texts: Sequence[Sequence[str]], tokenizer: Tokenizer, known: dict[str, list[int]], columns: int
) -> sparse.csr_array:
    new = sorted({word for text in texts for word in text} - known.keys())
    for word, encoding in zip(new, tokenizer.encode_batch(new, add_special_tokens=False), strict=True):
        known[word] = [i for i in encoding.ids if i]
    ids = [[i for word in text for i in known[word]] for text in texts]
    indptr = np.cumsum([0, *map(len, ids)])
    flat = np.fromiter((i for row in ids for i in row), dtype=np.int32, count=int(indptr[-1]))
    matrix = sparse.csr_array((np.ones(len(flat), np.float32), flat, indptr), shape=(len(texts), columns))
    matrix.sum_duplicates()
    return matrix


def lsa(counts: sparse.csr_array, size: int, seed: int) -> Floats:
    """Return unit token vectors V·S^¼ of the (1 + ln tf)·idf matrix, by randomised SVD (Halko et al. 2011)."""
    weighted = counts.astype(np.float64)
    df = np.bincount(weighted.indices, minlength=counts.shape[1])
    idf = np.log((1 + counts.shape[0]) / (1 + df))
    weighted.data = (1 + np.log(weighted.data)) * idf[weighted.indices]
    norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)).ravel())
    weighted = (sparse.diags_array(1 / np.maximum(norms, 1e-9)) @ weighted).tocsr()
    rng = np.random.default_rng(seed)
    basis = rng.standard_normal((counts.shape[1], size + 32))
    for _ in range(4):
        basis, _upper = np.linalg.qr(weighted.T @ (weighted @ basis))
    _left, values, right = np.linalg.svd(weighted @ basis, full_matrices=False)
    vectors = (basis @ right.T)[:, :size] * values[:size] ** 0.25
    missing = np.linalg.norm(vectors, axis=1) < 1e-9
    vectors[missing] = rng.standard_normal((int(missing.sum()), size))
    unit: Floats = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit


def train(pairs: Sequence[Pair], data: Features, table: Floats, recipe: Recipe) -> Floats:
    """Return the table after `recipe.steps` batches; `data` holds the rows of `pairs`."""
    rng = np.random.default_rng(recipe.seed)
    table = table.copy()
    first, second = np.zeros_like(table), np.zeros_like(table)
    repeats = _query_ids(pairs)
    batches = _batches(pairs, recipe, rng)
    for step in range(1, recipe.steps + 1):
        rows = next(batches)
        weights = (0.0, 0.0, 1.0) if step % recipe.body_only == 0 else recipe.fields
        loss, gradient = _loss(table, data, rows, weights, repeats[rows], recipe, rng)
        rate = recipe.rate * min(1.0, step / recipe.warm_up) * (1 - max(0, step - recipe.warm_up) / recipe.steps)
        touched = np.flatnonzero(np.abs(gradient).sum(axis=1))
        adam(table, touched, gradient[touched], first, second, rate, step)
        if step % 50 == 0:
            log.info("step %d: loss %.3f", step, loss)
    return table


def _query_ids(pairs: Sequence[Pair]) -> NDArray[np.int64]:
    """Number the distinct sentences: two pairs of one sentence are not each other's negatives."""
    ids: dict[str, int] = {}
    return np.array([ids.setdefault(p.query.lower(), len(ids)) for p in pairs], dtype=np.int64)


def _batches(pairs: Sequence[Pair], recipe: Recipe, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Yield row numbers for ever: groups of one language and, as far as they reach, of one package, in random order."""
    by_package: dict[tuple[str, str], list[int]] = {}
    for row, pair in enumerate(pairs):
        by_package.setdefault((pair.language, pair.package), []).append(row)
    languages: dict[str, list[NDArray[np.int64]]] = {}
    for (language, _package), rows in sorted(by_package.items()):
        languages.setdefault(language, []).append(np.array(rows, dtype=np.int64))
    while True:
        groups: list[NDArray[np.int64]] = []
        for members in languages.values():
            order = [rng.permutation(members[i]) for i in rng.permutation(len(members))]
            line = np.concatenate(order)
            groups += [line[i : i + recipe.group] for i in range(0, len(line) - recipe.group // 2, recipe.group)]
        shuffled = [groups[i] for i in rng.permutation(len(groups))]
        each = recipe.batch // recipe.group
        for i in range(0, len(shuffled) - each + 1, each):
            yield np.concatenate(shuffled[i : i + each])


def _loss(
    table: Floats,
    data: Features,
    rows: NDArray[np.int64],
    weights: Sequence[float],
    repeats: NDArray[np.int64],
    recipe: Recipe,
    rng: np.random.Generator,
) -> tuple[float, Floats]:
    """Return the loss of one batch and its gradient with respect to the table."""
    query = _dropped(data.query[rows], recipe.dropout, rng)
    fields = [(w, _dropped(f[rows], recipe.dropout, rng)) for w, f in zip(weights, data.fields, strict=True) if w]
    same = repeats[:, None] == repeats[None, :]
    np.fill_diagonal(same, False)
    gradient = np.zeros_like(table)
    total = 0.0
    for size, share in recipe.sizes:
        part = table[:, :size]
        q_sum = query @ part
        f_sums = [f @ part for _w, f in fields]
        q, q_norm = _unit(q_sum)
        units = [_unit(s) for s in f_sums]
        d, d_norm = _unit(_weighted([w for w, _f in fields], [u for u, _n in units]))
        loss, d_q, d_d = _info_nce(q, d, same, recipe.temperature)
        total += share * loss
        gradient[:, :size] += share * (query.T @ _through_norm(d_q, q, q_norm))
        d_sum = _through_norm(d_d, d, d_norm)
        for (w, f), (u, n) in zip(fields, units, strict=True):
            gradient[:, :size] += share * w * (f.T @ _through_norm(d_sum, u, n))
    return total, gradient


def _dropped(counts: sparse.csr_array, rate: float, rng: np.random.Generator) -> sparse.csr_array:
    counts.data = counts.data * (rng.random(len(counts.data), dtype=np.float32) >= rate)
    return counts


def _weighted(weights: Sequence[float], units: Sequence[Floats]) -> Floats:
    total = np.zeros_like(units[0])
    for weight, unit in zip(weights, units, strict=True):
        total += np.float32(weight) * unit
    return total


def _unit(sums: Floats) -> tuple[Floats, Floats]:
    norm: Floats = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.float32(1e-6))
    return sums / norm, norm


def _through_norm(gradient: Floats, unit: Floats, norm: Floats) -> Floats:
    """Carry a gradient back through x / |x|."""
    carried: Floats = (gradient - unit * (gradient * unit).sum(axis=1, keepdims=True)) / norm
    return carried


def _info_nce(q: Floats, d: Floats, same: NDArray[np.bool_], temperature: float) -> tuple[float, Floats, Floats]:
    """Return the mean loss of both directions and its gradients with respect to `q` and `d`."""
    logits = (q @ d.T) / np.float32(temperature)
    logits[same] = -np.inf
    forward, backward = softmax(logits, 1), softmax(logits, 0)
    loss = -0.5 * float(np.log(np.diagonal(forward) + 1e-12).mean() + np.log(np.diagonal(backward) + 1e-12).mean())
    error: Floats = forward + backward
    error[np.diag_indices(len(q))] -= 2
    error *= np.float32(0.5 / (len(q) * temperature))
    return loss, error @ d, error.T @ q


def encode_pairs(data: Features, table: Floats, fields: Sequence[float]) -> tuple[Floats, Floats]:
    """Return unit vectors of sentences and definitions."""
    query, _norm = _unit(data.query @ table)
    return query, _unit(_weighted(fields, [_unit(f @ table)[0] for f in data.fields]))[0]


def save(folder: Path, tokenizer: Tokenizer, table: Floats) -> None:
    """Write the model as a folder that model2vec reads; the row scales are its token weights."""
    folder.mkdir(parents=True, exist_ok=True)
    rows, scales = quantise(table)
    save_file({"embeddings": rows, "weights": scales}, folder / "model.safetensors")
    (folder / "model.safetensors").chmod(0o644)  # the library leaves it to its owner alone
    (folder / "tokenizer.json").write_text(json.dumps(json.loads(tokenizer.to_str()), ensure_ascii=True) + "\n")
    config = {
        "model_type": "model2vec",
        "architectures": ["StaticModel"],
        "hidden_dim": int(table.shape[1]),
        "normalize": True,
        "max_length": None,
    }
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def main() -> int:
    """Train, measure and write the model; the exit code is 1 if it does not beat BM25 by what is asked of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds pairs.jsonl")
    parser.add_argument("--out", type=Path, default=OUT, help="folder of the model")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    recipe = Recipe()
    pairs = read_pairs(arguments.data)
    learned_from = [p for p in pairs if p.split == "train"]
    log.info("%d pairs to learn from", len(learned_from))
    step = max(1, len(learned_from) // recipe.sample)
    words = [word_list(f"{p.query} {p.name} {p.signature} {p.body}") for p in learned_from[::step]]
    tokenizer = train_tokenizer(words, recipe.vocabulary)
    log.info("%d tokens", tokenizer.get_vocab_size())
    data = features(learned_from, tokenizer)
    whole = sum((field[::step] for field in data.fields), data.query[::step])
    table = train(learned_from, data, lsa(whole, recipe.sizes[0][0], recipe.seed), recipe)
    save(arguments.out, tokenizer, table)
    rows, scales = quantise(table)
    stored = rows * scales[:, None]

    def encode(held_out: Sequence[Pair]) -> tuple[Floats, Floats]:
        return encode_pairs(features(held_out, tokenizer), stored, recipe.fields)

    weight = best_weight(pools(pairs, "validation"), encode)
    scores = evaluate(pools(pairs, "test"), encode, weight)
    counts = Counter((p.split, p.language) for p in pairs)
    write_card(
        arguments.out / "MODEL_CARD.md",
        scores=scores,
        weight=weight,
        counts=counts,
        shape=table.shape,
        cap=MAX_PAIRS,
    )
    for score in scores:
        log.info("%s", score)
    alone = np.mean([s.alone - s.bm25 for s in scores])
    fused = np.mean([s.fused - s.bm25 for s in scores])
    log.info("mean over languages: alone %+.3f, fused %+.3f over BM25", alone, fused)
    return 0 if alone >= 0.03 and fused >= 0.07 else 1


if __name__ == "__main__":
    sys.exit(main())
