"""Blobs become arrays, and blobs that lie are found out."""

from __future__ import annotations

import numpy as np
import pytest
from codequarry.query.readers.blocks import block_rows, join_blocks
from codequarry.query.readers.decode import BadBlobError, gather, planes_of
from codequarry.schemas.tables import BLOCK_ROWS
from hypothesis import given
from hypothesis import strategies as st

FIELDS = 3

postings = st.lists(
    st.dictionaries(st.integers(0, 999), st.tuples(*[st.integers(0, 255)] * FIELDS), max_size=8),
    max_size=6,
)


def blobs(terms: list[dict[int, tuple[int, ...]]]) -> tuple[list[bytes], list[bytes]]:
    deltas, planes = [], []
    for term in terms:
        ids = sorted(term)
        deltas.append(np.diff(np.array(ids, "<i4"), prepend=np.int32(0)).astype("<i4").tobytes())
        planes.append(b"".join(bytes(term[i][field] for i in ids) for field in range(FIELDS)))
    return deltas, planes


@given(postings)
def test_what_was_written_is_read(terms: list[dict[int, tuple[int, ...]]]) -> None:
    found = gather(*blobs(terms), FIELDS, 1000)
    planes = planes_of(found, FIELDS)
    for i, term in enumerate(terms):
        run = slice(*found.starts[i : i + 2])
        assert found.ids[run].tolist() == sorted(term)
        assert list(zip(*(plane[run].tolist() for plane in planes), strict=True)) == [term[j] for j in sorted(term)]


@pytest.mark.parametrize(
    ("deltas", "planes", "problem"),
    [
        ([b"\0\0\0"], [b""], "length"),
        ([b"\1\0\0\0"], [b"\0"], "length"),
        ([b"\1\0\0\0" + b"\0\0\0\0"], [bytes(6)], "rise"),
        ([b"\1\0\0\0" + b"\xff\xff\xff\xff"], [bytes(6)], "rise"),
        ([b"\xff\xff\xff\xff"], [bytes(3)], "rise"),
        ([b"\xe8\3\0\0"], [bytes(3)], "range"),
        ([b"\xff\xff\xff\x7f" * 3], [bytes(9)], "range"),
    ],
)
def test_a_blob_that_lies_is_refused(deltas: list[bytes], planes: list[bytes], problem: str) -> None:
    with pytest.raises(BadBlobError, match=problem):
        gather(deltas, planes, FIELDS, 1000)


def test_blocks_are_joined() -> None:
    total = BLOCK_ROWS + 3
    first, second = np.arange(BLOCK_ROWS, dtype="<i4"), np.arange(3, dtype="<i4")
    rows = block_rows(np.array([0, 1], np.int32), total)
    assert rows.tolist() == [BLOCK_ROWS, 3]
    assert join_blocks([first.tobytes(), second.tobytes()], rows, "<i4").tolist() == [*first.tolist(), 0, 1, 2]
    planes = join_blocks([bytes(2 * BLOCK_ROWS), b"abcxyz"], rows, "u1", 2)
    assert planes.shape == (2, total)
    assert bytes(planes[:, BLOCK_ROWS:].tobytes()) == b"abcxyz"


@pytest.mark.parametrize("blocks", [[2], [-1], [1, 0], [0, 0]])
def test_blocks_that_cannot_be_are_refused(blocks: list[int]) -> None:
    with pytest.raises(BadBlobError, match="outside"):
        block_rows(np.array(blocks, np.int32), BLOCK_ROWS + 3)


def test_a_block_of_another_length_is_refused() -> None:
    with pytest.raises(BadBlobError, match="length"):
        join_blocks([b"\0\0\0"], np.array([1]), "<i4")


def test_no_blocks_give_no_values() -> None:
    empty = np.zeros(0, np.int64)
    assert join_blocks([], empty, "<i4").shape == (0,)
    assert join_blocks([], empty, "u1", 5).shape == (5, 0)
