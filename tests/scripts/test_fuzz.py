"""The fuzz script: the same inputs for the same seed, a clean run of a few of them, and findings where a worker dies."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from typing import Any

import pytest

pytest.importorskip("tree_sitter_language_pack", reason="the extra [index] is not installed")

from codequarry.pipeline.extract import Limits
from codequarry.pipeline.languages import LANGUAGES
from codequarry.pipeline.pool import WorkerPool
from codequarry.pipeline.worker import FileTask

from ._script import SCRIPTS, script

fuzz = script("fuzz")
SEEDS = fuzz.read_seeds([])


class Deadly(FileTask):
    """A file on which a worker dies for sure: reading it off the channel ends the process."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (9,)


def test_every_language_that_is_read_has_files_to_start_from() -> None:
    assert set(SEEDS) == {name for name, row in LANGUAGES.items() if row.grammar is not None or row.scan or row.embed}


def test_inputs_depend_on_the_seed_and_their_number_alone() -> None:
    first = list(fuzz.inputs(SEEDS, 60, 3))
    assert first == list(fuzz.inputs(SEEDS, 60, 3))
    assert first[:20] == list(fuzz.inputs(SEEDS, 20, 3))
    assert first != list(fuzz.inputs(SEEDS, 60, 4))
    assert [one.number for one in first] == list(range(60))


@pytest.mark.parametrize("way", sorted(fuzz.WAYS))
def test_every_way_takes_any_file(way: str) -> None:
    for number in range(20):
        made = fuzz.WAYS[way](random.Random(number), b"\n", [b"x"])
        assert isinstance(made, bytes)


def test_a_dead_worker_is_a_crash_of_one_input_and_its_neighbours_are_found() -> None:
    def files() -> Any:
        for number in range(5):
            kind = Deadly if number == 3 else FileTask
            yield fuzz.Fuzzed(number=number, way="x", task=kind("python", "a.py", b"def f(): pass\n"))

    with WorkerPool(fuzz.POOL) as pool:
        found = [finding for _, findings in fuzz.run(files(), pool, Limits(), 2) for finding in findings]
    assert [(finding.kind, finding.number) for finding in found] == [("crash", 3)]
    assert "ended with code 9" in found[0].detail


def test_a_few_inputs_of_every_language_do_no_harm() -> None:
    argv = [sys.executable, str(SCRIPTS / "fuzz.py"), "--inputs", "150", "--seed", "11"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=900, check=False)
    assert done.stdout == "150 inputs, 0 crash, 0 hang, 0 fault, 0 lost neighbour\n"
    assert (done.returncode, done.stderr) == (0, "")


def test_an_unknown_language_is_one_sentence() -> None:
    argv = [sys.executable, str(SCRIPTS / "fuzz.py"), "--language", "klingon"]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("fuzz: no file to start from")
