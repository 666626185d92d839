"""Extraction on a Dask cluster of real processes: a scheduler and two workers on 127.0.0.1."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from codequarry.pipeline.dask_pool import DaskPool
from codequarry.pipeline.pool import PoolLimits, WorkerLostError
from codequarry.schemas.errors import InterruptedRunError, UsageError

from ._cluster import Cluster

LIMITS = PoolLimits(workers=1, cpu_seconds=5.0, memory_bytes=400 << 20)
INDEX = (sys.executable, "-P", "-c", "from codequarry.query.cli import main; main()", "index")
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def pool(cluster: Cluster) -> Iterator[DaskPool]:
    with DaskPool(cluster.address, LIMITS) as pool:
        yield pool


@pytest.fixture
def index(tmp_path: Path) -> Run:
    """Index a small tree into a store by name."""
    tree = tmp_path / "tree"
    for number in range(6):
        (tree / f"d{number}").mkdir(parents=True)
        (tree / f"d{number}" / "a.py").write_text(f'def load_{number}():\n    """Load it."""\n    return {number}\n')
        (tree / f"d{number}" / "b.ts").write_text(f"export class Box{number} {{ open() {{ return {number} }} }}\n")
    (tree / "README.md").write_text("# Tree\n\n[a](d0/a.py)\n")

    def run(store: str, *options: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = [*INDEX, str(tree), "--out", str(tmp_path / store), "--cache", str(tmp_path / f"{store}.cache"), *options]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **more})

    return run


def _snapshot(tmp_path: Path, store: str) -> dict[str, bytes]:
    folder = tmp_path / store / "snapshots"
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_snapshot_is_the_same_as_a_local_one(cluster: Cluster, index: Run, tmp_path: Path) -> None:
    local, there = index("local"), index("dask", "--executor", "dask", DASK_SCHEDULER_ADDRESS=cluster.address)
    assert (local.returncode, there.returncode) == (0, 0), there.stderr
    assert _snapshot(tmp_path, "local") == _snapshot(tmp_path, "dask") != {}


def test_a_task_has_a_child_of_its_own(pool: DaskPool) -> None:
    assert pool.workers == 2
    assert pool.submit(operator.add, 1, 2).result() == 3
    with pytest.raises(ValueError, match="invalid literal"):
        pool.submit(int, "x").result()
    with pytest.raises(WorkerLostError, match="parse_failed: killed by signal 6"):
        pool.submit(os.abort).result()
    with pytest.raises(WorkerLostError, match="out of memory"):
        pool.submit(bytes, 2 << 30).result()


def _kill_the_worker(unless: Path) -> str:
    """Return code that kills the Dask worker around it, once."""
    seen = f"os.path.exists({str(unless)!r})"
    return (
        f"[7 if {seen} else (open({str(unless)!r}, 'w').close(), os.kill(os.getppid(), 9)) for os in [__import__('os')]][0]"
    )


def test_a_task_survives_its_worker(pool: DaskPool, tmp_path: Path) -> None:
    others = [pool.submit(operator.mul, n, n) for n in range(20)]
    assert pool.submit(eval, _kill_the_worker(tmp_path / "once")).result() == 7
    assert [other.result() for other in others] == [n * n for n in range(20)]


def test_a_task_that_kills_every_worker_is_lost(pool: DaskPool) -> None:
    with pytest.raises(WorkerLostError, match="every worker that took it died"):
        pool.submit(eval, "[os.kill(os.getppid(), 9) for os in [__import__('os')]]").result()
    assert pool.submit(operator.add, 1, 2).result() == 3


def test_another_version_is_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codequarry.pipeline.dask_pool.code_digest", lambda *_: "another")
    with (
        DaskPool(cluster.address, LIMITS) as pool,
        pytest.raises(UsageError, match=r"w[01] has another version of codequarry"),
    ):
        pool.submit(operator.add, 1, 2).result()


def test_a_lost_scheduler_ends_a_run_that_can_go_on(tmp_path: Path) -> None:
    own = Cluster(tmp_path)
    try:
        with DaskPool(own.address, LIMITS) as pool:
            waiting = pool.submit(eval, "__import__('time').sleep(60)")
            own.scheduler.kill()
            with pytest.raises(InterruptedRunError, match="is lost: start it and its workers again"):
                waiting.result(timeout=60)
    finally:
        own.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--scheduler", "somewhere"), "'somewhere' is no address of a Dask scheduler: write it as tcp://HOST:PORT"),
        (("--executor", "dask"), "--executor dask needs --scheduler ADDRESS, or $DASK_SCHEDULER_ADDRESS"),
        (("--executor", "local", "--scheduler", "tcp://h:1"), "--executor local uses no scheduler"),
    ],
)
def test_bad_requests_say_what_to_do(index: Run, tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    ran = index("dask", *options)
    assert ran.returncode == 2
    assert message in ran.stderr
    assert "Traceback" not in ran.stderr
    assert not _snapshot(tmp_path, "dask")


def test_where_nothing_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codequarry.pipeline.dask_pool.CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9 \(.*\): start one"):
        DaskPool("tcp://127.0.0.1:9", LIMITS)


def test_without_dask_its_extra_is_named(index: Run, tmp_path: Path) -> None:
    (tmp_path / "stub").mkdir()
    (tmp_path / "stub" / "distributed.py").write_text("raise ImportError('no')\n")
    path = os.pathsep.join(filter(None, [str(tmp_path / "stub"), os.environ.get("PYTHONPATH", "")]))
    ran = index("dask", "--scheduler", "tcp://127.0.0.1:9", PYTHONPATH=path)
    assert ran.returncode == 2
    assert "--scheduler needs Dask: pip install 'codequarry[index,dask]'" in ran.stderr


def test_a_scheduler_without_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Client:
        def __init__(self, *_: Any, **__: Any) -> None: ...

        def wait_for_workers(self, *_: Any, **__: Any) -> None:
            raise TimeoutError

        def close(self, **_: Any) -> None: ...

    monkeypatch.setattr("distributed.Client", Client)
    with pytest.raises(UsageError, match="has no worker: start one with `dask worker tcp://h:1`"):
        DaskPool("tcp://h:1", LIMITS)
