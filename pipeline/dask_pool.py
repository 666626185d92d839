"""The workers of a Dask cluster behind the `concurrent.futures.Executor` interface of the local pool.

Each Dask worker runs tasks in isolated children of its own (pipeline.pool), so a file that crashes a parser costs what it costs
locally, and the worker lives on. When a worker dies all the same, Dask runs its tasks elsewhere; a task under which workers
die again and again (the scheduler's `allowed-failures`) is lost, and the run halves it until one file is left, as it does locally.
"""

from __future__ import annotations

import atexit
import logging
import re
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import replace
from typing import Any, ParamSpec, TypeVar

from ..schemas.errors import InterruptedRunError, MissingExtraError, UsageError
from .cache import code_digest
from .cache.keys import CODE
from .encoder import FOLDER
from .pool import PoolLimits, WorkerLostError, WorkerPool
from .vectors import Model

__all__ = ["DaskPool"]

P = ParamSpec("P")
T = TypeVar("T")

_ADDRESS = re.compile(r"(?:[a-z]+://)?[^\s/]+:\d+/?")

CONNECT_SECONDS = 10
"""For the first answer of a scheduler."""

WORKER_SECONDS = 60
"""For the first worker to arrive."""


class DaskPool(Executor):
    """Run picklable functions on the workers of a cluster, which must have this very version installed.

    Raises MissingExtraError without Dask, UsageError where no scheduler answers or it has no worker.
    """

    def __init__(self, address: str, limits: PoolLimits) -> None:
        distributed = _distributed()
        if not _ADDRESS.fullmatch(address):
            raise UsageError(f"{address!r} is no address of a Dask scheduler: write it as tcp://HOST:PORT")
        self._limits = limits
        self._address = address
        self._code = code_digest(*CODE)
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ImportError) as error:
            what = str(error).partition("\n")[0] or type(error).__name__
            raise UsageError(
                f"no Dask scheduler answers at {address} ({what}): start one, or index without --scheduler"
            ) from None
        try:
            self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            self.shutdown()
            raise UsageError(
                f"the Dask scheduler at {address} has no worker: start one with `dask worker {address}`"
            ) from None

    @property
    def workers(self) -> int:
        """Return how many tasks the cluster runs at once now, at least 1."""
        threads: dict[str, int] = self._client.nthreads()
        return max(sum(threads.values()), 1)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run `fn` in a child of a worker; the future's exception is fn's own, WorkerLostError or InterruptedRunError."""
        mine: Future[T] = Future()
        theirs = self._client.submit(_isolated, self._code, self._limits, fn, args, kwargs, pure=False)
        theirs.add_done_callback(lambda done: self._settle(done, mine))
        return mine

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster; what still runs there is dropped."""
        self._client.close(timeout=CONNECT_SECONDS)

    def _settle(self, done: Any, mine: Future[T]) -> None:
        try:
            mine.set_result(done.result())
        except BaseException as error:
            mine.set_exception(self._meaning(error))

    def _meaning(self, error: BaseException) -> BaseException:
        """Say by an exception that a run knows what went wrong with the cluster; that of a task itself stays."""
        if type(error).__name__ == "KilledWorker":
            return WorkerLostError("parse_failed", "every worker that took it died")
        if isinstance(error, CancelledError | OSError):
            return InterruptedRunError(
                f"the Dask scheduler at {self._address} is lost: start it and its workers again and run the same command, "
                "which goes on from there"
            )
        return error


_pools: dict[PoolLimits, WorkerPool] = {}
_lock = threading.Lock()


def _isolated(code: str, limits: PoolLimits, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Run a function in a child of this Dask worker, which has as many of them as threads."""
    from distributed import get_worker

    worker = get_worker()
    if code != code_digest(*CODE):
        raise UsageError(f"the Dask worker {worker.name} has another version of codequarry: install the same everywhere")
    own = replace(limits, workers=worker.state.nthreads)
    with _lock:
        if own not in _pools:
            _pools[own] = WorkerPool(own)
            atexit.register(_pools[own].shutdown, cancel_futures=True)
    return _pools[own].submit(fn, *map(_here, args), **kwargs).result()


def _here(value: Any) -> Any:
    """Return an argument as this machine has it: the embedded model lies where the package lies."""
    return replace(value, folder=FOLDER) if isinstance(value, Model) and value.info.name == "embedded" else value


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("--scheduler needs Dask: pip install 'codequarry[index,dask]'") from None
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # a lost scheduler is ours to tell, in one sentence
    return distributed
