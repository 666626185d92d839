"""Make the adapted model of a run: the embedded one, its token table fine-tuned, in a folder that model2vec reads too."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...query.encoder import Encoder
from ...schemas.manifest import ModelInfo
from ..encoder import FOLDER
from ..shards import read
from ..vectors import Model
from .examples import TokenCounter, examples, pairs
from .history import Subject
from .training import fine_tune

__all__ = ["NAME", "adapt", "quantise"]

NAME = "adapted"
"""What a manifest calls the model."""


def adapt(sources: Sequence[tuple[Sequence[Path], Sequence[Subject]]], out: Path) -> Model:
    """Fine-tune the embedded model on all repositories together, each the files of its shards and its subjects; write it to `out`."""
    encoder = Encoder.load(FOLDER)
    table = encoder.rows.astype(np.float32) * encoder.scales[:, None]
    found = list(pairs([([read(path) for path in paths], history) for paths, history in sources]))
    table = fine_tune(table, examples(found, TokenCounter(encoder)))
    save(table, out)
    made = Encoder.load(out)
    return Model(info=ModelInfo(name=NAME, sha256=made.sha256, dimensions=made.dimensions), folder=out)


def save(table: NDArray[np.float32], out: Path) -> None:
    """Write the embedded model with another table: int8, and each row's scale as the weight of its token."""
    out.mkdir(parents=True, exist_ok=True)
    for name in ("config.json", "tokenizer.json"):
        shutil.copyfile(FOLDER / name, out / name)
    rows, scales = quantise(table)
    (out / "model.safetensors").write_bytes(_safetensors({"embeddings": rows, "weights": scales.astype("<f4")}))


def quantise(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return int8 rows and the float32 scale of each: table = rows * scales[:, None]."""
    scales = np.maximum(np.abs(table).max(axis=1), np.float32(1e-9)) / np.float32(127)
    return np.rint(table / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def _safetensors(tensors: Mapping[str, NDArray[np.int8] | NDArray[np.float32]]) -> bytes:
    """Return tensors in the safetensors format: the length of a JSON header, the header, the raw arrays."""
    header, at = {}, 0
    for name, tensor in tensors.items():
        kind = "I8" if tensor.dtype == np.int8 else "F32"
        header[name] = {"dtype": kind, "shape": list(tensor.shape), "data_offsets": [at, at + tensor.nbytes]}
        at += tensor.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the arrays begin at a multiple of eight bytes
    return b"".join([len(text).to_bytes(8, "little"), text, *(tensor.tobytes() for tensor in tensors.values())])
