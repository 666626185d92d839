"""The table of vectors: what is read back is what the fields and the path give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.merge import vectors
from codequarry.pipeline.vectors import choose_model, field_vectors, path_vectors
from codequarry.schemas.tables import SCALE_UNIT

from ..made import file
from .built import SHOP, Built, build, facts

MODEL = choose_model("auto")


def built(folder: Path, files: Mapping[str, FileFacts], bounds: Sequence[int] = ()) -> Built:
    return build(folder, {"r": files}, bounds, model=MODEL)


def read(snapshot: Built) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    rows = snapshot.rows("vectors")
    assert [row["block"] for row in rows] == list(range(len(rows)))
    scales = np.concatenate([np.frombuffer(row["scales"], "<u2") for row in rows])
    codes = np.concatenate([np.frombuffer(row["vectors"], "i1").reshape(-1, MODEL.info.dimensions) for row in rows])
    return codes.astype(np.float32) * (scales * np.float32(SCALE_UNIT))[:, None]


def test_vectors_by_value(tmp_path: Path) -> None:
    files = facts(SHOP)
    found = read(built(tmp_path / "s", files))
    made = MODEL.vectorizer
    assert made is not None
    expected = field_vectors(list(files.values()), made).astype(np.float32)
    paths = path_vectors(list(files), made)
    row = 0
    for i, own in enumerate(files.values()):
        expected[row] += paths[i]
        expected[row + 1 : row + 1 + len(own.symbols)] += 0.3 * paths[i]
        row += 1 + len(own.symbols)
    expected /= np.linalg.norm(expected, axis=1)[:, None]
    assert len(found) == row
    assert found == pytest.approx(expected, abs=0.004)
    assert np.einsum("ij,ij->i", found, expected).min() > 0.9995


def test_blocks_and_cuts_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = facts(SHOP)
    whole = built(tmp_path / "whole", files)
    assert built(tmp_path / "parts", files, [1, 2]).digests() == whole.digests()
    monkeypatch.setattr(vectors, "_ROWS", 2)
    assert built(tmp_path / "small", files).digests() == whole.digests()
    monkeypatch.setattr(vectors, "BLOCK_ROWS", 3)
    assert np.array_equal(read(built(tmp_path / "blocks", files)), read(whole))


def test_a_file_without_text_has_only_its_path(tmp_path: Path) -> None:
    skipped = file(None)
    found = read(built(tmp_path / "s", {"http/server.bin": skipped, "漢": skipped}))
    assert MODEL.vectorizer is not None
    path = path_vectors(["http/server.bin"], MODEL.vectorizer)[0]
    assert found[0] == pytest.approx(path, abs=0.004)
    assert not found[1].any()


def test_without_a_model_there_is_no_table(tmp_path: Path) -> None:
    merged = build(tmp_path / "s", {"r": facts(SHOP)}).merged
    assert "vectors" not in merged.tables
