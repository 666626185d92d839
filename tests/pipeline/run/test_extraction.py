"""Losses are cornered: whatever a worker dies of, only that file is set aside, and the order never changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any

import pytest
from codequarry.pipeline.batch import decode
from codequarry.pipeline.extract import Limits
from codequarry.pipeline.pool import WorkerLostError
from codequarry.pipeline.run.batches import Batch, ShardPlan, plan, read
from codequarry.pipeline.run.extraction import Done, Loss, extract_batches
from codequarry.pipeline.run.origins import Item, Origin
from codequarry.pipeline.shards import CutRule, ShardFile
from codequarry.pipeline.sources import Entry
from codequarry.pipeline.worker import FileTask
from hypothesis import given, settings
from hypothesis import strategies as st

CRASH, HANG, FLAKY = b"crash\n", b"hang\n", b"flaky\n"


class Deadly(Executor):
    """Runs tasks in this process, and loses those that hold a deadly file, as a pool of processes would."""

    def __init__(self) -> None:
        self.calls: list[int] = []
        self.pending = self.most_pending = 0
        self._flaked = False

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        tasks: Sequence[Any] = args[0]
        self.calls.append(len(tasks))
        data = [task.data for task in tasks if isinstance(task, FileTask)]
        if CRASH in data:
            future.set_exception(WorkerLostError("parse_failed", "killed by signal 11"))
        elif HANG in data:
            future.set_exception(WorkerLostError("timeout", "over its CPU seconds"))
        elif FLAKY in data and not (len(tasks) == 1 and self._flaked):
            self._flaked = self._flaked or len(tasks) == 1
            future.set_exception(WorkerLostError("timeout", "no answer"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def origin(contents: Sequence[bytes], name: str = "r") -> Origin:
    data = {f"f{i:03d}.py": content for i, content in enumerate(contents)}

    def items(entries: Sequence[Entry]) -> Any:
        for entry in entries:
            file = ShardFile(path=entry.path, size=entry.size, blob=None, vendored=False)
            yield Item(file, FileTask(language="python", basename=entry.path, data=data[entry.path]))

    entries = tuple(Entry(path=path, size=len(content)) for path, content in data.items())
    return Origin(name=name, commit=None, branch=None, dirty=None, entries=entries, limits=Limits(), kept=False, read=items)


def extracted(contents: Sequence[bytes], size: int, window: int = 4) -> tuple[list[Done], Deadly]:
    pool = Deadly()
    batches = read(plan([origin(contents)], CutRule()), size)
    return list(extract_batches(batches, pool, window=window)), pool


def rows(done: Sequence[Done]) -> list[tuple[str, str | None, str | None]]:
    tables = [decode(piece.facts).files for one in done for piece in one.pieces]
    return [
        row for table in tables for row in zip(*(table[c].to_pylist() for c in ("status", "reason", "text")), strict=True)
    ]


def expected(content: bytes) -> tuple[str, str | None, str | None]:
    if content in (CRASH, HANG):
        return "skipped", "parse_failed" if content == CRASH else "timeout", None
    return "indexed", None, content.decode()


@settings(max_examples=60, deadline=None)
@given(
    contents=st.lists(st.sampled_from([b"a = 1\n", b"b = 2\n", b"c = 3\n", CRASH, HANG]), max_size=24),
    size=st.integers(1, 60),
)
def test_only_deadly_files_are_lost_and_the_order_stays(contents: list[bytes], size: int) -> None:
    done, _ = extracted(contents, size)
    assert rows(done) == [expected(content) for content in contents]
    paths = [file.path for one in done for file in one.batch.files]
    assert paths == [f"f{i:03d}.py" for i in range(len(contents))]
    lost = [one.batch.files[loss.position].path for one in done for loss in one.losses]
    assert lost == [path for path, content in zip(paths, contents, strict=True) if content in (CRASH, HANG)]
    for one in done:
        assert sum(len(piece.seconds) for piece in one.pieces) == len(one.batch.files)


def test_a_lost_batch_is_halved_and_the_last_file_tried_once_more() -> None:
    contents = [b"a = 1\n"] * 5 + [CRASH] + [b"b = 2\n"] * 2
    done, pool = extracted(contents, size=1 << 20)
    assert pool.calls == [8, 4, 4, 2, 2, 1, 1, 1]
    assert done[0].losses == (Loss(position=5, reason="parse_failed"),)


def test_a_file_that_works_alone_is_kept() -> None:
    done, _ = extracted([b"a = 1\n", FLAKY, b"b = 2\n"], size=1 << 20)
    assert rows(done)[1] == ("indexed", None, "flaky\n")
    assert done[0].losses == ()


def test_a_batch_without_files_of_its_own_is_no_batch() -> None:
    assert extracted([], size=1)[0] == []


def test_batches_never_cross_shards_and_say_where_one_ends() -> None:
    plans = plan([origin([b"x" * 10] * 7, "a"), origin([b"y" * 10] * 2, "b")], CutRule(at_least=1, at_most=30))
    batches = list(read(plans, size=20))
    assert [(b.shard.origin.name, b.shard.number, len(b.files), b.last) for b in batches] == [
        ("a", 0, 2, False),
        ("a", 0, 1, True),
        ("a", 1, 2, False),
        ("a", 1, 1, True),
        ("a", 2, 1, True),
        ("b", 3, 2, True),
    ]
    assert [plan.size for plan in plans] == [30, 30, 10, 20]


def test_no_more_than_the_window_is_read_ahead() -> None:
    taken: list[int] = []

    def batches() -> Any:
        for i, batch in enumerate(read(plan([origin([b"a = 1\n"] * 10)], CutRule()), 1)):
            taken.append(i)
            yield batch

    stream = extract_batches(batches(), Deadly(), window=3)
    for finished in range(8):
        next(stream)
        assert len(taken) == min(finished + 3, 10)


@pytest.mark.parametrize(
    ("total", "workers", "size"), [(0, 2, 1 << 18), (1 << 30, 2, 1 << 20), (16 << 20, 4, 16 << 20 >> 5)]
)
def test_batches_are_small_where_there_is_little_to_do(total: int, workers: int, size: int) -> None:
    from codequarry.pipeline.run.batches import batch_bytes

    assert batch_bytes(total, workers) == size


def test_a_batch_knows_its_bytes() -> None:
    shard: ShardPlan = plan([origin([b"abc", b"de"])], CutRule())[0]
    batch = next(iter(read([shard], 1 << 20)))
    assert isinstance(batch, Batch)
    assert batch.size == 5
