"""Columns in blocks, and distinct values."""

from __future__ import annotations

import numpy as np
import pytest
from codequarry.query.readers.arrays import distinct
from codequarry.query.readers.blocks import block_rows, by_block, join_blocks
from codequarry.query.readers.decode import BadBlobError
from codequarry.schemas.tables import BLOCK_ROWS
from hypothesis import given
from hypothesis import strategies as st


@given(st.lists(st.integers(-5, 5)))
def test_distinct_values_ascend(values: list[int]) -> None:
    assert distinct(np.array(values, np.int32)).tolist() == sorted(set(values))


def test_blocks_in_any_order_are_joined_in_theirs() -> None:
    total = BLOCK_ROWS + 3
    first, second = bytes(BLOCK_ROWS), bytes((7, 8, 9))
    read = by_block({"block": np.array([1, 0]), "kind": np.array([second, first], object)})
    rows = block_rows(read["block"], total)
    assert rows.tolist() == [BLOCK_ROWS, 3]
    assert join_blocks(read["kind"], rows, "u1")[BLOCK_ROWS - 1 :].tolist() == [0, 7, 8, 9]


@pytest.mark.parametrize("blocks", [[-1], [2], [0, 0]])
def test_a_block_that_cannot_be_is_refused(blocks: list[int]) -> None:
    with pytest.raises(BadBlobError, match="outside the range"):
        block_rows(np.array(blocks), 2 * BLOCK_ROWS)


def test_a_blob_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(BadBlobError, match="wrong length"):
        join_blocks([b"123"], np.array([2]), "u1")
