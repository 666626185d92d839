"""Lines that matter, within a number of characters."""

from __future__ import annotations

import re

from codequarry.query.context.excerpts import GAP, excerpt
from codequarry.query.context.values import Block
from hypothesis import given
from hypothesis import strategies as st

LINES = ["def f():", "    one = 1", "", "    two = 2", "    three = 3", "    needle = 4", "    five = 5", "    six = 6", ""]
LONG = [*LINES[:2], *["    more = 1"] * 19, *LINES[4:7], "    last = 1"]
NEEDLE = re.compile("needle")


def length(blocks: tuple[Block, ...]) -> int:
    gaps = sum(len(GAP.format(block.start)) + 1 for block in blocks[1:])
    return sum(len(line) + 1 for block in blocks for line in block.lines) + gaps


def test_what_fits_is_shown_whole_but_for_blank_lines_at_its_ends() -> None:
    assert excerpt(LINES, 1, 9, 1000, NEEDLE) == (Block(start=1, lines=tuple(LINES[:8])),)
    assert excerpt(LINES, 3, 4, 1000, None) == (Block(start=4, lines=("    two = 2",)),)


def test_else_the_first_lines_and_those_that_match_with_a_line_around() -> None:
    found = excerpt(LONG, 1, 25, 82, NEEDLE)
    assert found == (Block(start=1, lines=tuple(LONG[:2])), Block(start=22, lines=tuple(LONG[21:24])))
    assert found[1].end == 24


def test_room_that_is_left_goes_to_what_follows_the_first_lines() -> None:
    found = excerpt(LONG, 1, 25, 110, NEEDLE)
    assert found == (Block(start=1, lines=tuple(LONG[:4])), Block(start=22, lines=tuple(LONG[21:24])))


def test_without_a_match_the_first_lines_are_taken() -> None:
    assert excerpt(LINES, 1, 9, 40, None) == (Block(start=1, lines=tuple(LINES[:4])),)


def test_lines_in_focus_come_before_matches() -> None:
    assert excerpt(LINES, 1, 9, 50, NEEDLE, [8])[-1] == Block(start=8, lines=(LINES[7],))


def test_only_lines_in_focus() -> None:
    assert excerpt(LINES, 1, 9, 1000, NEEDLE, [4], only_focus=True) == (Block(start=4, lines=tuple(LINES[3:5])),)
    assert excerpt(LINES, 1, 9, 15, NEEDLE, [4], only_focus=True) == (Block(start=4, lines=("    two = 2",)),)


def test_hidden_lines_are_never_shown() -> None:
    found = excerpt(LINES, 1, 9, 1000, NEEDLE, hidden={1, 2, 6})
    assert found == (Block(start=4, lines=tuple(LINES[3:5])), Block(start=7, lines=tuple(LINES[6:8])))


def test_nothing_where_nothing_fits_or_is_there() -> None:
    assert excerpt(LINES, 1, 9, 3, NEEDLE) == ()
    assert excerpt([], 1, 4, 100, NEEDLE) == ()
    assert excerpt(["", " "], 1, 2, 100, NEEDLE) == ()


def test_long_lines_are_cut_and_carriage_returns_left_out() -> None:
    assert excerpt(["x" * 5000 + "\r", "y\r"], 1, 2, 1000, None) == (Block(start=1, lines=("x" * 400, "y")),)


@given(
    st.lists(st.text(alphabet="ab \tn", max_size=30), max_size=40),
    st.integers(0, 300),
    st.sets(st.integers(1, 40)),
    st.booleans(),
)
def test_an_excerpt_holds_exact_lines_in_order_and_is_never_longer_than_its_room(
    lines: list[str], room: int, focus: set[int], only_focus: bool
) -> None:
    found = excerpt(lines, 1, len(lines), room, re.compile("ab"), focus, only_focus=only_focus, hidden={3})
    assert length(found) <= room
    numbers = [n for block in found for n in range(block.start, block.end + 1)]
    assert numbers == sorted(set(numbers))
    assert 3 not in numbers
    assert all(line == lines[block.start - 1 + i] for block in found for i, line in enumerate(block.lines))
