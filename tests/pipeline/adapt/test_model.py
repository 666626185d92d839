"""The adapted model as a folder: the product's reader and model2vec read the same from it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from codequarry.pipeline.adapt.model import save
from codequarry.pipeline.encoder import FOLDER
from codequarry.query.encoder import Encoder
from codequarry.schemas.terms import normalize, split_word, words
from model2vec import StaticModel

TEXTS = [
    "parse the header of a request",
    "HTTPServer.serve_forever",
    "größe 漢字",
    "retry with backoff when the socket closes",
]


def other_table() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    encoder = Encoder.load(FOLDER)
    table = encoder.rows.astype(np.float32) * encoder.scales[:, None]
    moved: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = table + np.random.default_rng(0).normal(
        0, 0.1, table.shape
    ).astype(np.float32)
    return moved


def test_the_reader_equals_model2vec(tmp_path: Path) -> None:
    save(other_table(), tmp_path / "model")
    encoder, library = Encoder.load(tmp_path / "model"), StaticModel.from_pretrained(tmp_path / "model")
    shipped = Encoder.load(FOLDER)
    for text in TEXTS:
        parts = " ".join(part for word in words(normalize(text)) for part in split_word(word))
        np.testing.assert_allclose(encoder.encode(text), library.encode([parts])[0], atol=1e-5)
        assert abs(float(encoder.encode(text) @ shipped.encode(text))) < 0.999


def test_int8_is_near_the_table_and_begins_at_a_multiple_of_eight(tmp_path: Path) -> None:
    table = other_table()
    save(table, tmp_path)
    encoder = Encoder.load(tmp_path)
    stored = encoder.rows.astype(np.float32) * encoder.scales[:, None]
    assert np.abs(stored - table).max() <= np.abs(table).max() / 127 / 2 + 1e-6
    data = (tmp_path / "model.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    assert size % 8 == 0
    assert json.loads(data[8 : 8 + size])["embeddings"]["shape"] == list(table.shape)
    assert (tmp_path / "tokenizer.json").read_bytes() == (FOLDER / "tokenizer.json").read_bytes()
