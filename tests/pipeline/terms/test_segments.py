"""Cutting text: whose body a byte belongs to."""

from __future__ import annotations

import numpy as np
from codequarry.pipeline.terms.segments import Extents, Segments, cut


def segments(*symbols: tuple[int, int, int, int, int], files: tuple[int, ...] = (0,)) -> list[tuple[int, int]]:
    """Cut symbols given as (start, body, end, parent, file); return (start, owner) of each segment."""
    columns = np.array(symbols, np.int64).reshape(-1, 5).T
    extents = Extents(starts=columns[0], body_starts=columns[1], ends=columns[2], parents=columns[3], files=columns[4])
    found: Segments = cut(extents, np.array(files, np.int64))
    return list(zip(found.starts.tolist(), found.owners.tolist(), strict=True))


def test_a_file_without_symbols_owns_its_text() -> None:
    assert segments() == [(0, 0)]


def test_files_and_symbols_are_numbered_in_order() -> None:
    assert segments((2, 4, 6, -1, 0), (12, 14, 16, -1, 1), files=(0, 10)) == [
        *((0, 0), (4, 1), (6, 0)),
        *((10, 2), (14, 3), (16, 2)),
    ]


def test_the_head_of_an_inner_symbol_belongs_to_its_parent() -> None:
    assert segments((0, 2, 20, -1, 0), (5, 8, 12, 0, 0)) == [(0, 0), (2, 1), (8, 2), (12, 1), (20, 0)]


def test_the_head_of_a_symbol_elsewhere_belongs_to_its_parent_too() -> None:
    assert segments((0, 1, 5, -1, 0), (10, 12, 15, 0, 0)) == [(0, 0), (1, 1), (5, 0), (10, 1), (12, 2), (15, 0)]


def test_a_symbol_in_the_head_of_another() -> None:
    assert segments((0, 10, 20, -1, 0), (2, 4, 6, -1, 0)) == [(0, 0), (2, 1), (4, 2), (6, 0), (10, 1), (20, 0)]


def test_a_symbol_over_the_start_of_a_body_keeps_its_text() -> None:
    assert segments((0, 10, 20, -1, 0), (5, 5, 15, -1, 0)) == [(0, 0), (5, 2), (15, 1), (20, 0)]


def test_overlapping_symbols_end_with_the_outer_one() -> None:
    assert segments((0, 0, 10, -1, 0), (5, 5, 15, -1, 0)) == [(0, 1), (5, 2), (10, 0)]


def test_empty_symbols_and_empty_bodies_own_nothing() -> None:
    assert segments((3, 3, 3, -1, 0), (5, 9, 9, -1, 0)) == [(0, 0)]


def test_a_symbol_that_fills_its_file() -> None:
    assert segments((0, 0, 9, -1, 0), (10, 10, 20, -1, 1), files=(0, 10)) == [(0, 1), (9, 0), (10, 3), (20, 2)]
