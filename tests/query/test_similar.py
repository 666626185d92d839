"""Search by meaning and `similar`, over a store with vectors of the embedded model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from codequarry.query import Index, open_index
from codequarry.query.cli import run

from .commands.test_schemas import check
from .shop import build_shop

MORE = {
    "add.py": "def add_item(cart, sku):\n    cart.items.append(sku)\n    return cart\n",
    "copy.py": "def put_item(cart,   sku):\n\n    cart.items.append(sku)\n    return cart\n",
    "other.py": "def open_socket(host):\n    return connect(host)\n",
    "tests/test_add.py": "def test_add_item():\n    assert add_item(cart, 1)\n",
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("similar") / "store"
    for path, text in MORE.items():
        place = out.with_name("shop") / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    assert run(["index", str(out.with_name("shop")), "--out", str(out), "--quiet", "--jobs", "1", "--name", "shop"]) == 0
    return out


@pytest.fixture(scope="module", params=[True, False], ids=["resident", "lookup"])
def meant(store: Path, request: pytest.FixtureRequest) -> Iterator[Index]:
    with open_index(store, resident=request.param) as index:
        yield index


def test_meaning_ranks_by_cosine(meant: Index) -> None:
    answer = meant.search("network connection", match="meaning", k=20, explain=True)
    assert (answer.mode, answer.complete) == ("meaning", True)
    assert answer.results[0].path == "other.py"
    cosines = [hit.score for hit in answer.results]
    assert cosines == sorted(cosines, reverse=True)
    assert all(0 < cosine <= 1.001 for cosine in cosines)
    assert {hit.matched_by for hit in answer.results} == {("meaning",)}
    assert answer.results[0].terms == {"meaning": answer.results[0].score}
    assert {"file", "function"} <= {hit.kind for hit in answer.results}


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ({"kinds": "function", "paths": "add.py"}, {"shop:add.py#add_item"}),
        ({"kinds": "file", "tests": True}, {"shop:tests/test_add.py"}),
        ({"tests": True}, {"shop:tests/test_add.py", "shop:tests/test_add.py#test_add_item"}),
        ({"repos": "none"}, set()),
    ],
)
def test_filters_hold_for_meaning(meant: Index, options: dict[str, object], keys: set[str]) -> None:
    answer = meant.search("add an item", match="meaning", **options)  # type: ignore[arg-type]  # a choice of filters
    assert {hit.key for hit in answer.results} == keys


def test_few_wanted_rows_are_the_best_that_the_filters_allow(meant: Index) -> None:
    every = meant.search("add an item", match="meaning", k=50).results
    tests = meant.search("add an item", match="meaning", k=1, tests=True).results
    assert [hit.key for hit in tests] == [next(hit.key for hit in every if hit.path == "tests/test_add.py")]


@pytest.mark.parametrize(("query", "note"), [("", "the query is blank"), ("%%%", "holds no word that the model knows")])
def test_meaning_of_nothing(meant: Index, query: str, note: str) -> None:
    answer = meant.search(query, match="meaning")
    assert answer.results == ()
    assert note in answer.notes[0]


def test_meaning_is_unavailable_without_vectors(tmp_path: Path) -> None:
    build_shop(tmp_path)
    with open_index(tmp_path) as index:
        answer = index.search("cart", match="meaning")
    assert (answer.results, answer.complete, answer.mode) == ((), False, "meaning")
    assert answer.notes[0].startswith("meaning is unavailable: ")


def test_name_keeps_rows_whose_name_matches(shop: Path) -> None:
    with open_index(shop) as index:
        named = index.search("cart", match="name", k=50).results
        every = index.search("cart", k=50).results
    assert named
    assert len(named) < len(every)
    assert all("name" in hit.matched_by for hit in named)
    assert {hit.key for hit in named} == {hit.key for hit in every if "name" in hit.matched_by}


def test_similar_leaves_itself_out_and_marks_copies(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["similar", "add_item", "--index", str(store), "--json"]) == 0
    answer = json.loads(capfd.readouterr().out)
    check("similar", answer)
    assert answer["symbol"]["key"] == "shop:add.py#add_item"
    found = {row["key"]: row["duplicate"] for row in answer["results"]}
    assert "shop:add.py#add_item" not in found
    assert found["shop:copy.py#put_item"] is True
    assert sum(found.values()) == 1
    scores = [row["score"] for row in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert [row["rank"] for row in answer["results"]] == list(range(1, len(scores) + 1))
    assert {row["kind"] for row in answer["results"]} == {"function"}


def test_similar_as_text(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["similar", "put_item", "--index", str(store), "-k", "1"]) == 0
    first, row = capfd.readouterr().out.splitlines()
    assert first == "copy.py:1  function put_item"
    assert row.endswith("add.py:1  function add_item  (duplicate)")
    assert run(["similar", "other.py", "--index", str(store)]) == 0
    assert all(line.endswith("  file") for line in capfd.readouterr().out.splitlines())


def test_similar_without_vectors(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    build_shop(tmp_path)
    assert run(["similar", "RateLimiter", "--index", str(tmp_path)]) == 1
    assert "cannot be searched by meaning: " in capfd.readouterr().err


def test_similar_to_what_is_not_there(store: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["similar", "nothing_here", "--index", str(store)]) == 1
    assert "the index holds no symbol" in capfd.readouterr().err


def test_a_model_that_is_gone_is_a_note(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from codequarry.query import meaning

    shutil.copytree(store, tmp_path / "store")
    shutil.rmtree(tmp_path / "store" / "encoders")
    monkeypatch.setattr(meaning, "_EMBEDDED", tmp_path / "nowhere")
    with open_index(tmp_path / "store") as index:
        answer = index.search("cart", match="meaning")
    assert not answer.complete
    assert "meaning is unavailable: the model embedded that made the vectors is not in" in answer.notes[0]
