"""The lab: every method keeps the interface, and does on small cases what its source says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from codequarry.pipeline.evaluation.corpus import Corpus
from codequarry.pipeline.evaluation.questions import Question
from codequarry.query.store import open_snapshot

from ..query.stores import EdgeSpec, FileSpec, SymbolSpec, build_store
from ._script import SCRIPTS, script

lab = script("lab/lab")
material_module = script("lab/material")
METHODS = lab.all_methods()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three modules: `open_cart` calls `close_cart` and `send_mail`; nothing is connected with `parse_url`."""
    out = tmp_path_factory.mktemp("lab") / "store"
    files = {
        "shop/cart.py": ("open_cart", "close_cart"),
        "shop/mail.py": ("send_mail", "read_mail"),
        "web/url.py": ("parse_url", "join_url"),
    }
    build_store(
        out,
        {
            "shop": [
                FileSpec(
                    path=path,
                    text="".join(f"def {name}():\n    return {name.upper()}\n" for name in names),
                    symbols=tuple(SymbolSpec(name=name, lines=(2 * i + 1, 2 * i + 2)) for i, name in enumerate(names)),
                )
                for path, names in files.items()
            ]
        },
        edges=[EdgeSpec(src="open_cart", dst="close_cart"), EdgeSpec(src="open_cart", dst="send_mail")],
    )
    return out


@pytest.fixture(scope="module")
def material(store: Path) -> Any:
    return material_module.Material(Corpus(open_snapshot(store)))


def place(material: Any, name: str) -> int:
    return next(i for i, row in enumerate(material.corpus.rows) if row.name == name)


def ranker(material: Any, name: str) -> Any:
    return next(method for method in METHODS if method.name == name).make(material)


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_method_ranks_anything_and_always_the_same(method: Any, material: Any) -> None:
    one, other = method.make(material), method.make(material)
    for text in ("open the cart", "zzz", "", "parse url join url"):
        query = material.query(text, "fix")
        for base in (np.zeros(material.size), query.bm25):
            scores = one.rank(query, base.copy())
            assert scores.shape == (material.size,)
            assert np.isfinite(scores).all()
            assert np.array_equal(scores, other.rank(query, base.copy()))
        if method.learns:
            one.learn(query, np.array([1, 2]))
            other.learn(query, np.array([1, 2]))


def test_every_method_is_small_and_says_where_it_comes_from() -> None:
    assert len({method.name for method in METHODS}) == len(METHODS) == 20
    assert all(method.source and method.claim for method in METHODS)
    for path in (SCRIPTS / "lab" / "methods").glob("*.py"):
        assert len(path.read_text("utf-8").splitlines()) <= 64, path.name


def test_heat_is_the_matrix_exponential(material: Any) -> None:
    a, b = material.pairs
    adjacency = np.zeros((material.size, material.size))
    adjacency[a, b] = 1 / np.sqrt(material.degree[a] * material.degree[b])
    seeds = np.random.default_rng(1).random(material.size)
    values, vectors = np.linalg.eigh(adjacency)
    expected = np.exp(-1.0) * (vectors * np.exp(values)) @ vectors.T @ seeds
    assert ranker(material, "Chebyshev heat").diffuse(seeds) == pytest.approx(expected)


def test_lsa_is_a_singular_value_decomposition(material: Any) -> None:
    dense = material.project(np.eye(len(material.terms.vocabulary)), to_documents=True)
    assert np.linalg.norm(dense, axis=1)[dense.any(axis=1)] == pytest.approx(1.0)
    vectors = ranker(material, "LSA").documents
    assert vectors @ vectors.T == pytest.approx(dense @ dense.T, abs=1e-6)  # of fewer dimensions than are kept


def test_a_name_is_nearest_to_its_own_words(material: Any) -> None:
    for name in ("gated HRR", "character-bigram HRR"):
        scores = ranker(material, name).rank(material.query("close cart"), np.zeros(material.size))
        assert int(np.argmax(scores)) == place(material, "close_cart")


def test_what_is_connected_comes_up(material: Any) -> None:
    base = np.zeros(material.size)
    base[place(material, "open_cart")] = 1.0
    for name in ("Chebyshev heat", "evidence propagation", "CARE", "online graph weights", "Ollivier-Ricci curvature"):
        scores = ranker(material, name).rank(material.query("zzz"), base.copy())
        assert scores[place(material, "send_mail")] > scores[place(material, "parse_url")], name


def test_folders_that_were_right_come_first(material: Any) -> None:
    profile = ranker(material, "role-scoped path priors")
    query, base = material.query("x", "fix"), np.full(material.size, 0.5)
    for _ in range(3):
        profile.learn(query, np.array([place(material, "parse_url")]))
    scores = profile.rank(query, base)
    assert scores[place(material, "join_url")] > scores[place(material, "open_cart")]
    assert profile.rank(material.query("x", "feat"), base)[place(material, "join_url")] < scores[place(material, "join_url")]


def test_an_explanation_set_holds_other_words_next(material: Any) -> None:
    base = np.zeros(material.size)
    for name, score in (("open_cart", 1.0), ("close_cart", 0.9), ("parse_url", 0.8)):
        base[place(material, name)] = score
    scores = ranker(material, "MDL explanation sets").rank(material.query("cart url"), base)
    order = np.argsort(-scores)[:2].tolist()
    assert order == [place(material, "open_cart"), place(material, "parse_url")]


def test_the_table_has_every_method_and_the_ranking_as_it_is(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    questions = [
        Question(id="1", text="close the cart", gold={"shop/cart.py": 1}, category="fix"),
        Question(id="2", text="parse_url", gold={"parse_url": 1}, level="symbols"),
    ]
    found = lab.compare(store, questions, ["LSA", "online graph weights"])
    table = list(lab.rows(found))
    assert [row[0] for row in table] == ["method", "as it is", "LSA", "online graph weights"]
    assert table[1][2:4] == ["1.000 / 1.000", "1.000 / 1.000"]
    assert all(len(row) == 6 for row in table)
    plain = lab.as_json(found)
    assert plain["LSA"]["changes"]["codequarry"]["mrr"] == [0.0, 0.0, 0.0]
    lab._show(found, False)
    assert capsys.readouterr().out.startswith("| method ")
    lab._show(found, True)
    assert set(json.loads(capsys.readouterr().out)) == {"as it is", "LSA", "online graph weights"}
