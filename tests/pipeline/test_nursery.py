"""Workers that are forked from a template, where the test process has one thread."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Iterator

import pytest
from codequarry.pipeline.pool import PoolLimits, WorkerPool
from codequarry.schemas.errors import CodequarryError

LIMITS = PoolLimits(workers=2, cpu_seconds=1.0, memory_bytes=400 << 20)


pytestmark = pytest.mark.single


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    with WorkerPool(LIMITS) as pool:
        assert pool.forks
        yield pool


def test_workers_inherit_what_was_prepared(pool: WorkerPool) -> None:
    pool.prepare(sys.setrecursionlimit, 1234)
    pool.prepare(int, "an exception is dropped")
    assert {pool.submit(sys.getrecursionlimit).result() for _ in range(6)} == {1234}
    assert sys.getrecursionlimit() != 1234


def test_where_no_worker_can_start_the_error_says_so(pool: WorkerPool) -> None:
    pool.prepare(os.abort)
    for _ in range(2):
        future = pool.submit(operator.add, 1, 2)
        with pytest.raises(CodequarryError, match="no worker process can be started"):
            future.result()
