"""Tests of the pool with real child processes that really crash, hang and swell."""

from __future__ import annotations

import operator
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from pathlib import Path
from typing import Any

import pytest
from codequarry.pipeline.pool import PoolLimits, WorkerLostError, WorkerPool

LIMITS = PoolLimits(workers=2, cpu_seconds=1.0, memory_bytes=400 << 20)


@pytest.fixture(scope="module", params=[pytest.param("template", marks=pytest.mark.single), "interpreters"])
def pool(request: pytest.FixtureRequest) -> Iterator[WorkerPool]:
    """Both ways to start children; a process with a second thread must not fork."""
    stop = threading.Event()
    second = threading.Thread(target=stop.wait, daemon=True)
    if request.param == "interpreters":
        second.start()
    with WorkerPool(LIMITS) as pool:
        assert pool.forks is (request.param == "template")
        yield pool
    stop.set()
    if second.is_alive():
        second.join()


def lost(future: Future[Any]) -> str:
    with pytest.raises(WorkerLostError) as caught:
        future.result(timeout=60)
    return caught.value.reason


def test_it_is_an_executor_that_runs_in_other_processes(pool: WorkerPool) -> None:
    assert isinstance(pool, Executor)
    assert pool.submit(operator.add, 1, 2).result() == 3
    assert list(pool.map(operator.neg, range(20))) == [-n for n in range(20)]
    assert pool.submit(os.getpid).result() != os.getpid()


def test_an_exception_of_the_function_is_its_own(pool: WorkerPool) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        pool.submit(int, "x").result()


@pytest.mark.parametrize(
    ("function", "arguments", "reason"),
    [
        pytest.param(os.abort, (), "parse_failed", id="crash"),
        pytest.param(sys.exit, (3,), "parse_failed", id="exit"),
        pytest.param(bytes, (2 << 30,), "parse_failed", id="memory"),
        pytest.param(sum, (range(10**12),), "timeout", id="native-loop"),
    ],
)
def test_a_lost_worker_costs_its_task_alone(
    pool: WorkerPool, function: Callable[..., Any], arguments: tuple[Any, ...], reason: str
) -> None:
    before = [pool.submit(operator.add, n, 1) for n in range(10)]
    bad = pool.submit(function, *arguments)
    after = [pool.submit(operator.add, n, 2) for n in range(10)]
    assert lost(bad) == reason
    assert [f.result() for f in before + after] == [n + 1 for n in range(10)] + [n + 2 for n in range(10)]


def test_many_crashes_among_many_tasks_are_told_apart(pool: WorkerPool) -> None:
    futures = [(n, pool.submit(os.abort) if n % 2 else pool.submit(operator.add, n, 0)) for n in range(60)]
    assert [lost(f) if n % 2 else f.result() for n, f in futures] == ["parse_failed" if n % 2 else n for n in range(60)]


def test_a_blocked_worker_is_ended_by_the_clock() -> None:
    limits = PoolLimits(workers=1, cpu_seconds=0.05, memory_bytes=400 << 20)
    with WorkerPool(limits) as pool:
        assert lost(pool.submit(time.sleep, 1000)) == "timeout"


def test_an_error_inside_with_stops_what_is_under_way() -> None:
    running: list[Future[None]] = []

    def fail_with_work_under_way(pool: WorkerPool) -> None:
        with pool:
            running.extend(pool.submit(time.sleep, 1000) for _ in range(4))
            raise KeyError

    pool = WorkerPool(LIMITS)
    with pytest.raises(KeyError):
        fail_with_work_under_way(pool)
    assert all(f.cancelled() or isinstance(f.exception(), CancelledError) for f in running)
    with pytest.raises(RuntimeError, match="shutdown"):
        pool.submit(operator.add, 1, 2)


PROGRAM = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background of a shell ignores it
from codequarry.pipeline.pool import PoolLimits, WorkerPool
with WorkerPool(PoolLimits(workers=2, cpu_seconds=2.0, memory_bytes=400 << 20)) as pool:
    import os
    pids = [pool.submit(os.getpid).result() for _ in range(4)]
    print(*{*pids}, flush=True)
    pool.submit(time.sleep, 1000)
    pool.submit(sum, range(10**12))
    time.sleep(1000)
"""


def start_program(folder: Path) -> tuple[subprocess.Popen[str], list[int]]:
    run = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, cwd=folder, start_new_session=True
    )
    assert run.stdout is not None
    return run, [int(pid) for pid in run.stdout.readline().split()]


def gone(pids: list[int], seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(Path(f"/proc/{pid}").exists() for pid in pids):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_children_end_with_their_parent(tmp_path: Path, how: signal.Signals) -> None:
    run, pids = start_program(tmp_path)
    time.sleep(0.3)
    os.kill(run.pid, how)
    try:
        run.communicate(timeout=60)
    finally:
        run.kill()
        run.communicate()
    assert pids
    assert gone(pids)


def test_modules_of_the_current_folder_never_run(tmp_path: Path) -> None:
    for name in ("numpy", "pickle", "selectors", "signal", "socket", "struct", "threading"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\nraise SystemExit\n")
    program = PROGRAM.split("    pool.submit(time.sleep")[0]
    run = subprocess.run([sys.executable, "-P", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert not (tmp_path / "ran").exists()


def test_a_script_without_a_main_guard_is_not_run_again(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"print('once')\n{PROGRAM.split('    pool.submit(time.sleep')[0]}")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert run.stdout.count("once") == 1


def test_a_fresh_interpreter_takes_one_task() -> None:
    limits = PoolLimits(workers=1, cpu_seconds=20, memory_bytes=400 << 20, fresh=True)
    with WorkerPool(limits) as pool:
        assert not pool.forks
        seen = [pool.submit(os.getpid).result() for _ in range(2)]
        with pytest.raises(ValueError, match="invalid literal"):
            pool.submit(int, "x").result()
    assert len({os.getpid(), *seen}) == 3


def test_what_arrow_reserves_does_not_count_against_the_limit() -> None:
    limits = PoolLimits(workers=1, cpu_seconds=20, memory_bytes=1300 << 20, fresh=True)
    with WorkerPool(limits) as pool:
        held = "(__import__('pyarrow').allocate_buffer(1), len(bytes(600 << 20)))[1]"
        assert pool.submit(eval, held).result() == 600 << 20
