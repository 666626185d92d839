"""The benchmark of growth: slopes by value, the memory of a tree of processes, and one small run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ._script import script

growth = script("bench/growth")


def test_a_slope_is_the_power_of_growth() -> None:
    assert growth.slope([1000, 10_000, 100_000], [3.0, 3.0 * 10**0.5, 30.0]) == pytest.approx(0.5)
    assert growth.slope([10, 100], [7.0, 7.0]) == pytest.approx(0)


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_all_processes_of_a_tree_are_watched() -> None:
    held = "x = bytearray(b'x') * 40_000_000"
    code = f"import subprocess, sys; {held}; subprocess.run([sys.executable, '-c', {held + '; input()'!r}])"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    with growth.Watch(process.pid) as watch:
        while watch.together < 80:
            assert process.poll() is None
        process.communicate(b"\n")
    assert 40 < watch.biggest < watch.together
    assert growth.resident(process.pid) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_small_monorepo_is_measured(tmp_path: Path) -> None:
    run = growth.measure("local", 40, tmp_path, ("--jobs", "1"), queries=5, searches=1)
    assert (run.executor, run.files) == ("local", 40)
    assert 200 < run.symbols < 400
    assert run.cpu > 0.1
    assert 30 < run.biggest <= run.together
    assert 0.1 < run.store < 1
    lines = list(growth.table([run]))
    assert lines[0].count("|") == lines[1].count("|") == lines[2].count("|") == 12
    assert lines[2].startswith(f"| local | 40 | {run.symbols} | ")
