"""BM25F over symbols and files equals the formula written out in plain Python, and the best are the best."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path, PurePosixPath

import numpy as np
import pytest
from codequarry.query.api import Index
from codequarry.query.connection import Connection
from codequarry.query.filters import Filters, select
from codequarry.query.ranking.policy import FIELDS, Policy
from codequarry.query.ranking.request import Request, describe, make_request
from codequarry.query.ranking.seeds import best, file_seeds, idf, symbol_seeds
from codequarry.query.ranking.text import read_query
from codequarry.query.readers.lookup import Lookup
from codequarry.query.stems import stem
from codequarry.query.store import open_snapshot
from codequarry.schemas.terms import terms
from hypothesis import given
from hypothesis import strategies as st

from ..shop import SHOP, TOOLS
from ..stores import FileSpec, SymbolSpec

FILES = [*sorted(SHOP, key=lambda f: f.path.encode()), *TOOLS]


def request_for(snapshot_path: Path, text: str) -> tuple[Connection, Request]:
    snapshot = open_snapshot(snapshot_path)
    connection = Connection(snapshot)
    reader = Lookup(snapshot, connection, FIELDS)
    policy = Policy()
    selection = select(Filters(), snapshot.manifest, reader)
    return connection, make_request(
        read_query(text, policy), reader, describe(snapshot, FIELDS), selection, FIELDS, policy, 10
    )


def fields_of(file: FileSpec, symbol: SymbolSpec) -> list[Counter[str]]:
    qualified = symbol.qualified_name or symbol.name
    body = "".join(file.text.splitlines(keepends=True)[symbol.lines[0] - 1 : symbol.lines[1]])
    texts = (symbol.name, qualified.removesuffix(symbol.name), symbol.signature, symbol.doc, body)
    return [Counter(stem(terms(text))) for text in texts]


def path_of(file: FileSpec) -> tuple[Counter[str], Counter[str]]:
    path = PurePosixPath(file.path)
    return Counter(stem(terms(path.name))), Counter(stem(terms(" ".join(path.parts[:-1]))))


def expected_symbol_scores(query: str) -> dict[tuple[str, tuple[int, int]], float]:
    """BM25F by the book: one saturation over the weighted, normalised frequencies of all fields and of the path."""
    rows = [(file, symbol, fields_of(file, symbol), path_of(file)) for file in FILES for symbol in file.symbols]
    averages = [sum(f[i].total() for _, _, f, _ in rows) / len(rows) for i in range(5)]
    paths = [path_of(file) for file in FILES]
    path_average = sum(b.total() + 0.5 * d.total() for b, d in paths) / len(FILES)
    scores: dict[tuple[str, tuple[int, int]], float] = {}
    for term in dict.fromkeys(read_query(query, Policy()).terms):
        holders = [r for r in rows if any(term in f for f in r[2]) or term in r[3][0] or term in r[3][1]]
        for file, symbol, fields, (base, directory) in holders:
            frequency = sum(
                w * f[term] / (1 - b + b * f.total() / average)
                for f, w, b, average in zip(fields, FIELDS.symbol_weights, FIELDS.symbol_b, averages, strict=True)
            )
            if len(holders) <= len(rows) // 2:
                length = base.total() + 0.5 * directory.total()
                on_path = base[term] + 0.5 * directory[term]
                frequency += 3 * on_path / (0.25 + 0.75 * length / path_average)
            weight = math.log(1 + (len(rows) - len(holders) + 0.5) / (len(holders) + 0.5))
            key = (file.path, symbol.lines)
            scores[key] = scores.get(key, 0.0) + weight * 2.2 * frequency / (1.2 + frequency)
    return {key: score for key, score in scores.items() if score > 0}


QUERIES = ["add item", "cart", "limiter acquire token", "http server", "QuantityError", "parseURLFromHTML5 string", "test"]


@pytest.mark.parametrize("query", QUERIES)
def test_symbols(shop: Path, query: str) -> None:
    connection, request = request_for(shop, query)
    with connection:
        seeds = symbol_seeds(request, request.reader.postings(request.query.terms))
        rows = request.reader.rows(seeds.ids)
    found = {
        (row.path, (row.start_line, row.end_line)): score for row, score in zip(rows, seeds.scores.tolist(), strict=True)
    }
    assert found == pytest.approx(expected_symbol_scores(query), rel=1e-3)
    assert seeds.total == len(found)


@pytest.mark.parametrize("query", QUERIES)
def test_files(shop: Path, query: str) -> None:
    connection, request = request_for(shop, query)
    with connection:
        seeds = file_seeds(request, request.reader.postings(request.query.terms))
    rows = []
    for file in FILES:
        names = Counter(stem(terms(" ".join(symbol.name for symbol in file.symbols))))
        rows.append((*path_of(file), names, Counter(stem(terms(file.text)))))
    averages = [sum(r[i].total() for r in rows) / len(rows) for i in range(4)]
    for place, fields in enumerate(rows):
        expected = 0.0
        for term in request.query.terms:
            holders = sum(any(term in f for f in r) for r in rows)
            frequency = sum(
                w * f[term] / (1 - b + b * f.total() / average)
                for f, w, b, average in zip(fields, (1, 0.5, 2, 1), (0.75, 0.75, 0.75, 0.5), averages, strict=True)
            )
            expected += math.log(1 + (len(rows) - holders + 0.5) / (holders + 0.5)) * 2.2 * frequency / (1.2 + frequency)
        assert seeds.scores[place] == pytest.approx(expected, rel=1e-3, abs=1e-4)


def test_path_hits_leave_joined_forms_out(shop: Path) -> None:
    connection, request = request_for(shop, "test_cart src")
    with connection:
        seeds = file_seeds(request, request.reader.postings(request.query.terms))
    assert seeds.base_hits.tolist() == [0, 0, 1, 0, 2, 0]
    assert seeds.directory_hits.tolist() == [0, 0, 1, 1, 1, 0]


def test_idf_is_never_negative() -> None:
    assert idf(1, 100) == pytest.approx(math.log(1 + 99.5 / 1.5))
    assert 0 < idf(100, 100) < 0.01
    assert idf(200, 100) == 0.0


@given(st.lists(st.integers(-1, 9), max_size=700), st.integers(1, 300))
def test_the_best_are_exact(values: list[int], count: int) -> None:
    scores = np.array(values, np.float32)
    order = sorted((i for i, v in enumerate(values) if v > 0), key=lambda i: (-values[i], i))
    assert best(scores, count).tolist() == sorted(order[:count])


def test_the_best_of_many_are_exact() -> None:
    rng = np.random.default_rng(3)
    scores = np.where(rng.random(100_000) < 0.3, rng.gamma(1.0, size=100_000), 0).astype(np.float32)
    for count in (1, 10, 1000, 50_000):
        order = np.lexsort((np.arange(len(scores)), -scores))[:count]
        assert best(scores, count).tolist() == sorted(i for i in order.tolist() if scores[i] > 0)


def test_a_file_row_is_never_a_seed(index: Index) -> None:
    assert all(hit.kind != "file" or hit.provenance.evidence == "file" for hit in index.search("cart", k=100).results)
