"""Turn text into vectors with a static token table, read directly from a model2vec folder.

A word's vector is the sum of its tokens' rows; a text's is the sum over its words, scaled to length one. That is what
model2vec computes (a normalised mean), without importing it: a query pays for numpy and one small JSON file. Unigram
vocabularies without word markers, such as the embedded model's, are segmented here; any other tokenizer is left to the
`tokenizers` library, imported only then.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..schemas.errors import StoreError
from ..schemas.terms import normalize, split_word, words
from .readers.arrays import Array, Places, Singles

__all__ = ["FILES", "Encoder", "content_hash", "model_hash"]

FILES = ("config.json", "model.safetensors", "tokenizer.json")
"""What a model consists of; other files in the folder are not read and not part of its hash."""

_DTYPES = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "I8": np.int8, "I64": np.int64, "I32": np.int32}
_UNKNOWN_PENALTY = 10.0  # below the lowest score, for a character outside the vocabulary: the constant of `tokenizers`

Segment = Callable[[Sequence[str]], list[list[int]]]
"""Turn words into the token ids of each, without the unknown token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoder:
    """A token table and the segmentation of words into its tokens."""

    sha256: str
    """Hash over the names and contents of `FILES`: equal hashes give equal vectors."""
    dimensions: int
    rows: Array
    row_of_token: Places
    scales: Singles
    """What each token's row is multiplied by."""
    segment: Segment

    @classmethod
    def load(cls, folder: Path, *, sha256: str | None = None, dimensions: int | None = None) -> Encoder:
        """Read a model folder; keep the first `dimensions` columns, for models trained to be cut (Matryoshka, PCA).

        Raises StoreError if a file is missing or damaged, the hash is not `sha256`, or the table is too narrow.
        """
        contents = {name: _read(folder / name) for name in FILES}
        actual = content_hash(contents)
        if sha256 is not None and actual != sha256:
            raise StoreError(f"{folder}: the model has hash {actual[:12]}, not {sha256[:12]}; index again to replace it")
        config = _json(folder / "config.json", contents["config.json"])
        tensors = _tensors(folder / "model.safetensors", contents["model.safetensors"])
        tokenizer = _json(folder / "tokenizer.json", contents["tokenizer.json"])
        rows = tensors.get("embeddings", tensors.get("embedding.weight", np.zeros(0)))
        if rows.ndim != 2 or not rows.size or config.get("hidden_dim", rows.shape[1]) != rows.shape[1]:
            raise StoreError(f"{folder}: the token table has no or another width than config.json says; replace the model")
        wanted = rows.shape[1] if dimensions is None else dimensions
        if not 0 < wanted <= rows.shape[1]:
            raise StoreError(f"{folder}: the model has {rows.shape[1]} dimensions, {wanted} are needed; use another model")
        segment, tokens = _segmentation(folder / "tokenizer.json", tokenizer, contents["tokenizer.json"])
        row_of_token = tensors.get("mapping", np.arange(tokens)).astype(np.int64)
        scales = tensors.get("weights", np.ones(tokens)).astype(np.float32)
        fits = len(row_of_token) == len(scales) == tokens and 0 <= row_of_token.min() <= row_of_token.max() < len(rows)
        if not fits or ("mapping" not in tensors and len(rows) != tokens):
            raise StoreError(
                f"{folder}: the token table does not match the {tokens} tokens of tokenizer.json; replace the model"
            )
        if not (np.isfinite(rows).all() and np.isfinite(scales).all()):
            raise StoreError(f"{folder}: the token table holds values that are not numbers; replace the model")
        return cls(
            sha256=actual,
            dimensions=wanted,
            rows=rows[:, :wanted],
            row_of_token=row_of_token,
            scales=scales,
            segment=segment,
        )

    def encode_words(self, words: Sequence[str]) -> Singles:
        """Return the sum of each word's token vectors, shape (words, dimensions), zero where no token is known.

        Words are parts as `codequarry.schemas.terms.split_word` gives them. Sums are not normalised, so that a text's
        vector is word counts times these rows, scaled to length one.
        """
        ids = self.segment(words)
        out = np.zeros((len(ids), self.dimensions), dtype=np.float32)
        known = [i for i, tokens in enumerate(ids) if tokens]
        if known:
            flat = np.fromiter((t for tokens in ids for t in tokens), dtype=np.int64)
            starts = np.cumsum([0, *(len(ids[i]) for i in known[:-1])])
            vectors = self.rows[self.row_of_token[flat]].astype(np.float32) * self.scales[flat, None]
            out[known] = np.add.reduceat(vectors, starts, axis=0)
        return out

    def encode(self, text: str) -> Singles:
        """Return the unit vector of a text, or zeros if none of its words is known."""
        parts = [part for word in words(normalize(text)) for part in split_word(word)]
        total = self.encode_words(parts).sum(axis=0)
        length = float(np.linalg.norm(total))
        if length > 0:
            total /= np.float32(length)
        return cast(Singles, total)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(
            f"{path}: the model file cannot be read ({error.strerror}); index again or name another model"
        ) from error


def content_hash(contents: Mapping[str, bytes]) -> str:
    """Return the hash of a model whose `FILES` have these contents."""
    return model_hash({name: hashlib.sha256(content).hexdigest() for name, content in contents.items()})


def model_hash(digests: Mapping[str, str]) -> str:
    """Return the hash of a model whose `FILES` have these hex SHA-256 digests."""
    lines = (f"{name} {digests[name]}\n" for name in sorted(digests))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _json(path: Path, content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content)
    except ValueError as error:
        raise StoreError(f"{path}: not JSON ({error}); replace the model") from error
    if not isinstance(value, dict):
        raise StoreError(f"{path}: not a JSON object; replace the model")
    return cast("dict[str, Any]", value)


def _tensors(path: Path, content: bytes) -> dict[str, Array]:
    """Read a safetensors file: eight bytes of header length, a JSON header, then the raw little-endian arrays."""
    size = int.from_bytes(content[:8], "little")
    header = _json(path, content[8 : 8 + size])
    found = {}
    try:
        for name, entry in header.items():
            if name == "__metadata__":
                continue
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            dtype = np.dtype(_DTYPES[entry["dtype"]]).newbyteorder("<")
            found[name] = np.frombuffer(content[start:end], dtype=dtype).reshape(entry["shape"])
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"{path}: not a token table that can be read ({error}); replace the model") from error
    return found


def _segmentation(path: Path, tokenizer: dict[str, Any], content: bytes) -> tuple[Segment, int]:
    """Return how words become token ids, and the number of tokens."""
    model = tokenizer.get("model")
    parts = (tokenizer.get("normalizer"), tokenizer.get("pre_tokenizer"), tokenizer.get("post_processor"))
    plain = ({"type": "Lowercase"}, {"type": "WhitespaceSplit"}, None)
    if isinstance(model, dict) and model.get("type") == "Unigram" and parts == plain:
        try:
            return _Unigram(model["vocab"], model["unk_id"]), len(model["vocab"])
        except (KeyError, TypeError, ValueError) as error:
            raise StoreError(f"{path}: not a vocabulary that can be read ({error}); replace the model") from error
    return _library(path, model, content)


class _Unigram:
    """Viterbi segmentation of a word into the pieces of greatest total score, as `tokenizers` does it."""

    def __init__(self, vocabulary: Sequence[tuple[str, float]], unknown: int) -> None:
        self._pieces = {piece: (i, float(score)) for i, (piece, score) in enumerate(vocabulary)}
        self._longest = max(len(piece) for piece in self._pieces)
        self._unknown = (unknown, min(score for _i, score in self._pieces.values()) - _UNKNOWN_PENALTY)

    def __call__(self, words: Sequence[str]) -> list[list[int]]:
        return [self._word(word.lower()) for word in words]

    def _word(self, word: str) -> list[int]:
        size = len(word)
        score = [0.0] + [-np.inf] * size
        start = [0] * (size + 1)
        token = [0] * (size + 1)
        pieces, longest = self._pieces, self._longest
        for i in range(size):
            base = score[i]
            for j in range(i + 1, min(size, i + longest) + 1):
                found = pieces.get(word[i:j])
                if found is None:
                    if j > i + 1:
                        continue
                    found = self._unknown
                if base + found[1] > score[j]:
                    score[j], start[j], token[j] = base + found[1], i, found[0]
        ids = []
        while size:
            if token[size] != self._unknown[0]:
                ids.append(token[size])
            size = start[size]
        return ids[::-1]


def _library(path: Path, model: Any, content: bytes) -> tuple[Segment, int]:
    from tokenizers import Tokenizer  # 29 ms of imports that the embedded model does not need

    try:
        tokenizer = Tokenizer.from_buffer(content)
    except Exception as error:  # the library raises bare Exception for any malformed file
        raise StoreError(f"{path}: not a tokenizer that can be read ({error}); replace the model") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    unknown = model.get("unk_id") if "unk_id" in model else tokenizer.token_to_id(model.get("unk_token") or "")

    def segment(words: Sequence[str]) -> list[list[int]]:
        encodings = tokenizer.encode_batch(list(words), add_special_tokens=False)
        return [[i for i in encoding.ids if i != unknown] for encoding in encodings]

    return segment, tokenizer.get_vocab_size()
