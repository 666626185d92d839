"""What a memory limit buys, and that it decides nothing but that."""

from __future__ import annotations

import pytest
from codequarry.pipeline.run.memory import LEAST, Memory, default_memory
from codequarry.pipeline.shards import CutRule
from codequarry.schemas.errors import UsageError
from hypothesis import given
from hypothesis import strategies as st

LIMITS = st.integers(LEAST, 64 * 10**9)


def test_the_least_is_one_worker_with_a_batch_that_waits_and_the_smallest_shards() -> None:
    memory = Memory(limit=LEAST)
    assert (memory.jobs(8), memory.ahead(1, 1)) == (1, 2)
    assert memory.cut(CutRule(), 1, 1) == CutRule(at_least=1 << 19, at_most=1 << 21)
    assert memory.linking == 281_165_824


def test_two_gigabytes_are_enough_for_what_two_workers_do_without_a_limit() -> None:
    memory = Memory(limit=2 * 10**9)
    assert (memory.jobs(2), memory.ahead(2, 2)) == (2, 8)
    assert memory.cut(CutRule(), 2, 2) == CutRule()


def test_workers_elsewhere_cost_only_their_batches() -> None:
    memory = Memory(limit=10**9)
    assert memory.ahead(64, 0) == 81
    assert memory.cut(CutRule(), 64, 0).at_most == (10**9 - 320_000_000 - 81 * 8_000_000) // 12


@given(LIMITS, st.integers(1, 64))
def test_parts_are_within_the_limit(limit: int, wanted: int) -> None:
    memory = Memory(limit=limit)
    jobs = memory.jobs(wanted)
    assert 1 <= jobs <= wanted
    cut = memory.cut(CutRule(), jobs, jobs)
    assert 320_000_000 + jobs * 240_000_000 + memory.ahead(jobs, jobs) * 8_000_000 + 12 * cut.at_most <= limit
    assert cut.at_least <= cut.at_most


@given(LIMITS, st.integers(1, 64))
def test_more_memory_never_buys_less(limit: int, wanted: int) -> None:
    less, more = Memory(limit=limit), Memory(limit=limit + 10**8)
    assert less.jobs(wanted) <= more.jobs(wanted)
    assert less.linking < more.linking


def test_too_little_is_one_sentence() -> None:
    with pytest.raises(UsageError, match=r"a run cannot work within 100\.0 MB: give --memory-limit at least 601\.2 MB"):
        Memory(limit=10**8)


def test_without_a_limit_a_part_of_the_machine_is_taken() -> None:
    assert default_memory().limit >= LEAST
