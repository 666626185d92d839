"""Send batches to workers and take their facts back in order; corner what a worker dies of, and lose nothing else.

The result depends on the files alone, not on how they were batched, which worker took them or which was ready first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass

from ..pool import WorkerLostError
from ..vectors import NO_MODEL, Model
from ..worker import Extracted, Task, extract, row_only
from .batches import Batch

__all__ = ["Done", "Loss", "extract_batches"]


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


def extract_batches(batches: Iterable[Batch], pool: Executor, model: Model = NO_MODEL, *, window: int) -> Iterator[Done]:
    """Yield every batch with its facts, in order; at most `window` batches are held, so memory is bounded."""
    waiting: deque[_Waiting] = deque()
    for batch in batches:
        waiting.append(_Waiting(batch, pool, model))
        if len(waiting) >= window:
            yield waiting.popleft().done()
    while waiting:
        yield waiting.popleft().done()


class _Waiting:
    """A batch that workers have; `done` waits for it."""

    def __init__(self, batch: Batch, pool: Executor, model: Model) -> None:
        self._batch = batch
        self._pool = pool
        self._model = model
        self._losses: list[Loss] = []
        self._future = self._submit(batch.tasks)

    def done(self) -> Done:
        pieces = tuple(self._pieces(self._batch.tasks, 0, self._future))
        return Done(batch=self._batch, pieces=pieces, losses=tuple(self._losses))

    def _submit(self, tasks: Sequence[Task]) -> Future[Extracted]:
        return self._pool.submit(extract, tasks, self._batch.shard.origin.limits, self._model)

    def _pieces(self, tasks: Sequence[Task], first: int, future: Future[Extracted]) -> Iterator[Extracted]:
        """Yield the facts of `tasks`, the batch's from `first` on; lost ones are halved until one file is left."""
        try:
            yield future.result()
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
            return self._submit([task]).result()
        except WorkerLostError as again:
            # A crash outweighs a clock, so that the reason does not depend on which came last.
            reason = min(loss.reason, again.reason)
        self._losses.append(Loss(position=position, reason=reason))
        return self._submit([row_only(task.language, reason)]).result()
