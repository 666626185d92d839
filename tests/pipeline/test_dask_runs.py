"""Index runs on a cluster that loses a worker or its scheduler under them: the same snapshot in the end."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from distributed import Client

from ._cluster import Cluster
from .commands._index import command, environment, snapshot_digests, write

FILES = {
    f"d{number}/m{number}.py": f"from d{number // 2} import m{number // 2}\n\n\ndef load_{number}():\n    return m{number // 2}.x\n"
    * 9
    for number in range(1, 400)
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("tree") / "tree", FILES)


@pytest.fixture(scope="module")
def expected(tree: Path) -> dict[str, bytes]:
    """The snapshot of a run on this machine."""
    folder = tree.parent
    done = subprocess.run(
        command("tree", "--out", "local", "--cache", "local-cache", "--quiet"), cwd=folder, env=environment(), check=False
    )
    assert done.returncode == 0
    return snapshot_digests(folder / "local")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Callable[[], Cluster]]:
    """Start clusters that end with the test."""
    running: list[Cluster] = []

    def start() -> Cluster:
        folder = tmp_path / f"cluster{len(running)}"
        folder.mkdir()
        running.append(Cluster(folder))
        return running[-1]

    yield start
    for one in running:
        one.close()


def _begun(cluster: Cluster, tree: Path) -> subprocess.Popen[str]:
    """Start a run and wait until workers have batches of it; the first takes each of them a second, for all that it imports."""
    store = f"store-{cluster.address.rpartition(':')[2]}"
    argv = command("tree", "--out", store, "--cache", f"{store}-cache", "--quiet", "--scheduler", cluster.address)
    run = subprocess.Popen(
        argv, cwd=tree.parent, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    with Client(cluster.address, set_as_default=False) as client:  # type: ignore[no-untyped-call]  # it has no types
        while not any(client.processing().values()):
            assert run.poll() is None
            time.sleep(0.01)
    return run


def test_a_worker_that_dies_under_a_run_changes_nothing(
    cluster: Callable[[], Cluster], tree: Path, expected: dict[str, bytes]
) -> None:
    one = cluster()
    run = _begun(one, tree)
    one.kill_worker(0)
    _, said = run.communicate(timeout=120)
    assert run.returncode == 0, said
    assert snapshot_digests(tree.parent / f"store-{one.address.rpartition(':')[2]}") == expected


def test_a_run_whose_scheduler_dies_goes_on_later(
    cluster: Callable[[], Cluster], tree: Path, expected: dict[str, bytes]
) -> None:
    one = cluster()
    run = _begun(one, tree)
    one.scheduler.kill()
    _, said = run.communicate(timeout=120)
    assert run.returncode == 75, said
    assert said.count("\n") == 1
    assert f"the Dask scheduler at {one.address} is lost: start it and its workers again" in said
    store = f"store-{one.address.rpartition(':')[2]}"
    assert not (tree.parent / store / ".staging").exists()
    argv = command("tree", "--out", store, "--cache", f"{store}-cache", "--quiet", "--scheduler", cluster().address)
    again = subprocess.run(argv, cwd=tree.parent, env=environment(), check=False)
    assert again.returncode == 0
    assert snapshot_digests(tree.parent / store) == expected
