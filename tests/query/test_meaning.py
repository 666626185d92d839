"""Vectors on the side of the reader: cosines, the model that belongs to them, and what is said where there is none."""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from codequarry.pipeline.encoder import FOLDER
from codequarry.pipeline.vectors import choose_model
from codequarry.query import meaning, open_index
from codequarry.query.archive import pack, unpack
from codequarry.query.cli import run
from codequarry.query.connection import Connection
from codequarry.query.encoder import FILES, Encoder
from codequarry.query.meaning import load_encoder, unavailable
from codequarry.query.readers.vectors import LookupVectors, ResidentVectors, Vectors
from codequarry.query.store import open_snapshot
from codequarry.query.verify import verify
from codequarry.schemas.errors import DamagedError, StoreError

ROOT = Path(__file__).resolve().parents[1] / "cases" / "trees" / "shop"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("meaning") / "store"
    source = out.with_name("shop")
    shutil.copytree(ROOT, source)
    assert run(["index", str(source), "--out", str(out), "--quiet", "--jobs", "1"]) == 0
    return out


@pytest.fixture
def copy(store: Path, tmp_path: Path) -> Path:
    shutil.copytree(store, tmp_path / "store")
    return tmp_path / "store"


@pytest.fixture(scope="module")
def connection(store: Path) -> Iterator[Connection]:
    with Connection(open_snapshot(store)) as opened:
        yield opened


@pytest.fixture(params=[LookupVectors, ResidentVectors])
def vectors(connection: Connection, request: pytest.FixtureRequest) -> Vectors:
    made: Vectors = request.param(connection.snapshot, connection)
    return made


def test_cosines_by_value(connection: Connection, vectors: Vectors) -> None:
    total = connection.snapshot.rows("symbols")
    rows = vectors.rows(np.arange(total))
    assert rows.shape == (total, 128)
    query = Encoder.load(FOLDER).encode("add an item")
    found = vectors.cosines(query)
    assert found == pytest.approx(rows @ query, abs=0.01)
    best = ",".join(map(str, np.argsort(-found, kind="stable")[:4]))
    names = [name for (name,) in connection.rows(f"SELECT qualified_name FROM symbols WHERE symbol IN ({best})")]
    assert "ShoppingCart.add_item" in names
    assert vectors.rows(np.array([3, 1])) == pytest.approx(rows[[3, 1]])
    assert not vectors.cosines(np.zeros(128, np.float32)).any()


def test_both_readers_give_the_same_bits(connection: Connection) -> None:
    query = Encoder.load(FOLDER).encode("http server")
    one, other = (reader(connection.snapshot, connection).cosines(query) for reader in (LookupVectors, ResidentVectors))
    assert one.tobytes() == other.tobytes()


def test_sql_sees_a_vector(connection: Connection, vectors: Vectors) -> None:
    ((symbol, scale, whole),) = connection.rows("SELECT symbol, scale, vector FROM vector(2)")
    assert symbol == 2
    assert np.array(whole) * scale == pytest.approx(vectors.rows(np.array([2]))[0], abs=1e-6)
    assert connection.rows("SELECT * FROM vector(-1)") == connection.rows("SELECT * FROM vector(1000000)") == []


def test_the_store_holds_the_model(store: Path) -> None:
    snapshot = open_snapshot(store)
    model = choose_model("auto").info
    assert (snapshot.manifest.model.name, snapshot.manifest.model.sha256) == ("embedded", model.sha256)
    folder = store / "encoders" / str(model.sha256)
    assert {path.name for path in folder.iterdir()} == set(FILES)
    assert load_encoder(snapshot).sha256 == model.sha256


def test_the_model_of_a_snapshot_alone(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = shutil.copytree(open_snapshot(store).folder, tmp_path / "alone")
    assert load_encoder(open_snapshot(alone)).dimensions == 128
    monkeypatch.setattr(meaning, "_EMBEDDED", tmp_path / "nowhere")
    with pytest.raises(StoreError, match="the model embedded that made the vectors is not in"):
        load_encoder(open_snapshot(alone))


def test_a_replaced_model_is_never_used(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = open_snapshot(copy)
    table = copy / "encoders" / str(snapshot.manifest.model.sha256) / "model.safetensors"
    table.write_bytes(table.read_bytes()[:-1] + b"\1")
    assert load_encoder(snapshot).sha256 == snapshot.manifest.model.sha256  # the embedded one, which is the same
    monkeypatch.setattr(meaning, "_EMBEDDED", tmp_path / "nowhere")
    with pytest.raises(StoreError, match="the model has hash"):
        load_encoder(snapshot)


def test_a_damaged_model_is_replaced_by_the_next_run(copy: Path, caplog: pytest.LogCaptureFixture) -> None:
    sha256 = open_snapshot(copy).manifest.model.sha256
    table = copy / "encoders" / str(sha256) / "model.safetensors"
    whole = table.read_bytes()
    table.write_bytes(whole[:-1] + b"\1")
    assert run(["index", str(ROOT), "--out", str(copy), "--quiet", "--jobs", "1", "--name", "shop"]) == 0
    assert table.read_bytes() == whole
    assert "was damaged and is replaced" in caplog.text


def test_a_store_without_vectors(tmp_path: Path) -> None:
    assert run(["index", str(ROOT), "--out", str(tmp_path / "s"), "--quiet", "--model", "none", "--name", "shop"]) == 0
    snapshot = open_snapshot(tmp_path / "s")
    assert unavailable(snapshot) == "the index was made without a model"
    assert not snapshot.has("vectors")
    assert not (tmp_path / "s" / "encoders").exists()
    with pytest.raises(StoreError, match="the index was made without a model"):
        load_encoder(snapshot)


def test_a_pack_brings_the_model(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = pack(open_snapshot(copy), tmp_path / "a.tar")
    shutil.rmtree(copy / "encoders")
    assert pack(open_snapshot(copy), tmp_path / "b.tar") == digest
    monkeypatch.setattr(meaning, "_EMBEDDED", tmp_path / "nowhere")
    assert load_encoder(unpack(tmp_path / "a.tar", tmp_path / "there")).dimensions == 128


def test_a_pack_with_another_model_is_refused(copy: Path, tmp_path: Path) -> None:
    pack(open_snapshot(copy), tmp_path / "a.tar")
    with tarfile.open(tmp_path / "a.tar") as old, tarfile.open(tmp_path / "b.tar", "w") as new:
        for member in old:
            data = old.extractfile(member).read()  # type: ignore[union-attr]  # all are files
            if member.name.endswith("config.json"):
                data = data.replace(b"true", b"null")
            member.size = len(data)

            new.addfile(member, BytesIO(data))
    with pytest.raises(DamagedError, match="is not the one that made the vectors"):
        unpack(tmp_path / "b.tar", tmp_path / "there")


def test_the_api_gives_all_vectors(store: Path, tmp_path: Path) -> None:
    with open_index(store) as index:
        found = index.vectors()
        assert found.shape == (index.snapshot.rows("symbols"), 128)
        assert np.linalg.norm(found, axis=1) == pytest.approx(1, abs=0.01)
    assert run(["index", str(ROOT), "--out", str(tmp_path / "s"), "--quiet", "--model", "none", "--name", "shop"]) == 0
    with (
        open_index(tmp_path / "s") as index,
        pytest.raises(StoreError, match="holds no vectors: the index was made without"),
    ):
        index.vectors()


def test_verify_looks_at_vectors_and_their_model(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert verify(copy).faults == ()
    snapshot = open_snapshot(copy)
    monkeypatch.setattr(meaning, "_EMBEDDED", tmp_path / "nowhere")
    shutil.rmtree(copy / "encoders")
    (fault,) = verify(copy).faults
    assert fault.file == f"encoders/{snapshot.manifest.model.sha256}"
    assert "index again" in fault.problem


@pytest.mark.parametrize("resident", [True, False])
def test_a_sentence_is_ranked_by_meaning_too(store: Path, resident: bool) -> None:
    with open_index(store, resident=resident) as index:
        answer = index.search("how do I put an item into the cart", explain=True)
    assert (answer.mode, answer.complete, answer.notes) == ("lexical+meaning", True, ())
    assert "meaning" in answer.results[0].matched_by
    for hit in answer.results:
        assert hit.terms is not None
        assert sum(hit.terms.values()) == pytest.approx(hit.score, abs=1e-9)
    assert any(hit.terms and hit.terms.get("meaning", 0) > 0 for hit in answer.results)


def test_both_readers_rank_alike(store: Path) -> None:
    queries = [
        "how do I put an item into the cart",
        "fix the price of items",
        "what fails when quantity is negative",
        "ShoppingCart",
    ]
    with open_index(store) as warm, open_index(store, resident=False) as cold:
        assert [warm.search(q).to_json() for q in queries] == [cold.search(q).to_json() for q in queries]


@pytest.mark.parametrize("query", ["ShoppingCart", "cart", "src/cart.py", "the of and"])
def test_names_and_paths_are_not_asked_for_their_meaning(store: Path, query: str) -> None:
    with open_index(store) as index:
        assert index.search(query).mode == "lexical"


def test_no_common_word_is_no_match(store: Path) -> None:
    with open_index(store) as index:
        answer = index.search("zyzzyva quokka")
        assert (answer.results, answer.notes) == ((), ("nothing in the index matches",))


def test_a_model_that_is_gone_is_said_in_every_answer(copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "_EMBEDDED", tmp_path / "nowhere")
    shutil.rmtree(copy / "encoders")
    with open_index(copy) as index:
        answer = index.search("how do I put an item into the cart")
        assert (answer.mode, answer.complete) == ("lexical", False)
        assert answer.results
        assert answer.notes[0].startswith("meaning is unavailable: the model embedded that made the vectors is not in")


def test_an_index_without_a_model_on_purpose_says_nothing(tmp_path: Path) -> None:
    assert run(["index", str(ROOT), "--out", str(tmp_path / "s"), "--quiet", "--model", "none", "--name", "shop"]) == 0
    with open_index(tmp_path / "s") as index:
        answer = index.search("how do I put an item into the cart")
        assert (answer.mode, answer.complete, answer.notes) == ("lexical", True, ())


def test_a_model_that_could_not_be_had(tmp_path: Path) -> None:
    assert (
        run(["index", str(ROOT), "--out", str(tmp_path / "s"), "--quiet", "--model", "no such model", "--name", "shop"]) == 0
    )
    with open_index(tmp_path / "s") as index:
        answer = index.search("how do I put an item into the cart")
        assert (answer.mode, answer.complete) == ("lexical", False)
        assert "there is no such folder" in answer.notes[0]
