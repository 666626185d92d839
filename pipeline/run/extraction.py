"""Send batches to workers and take their facts back in order; corner what a worker dies of, and lose nothing else.

The result depends on the files alone, not on how they were batched, which worker took them or which was ready first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass

from ..pool import WorkerLostError
from ..receipts import Parts, Receipt, extract_into, taken
from ..vectors import NO_MODEL, Model
from ..worker import Extracted, FileTask, Task, extract, row_only
from .batches import Batch
from .stopping import Stop

__all__ = ["Done", "Loss", "extract_batches"]

_Found = Future[Extracted] | Future[Receipt | Extracted]

_PAUSE = 1.0
"""Seconds between two looks at whether the run is asked to stop, while a worker is busy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A file that no worker survived: its position in the batch and the reason."""

    position: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A batch with its facts, in the order of its files, cut into one or more pieces."""

    batch: Batch
    pieces: tuple[Extracted, ...]
    losses: tuple[Loss, ...]


def extract_batches(
    batches: Iterable[Batch],
    pool: Executor,
    model: Model = NO_MODEL,
    *,
    window: int,
    parts: Parts | None = None,
    stop: Stop | None = None,
) -> Iterator[Done]:
    """Yield every batch with its facts, in order; at most `window` batches are held, so memory is bounded.

    Workers leave the facts among the `parts`, where they see them, and give a receipt.
    Once a stop is requested no more are begun; those that workers have are yielded, then InterruptedRunError is raised.
    """
    stop = stop or Stop()
    waiting: deque[_Waiting] = deque()
    for batch in batches:
        if stop.requested:
            break
        waiting.append(_Waiting(batch, pool, model, parts, stop))
        if len(waiting) >= window:
            yield waiting.popleft().done()
    while waiting and not (stop.requested and waiting[0].cancel()):
        yield waiting.popleft().done()
    if stop.requested:
        stop.now()


class _Waiting:
    """A batch that workers have; `done` waits for it."""

    def __init__(self, batch: Batch, pool: Executor, model: Model, parts: Parts | None, stop: Stop) -> None:
        self._batch = batch
        self._pool = pool
        self._model = model
        self._parts = parts
        self._stop = stop
        self._losses: list[Loss] = []
        self._future = self._submit(batch.tasks)

    def cancel(self) -> bool:
        """Take the batch back if no worker has begun it."""
        return self._future.cancel()

    def done(self) -> Done:
        pieces = tuple(self._pieces(self._batch.tasks, 0, self._future)) if self._batch.tasks else ()
        return Done(batch=self._batch, pieces=pieces, losses=tuple(self._losses))

    def _submit(self, tasks: Sequence[Task]) -> _Found:
        limits = self._batch.shard.origin.limits
        if any(isinstance(task, FileTask) for task in tasks):
            if self._parts is not None:
                return self._pool.submit(extract_into, self._parts, tasks, limits, self._model)
            return self._pool.submit(extract, tasks, limits, self._model)
        here: _Found = Future()  # nothing is parsed, so no worker is needed
        if tasks:
            here.set_result(extract(tasks, limits, self._model))
        return here

    def _result(self, future: _Found) -> Extracted:
        found = self._waited(future)
        if isinstance(found, Extracted):
            return found
        assert self._parts is not None
        return taken(self._parts, found)

    def _waited(self, future: _Found) -> Extracted | Receipt:
        while True:
            try:
                return future.result(timeout=_PAUSE)
            except TimeoutError:
                if future.done():  # meanwhile, or by an error of that name
                    return future.result()
                if self._stop.overdue:
                    self._stop.now()

    def _pieces(self, tasks: Sequence[Task], first: int, future: _Found) -> Iterator[Extracted]:
        """Yield the facts of `tasks`, the batch's from `first` on; lost ones are halved until one file is left."""
        try:
            yield self._result(future)
        except WorkerLostError as loss:
            if len(tasks) == 1:
                yield self._alone(tasks[0], first, loss)
                return
            middle = len(tasks) // 2
            left, right = tasks[:middle], tasks[middle:]
            started = [(left, first, self._submit(left)), (right, first + middle, self._submit(right))]
            for half, start, again in started:
                yield from self._pieces(half, start, again)

    def _alone(self, task: Task, position: int, loss: WorkerLostError) -> Extracted:
        """Try a file once more by itself; then set it aside."""
        try:
            return self._result(self._submit([task]))
        except WorkerLostError as again:
            # A crash outweighs a clock, so that the reason does not depend on which came last.
            reason = min(loss.reason, again.reason)
        self._losses.append(Loss(position=position, reason=reason))
        return self._result(self._submit([row_only(task.language, reason)]))
