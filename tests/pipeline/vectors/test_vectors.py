"""Vectors of fields, files and models by value: always against the encoder's own answer for one text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from codequarry.pipeline.encoder import FOLDER
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.terms import lexicon
from codequarry.pipeline.terms.lexicon import joined
from codequarry.pipeline.vectors import NO_MODEL, choose_model, field_vectors, path_vectors
from codequarry.pipeline.vectors.words import Vectorizer, vectorizer
from codequarry.query.encoder import FILES, Encoder
from hypothesis import given, settings
from hypothesis import strategies as st

from ..made import PIECES, file

CODE = '''"""Shop module."""


class ShoppingCart:
    def add_item(self, sku):
        """Add an item to the cart."""
        self.items[sku] += 1
'''


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.load(FOLDER)


@pytest.fixture
def made(encoder: Encoder) -> Vectorizer:
    return Vectorizer(encoder)


def facts(code: str) -> FileFacts:
    return file_facts(code.encode(), "python", "a.py", Limits())


def test_many_texts_are_what_each_is_alone(made: Vectorizer, encoder: Encoder) -> None:
    texts = ["open the file", "", "HTTPServer.parse_url2", "qqqq \x00 zzzz", "the the file", "漢字 größe", "x" * 300]
    found = made.units(joined(texts), len(texts))
    assert found == pytest.approx(np.array([encoder.encode(text) for text in texts]), abs=1e-6)
    assert np.linalg.norm(found, axis=1) == pytest.approx([1, 0, 1, 1, 1, 1, 0], abs=1e-6)


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from(PIECES), max_size=8).map("".join), max_size=6))
def test_any_texts_in_any_company(texts: list[str]) -> None:
    one, other = vectorizer(FOLDER), Vectorizer(Encoder.load(FOLDER))
    assert np.array_equal(one.units(joined(texts), len(texts)), other.units(joined(texts), len(texts)))


def test_a_lexicon_that_starts_anew_takes_its_vectors_along(encoder: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Vectorizer(encoder)
    made.units(joined(["open"]), 1)
    monkeypatch.setattr(lexicon, "_MAX_TOKENS", 1)
    assert made.units(joined(["close the file"]), 1)[0] == pytest.approx(encoder.encode("close the file"), abs=1e-6)


def test_a_symbol_is_the_sum_of_its_fields(made: Vectorizer, encoder: Encoder) -> None:
    shop = facts(CODE)
    found = field_vectors([shop, file(None)], made)
    assert found.shape == (4, 128)
    method = (
        1.5 * encoder.encode("add_item")
        + 0.3 * encoder.encode("ShoppingCart.")
        + 0.7 * encoder.encode("def add_item(self, sku)")
        + encoder.encode("Add an item to the cart.")
        + 0.8 * encoder.encode('"""Add an item to the cart.""" self.items[sku] += 1')
    )
    assert found[2] == pytest.approx(method, abs=2e-3)
    whole = (
        encoder.encode(CODE)
        + encoder.encode("Shop module. Add an item to the cart.")
        + encoder.encode("ShoppingCart add_item")
    )
    assert found[0] == pytest.approx(whole, abs=2e-3)
    assert not found[3].any()


def test_only_the_first_lines_of_a_body_count(made: Vectorizer) -> None:
    head = "def f():\n    connect()\n" + "    pass\n" * 28
    short, long, other = (facts(head + more) for more in ("    pass\n", "    pass\n    load()\n", "    load()\n"))
    rows = [field_vectors([f], made)[1] for f in (short, long, other)]
    assert np.array_equal(rows[0], rows[1])
    assert not np.array_equal(rows[0], rows[2])


def test_batches_do_not_matter(made: Vectorizer) -> None:
    files = [facts(CODE), facts("x = 1\n"), facts("def open_file(): pass\n")]
    together = field_vectors(files, made)
    assert np.array_equal(together, np.concatenate([field_vectors([f], made) for f in files]))


def test_paths(made: Vectorizer, encoder: Encoder) -> None:
    found = path_vectors(["src/http_server.py", "a"], made)
    assert found[0] == pytest.approx(encoder.encode("src/http_server.py"), abs=1e-6)


def test_the_embedded_model_is_always_there() -> None:
    model = choose_model("auto")
    assert (model.info.name, model.folder, model.info.dimensions, model.info.reason) == ("embedded", FOLDER, 128, None)
    assert model.info.sha256 == Encoder.load(FOLDER).sha256
    assert choose_model("none") is NO_MODEL


def test_a_folder_with_a_model(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in FILES:
        (folder / name).write_bytes((FOLDER / name).read_bytes())
    model = choose_model(str(folder))
    assert (model.info.name, model.folder, model.info.reason) == ("mine", folder, None)


@pytest.mark.parametrize("broken", FILES)
def test_a_broken_model_is_a_reason_and_not_an_error(tmp_path: Path, broken: str) -> None:
    for name in FILES:
        (tmp_path / name).write_bytes((FOLDER / name).read_bytes() if name != broken else b"\0")
    model = choose_model(str(tmp_path))
    assert model.folder is None
    assert model.info.reason is not None
    assert broken in model.info.reason


def test_what_is_neither_a_folder_nor_an_id() -> None:
    model = choose_model("/nowhere/at all")
    assert (model.info.name, model.folder) == ("at all", None)
    assert model.info.reason == (
        "the model cannot be used: at all: there is no such folder, and it is not the id of a hub's model (OWNER/NAME)"
    )


def test_a_hub_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    def unreachable(*_: object, **__: object) -> str:
        raise OSError("no route\nto host")

    monkeypatch.setattr(huggingface_hub, "snapshot_download", unreachable)
    model = choose_model("minishlab/potion-base-2M")
    assert model.folder is None
    assert model.info.reason == "the model cannot be used: minishlab/potion-base-2M: it cannot be fetched (no route to host)"
