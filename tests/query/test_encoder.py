"""The reader against model2vec, by value, and every way in which a model folder can be wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from codequarry.query.encoder import FILES, Encoder
from codequarry.schemas.errors import StoreError
from codequarry.schemas.terms import normalize, split_word, words
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

PIECES = [("<unk>", 0.0), ("rate", -3.0), ("limit", -3.5), ("er", -2.0), ("s", -1.5), ("e", -4.0), ("rat", -4.0)]
PIECES += [(letter, -8.0) for letter in "abcdfghilmnoprtuvy"]
ROWS = np.random.default_rng(0).integers(-127, 128, size=(len(PIECES), 8)).astype(np.int8)
SCALES = np.linspace(0.001, 0.02, len(PIECES)).astype(np.float32)
_HEADER = b'{"embeddings":{"dtype":"I8","shape":[25,8],"data_offsets":[0,200]}}'
CUT_SHORT = len(_HEADER).to_bytes(8, "little") + _HEADER + b"0" * 9
_ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2] / ".dev")}
EMBEDDED = Path(__file__).resolve().parents[2] / "pipeline" / "encoder"


def write_model(folder: Path, tensors: dict[str, NDArray[Any]] | None = None, tokenizer: Tokenizer | None = None) -> Path:
    """Write a small model; what is not given is right."""
    folder.mkdir(exist_ok=True)
    if tokenizer is None:
        tokenizer = Tokenizer(models.Unigram(PIECES, unk_id=0, byte_fallback=False))
        tokenizer.normalizer = normalizers.Lowercase()
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    save_file(tensors or {"embeddings": ROWS, "weights": SCALES}, folder / "model.safetensors")
    (folder / "tokenizer.json").write_text(tokenizer.to_str())
    config = {"model_type": "model2vec", "hidden_dim": 8, "normalize": True, "max_length": None}
    (folder / "config.json").write_text(json.dumps(config))
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_model(tmp_path / "model")


def row(piece: str) -> NDArray[np.float32]:
    index = [p for p, _score in PIECES].index(piece)
    found: NDArray[np.float32] = ROWS[index].astype(np.float32) * SCALES[index]
    return found


def test_a_word_is_the_sum_of_its_best_pieces(folder: Path) -> None:
    encoder = Encoder.load(folder)
    got = encoder.encode_words(["rate", "limiters", "zzz", ""])
    assert got.shape == (4, 8)
    assert got.dtype == np.float32
    np.testing.assert_allclose(got[0], row("rate"), rtol=1e-6)  # -3.0, better than rat + e at -8.0
    np.testing.assert_allclose(got[1], row("limit") + row("er") + row("s"), rtol=1e-5)
    assert not got[2:].any()  # characters outside the vocabulary, and nothing at all


def test_a_text_is_split_summed_and_normalised(folder: Path) -> None:
    encoder = Encoder.load(folder)
    total = row("rate") + row("limit") + row("er")
    np.testing.assert_allclose(encoder.encode("RateLimiter"), total / np.linalg.norm(total), rtol=1e-5)
    np.testing.assert_array_equal(encoder.encode("RateLimiter"), encoder.encode("rate_limiter"))
    assert not encoder.encode("???").any()


def test_fewer_dimensions_are_the_first_columns(folder: Path) -> None:
    whole, cut = Encoder.load(folder), Encoder.load(folder, dimensions=4)
    assert (whole.dimensions, cut.dimensions) == (8, 4)
    np.testing.assert_array_equal(cut.encode_words(["rate"]), whole.encode_words(["rate"])[:, :4])


TEXTS = st.text(alphabet=st.sampled_from("abcdefghilmnoprstuvyz9é_ RL"), max_size=40)


@pytest.mark.parametrize("dimensions", [None, 4])
@settings(deadline=None)  # the first example pays for loading both models
@given(texts=st.lists(TEXTS, min_size=1, max_size=5))
def test_equals_model2vec(tmp_path_factory: pytest.TempPathFactory, dimensions: int | None, texts: list[str]) -> None:
    from model2vec import StaticModel

    folder = tmp_path_factory.getbasetemp() / "property"
    if not folder.exists():
        write_model(folder)
    theirs = StaticModel.from_pretrained(folder, dimensionality=dimensions)
    ours = Encoder.load(folder, dimensions=dimensions)
    for text in texts:
        split = " ".join(part for word in words(text) for part in split_word(word))
        np.testing.assert_allclose(ours.encode(text), theirs.encode([split])[0], atol=1e-5)


REAL = [
    "def connect_with_retry(self, timeout: float = 3.0) -> Socket: return self._pool.acquire(timeout)",
    "How does authentication work?",
    "HTTPServer2 parseJSON x86_64 naïve Straße 東京 ΑΣ",
    "word " * 3000,
]


@pytest.mark.parametrize("dimensions", [None, 64])
def test_the_embedded_model_equals_model2vec(dimensions: int | None) -> None:
    from model2vec import StaticModel

    theirs = StaticModel.from_pretrained(EMBEDDED, dimensionality=dimensions)
    ours = Encoder.load(EMBEDDED, dimensions=dimensions)
    for text in REAL:
        split = " ".join(part for word in words(normalize(text)) for part in split_word(word))
        np.testing.assert_allclose(ours.encode(text), theirs.encode([split])[0], atol=1e-5)
        assert np.linalg.norm(ours.encode(text)) == pytest.approx(1, abs=1e-5)


def test_reading_the_embedded_model_imports_nothing_heavy() -> None:
    code = (
        "import sys; from pathlib import Path; from codequarry.query.encoder import Encoder; "
        f"assert Encoder.load(Path({str(EMBEDDED)!r})).encode('rate limiter').any(); "
        "print(sorted({'tokenizers', 'model2vec', 'safetensors'} & sys.modules.keys()))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_ENVIRONMENT)
    assert run.stdout.strip() == "[]"


def test_a_foreign_model_goes_through_its_own_tokenizer(tmp_path: Path) -> None:
    from model2vec import StaticModel

    vocabulary = {"[UNK]": 0, "rate": 1, "limit": 2, "##er": 3}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    table = ROWS[:3].astype(np.float16)
    mapping = np.array([0, 1, 2, 2])
    folder = write_model(tmp_path / "m", {"embeddings": table, "mapping": mapping}, tokenizer)
    encoder = Encoder.load(folder)
    np.testing.assert_allclose(encoder.encode_words(["limiter", "zzz"]), [2.0 * table[2], 0.0 * table[0]], rtol=1e-3)
    theirs = StaticModel.from_pretrained(folder, normalize=True).encode(["rate limiter"])[0]
    np.testing.assert_allclose(encoder.encode("rateLimiter"), theirs, atol=1e-3)  # float16 there


def test_the_hash_covers_the_three_files_and_nothing_else(folder: Path) -> None:
    before = Encoder.load(folder).sha256
    assert len(before) == 64
    (folder / "MODEL_CARD.md").write_text("about")
    assert Encoder.load(folder, sha256=before).sha256 == before
    for name in FILES:
        content = (folder / name).read_bytes()
        changed = content.replace(b'"hidden_dim"', b'"hidden_dim" ') if name == "config.json" else content + b" "
        (folder / name).write_bytes(changed)
        with pytest.raises(StoreError, match=f"has hash .*, not {before[:12]}; index again"):
            Encoder.load(folder, sha256=before)
        (folder / name).write_bytes(content)


def _remove(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / name).unlink()


def _replace(name: str, content: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / name).write_bytes(content)

    return change


def _tensors(**tensors: NDArray[Any]) -> Callable[[Path], None]:
    return lambda folder: save_file(tensors, folder / "model.safetensors")


def _model(**values: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        stored = json.loads((folder / "tokenizer.json").read_text())
        stored["model"].update(values)
        (folder / "tokenizer.json").write_text(json.dumps(stored))

    return change


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        *[(_remove(name), f"{name}: the model file cannot be read") for name in FILES],
        (_replace("config.json", b"{"), "config.json: not JSON"),
        (_replace("config.json", b"[]"), "config.json: not a JSON object"),
        (_replace("config.json", b'{"hidden_dim": 9}'), "another width than config.json says"),
        (_replace("tokenizer.json", b"\xff"), "tokenizer.json: not JSON"),
        (_replace("tokenizer.json", b"{}"), "tokenizer.json: not a tokenizer that can be read"),
        (_model(vocab=[["a", "high"]]), "tokenizer.json: not a vocabulary that can be read"),
        (_model(vocab=[]), "tokenizer.json: not a vocabulary that can be read"),
        (_replace("model.safetensors", b""), "model.safetensors: not JSON"),
        (_replace("model.safetensors", b'\x02\0\0\0\0\0\0\0{}'), "no or another width"),
        (_replace("model.safetensors", CUT_SHORT), "model.safetensors: not a token table that can be read"),
        (_tensors(embeddings=ROWS[:5], weights=SCALES), "does not match the 25 tokens"),
        (_tensors(embeddings=ROWS, weights=SCALES[:5]), "does not match the 25 tokens"),
        (_tensors(embeddings=ROWS, mapping=np.full(25, 25)), "does not match the 25 tokens"),
        (_tensors(embeddings=ROWS[0], weights=SCALES), "no or another width"),
        (_tensors(embeddings=ROWS, weights=SCALES * np.float32("nan")), "values that are not numbers"),
    ],
)  # fmt: skip
def test_a_broken_folder_is_one_clear_sentence(folder: Path, damage: Callable[[Path], None], message: str) -> None:
    damage(folder)
    with pytest.raises(StoreError, match=message) as raised:
        Encoder.load(folder)
    assert "\n" not in str(raised.value)
    assert str(folder) in str(raised.value)


@pytest.mark.parametrize("dimensions", [0, 9])
def test_more_dimensions_than_the_table_has_are_refused(folder: Path, dimensions: int) -> None:
    with pytest.raises(StoreError, match=f"has 8 dimensions, {dimensions} are needed; use another model"):
        Encoder.load(folder, dimensions=dimensions)
