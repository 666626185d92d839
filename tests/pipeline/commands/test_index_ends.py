"""How a run of `codequarry index` ends when files kill workers, signals arrive, and others hold the store."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ._index import DEADLY, THREADED, command, environment, index, snapshot_digests, summary, write

SHOP = ("shop", "--name", "shop")

GOOD = {f"src/m{i:02d}.py": f"def run_{i}():\n    return {i}\n" for i in range(40)}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", GOOD)


def test_deadly_files_are_set_aside_and_nothing_else_is_lost(tmp_path: Path, shop: Path) -> None:
    write(shop, {"src/m07b.py": "CRASH = 1\n", "src/m31b.py": "CRASH = 2\n", "src/m20b.py": "RAISE = 1\n"})
    value = summary(*SHOP, cwd=tmp_path, program=DEADLY, code=3)
    assert value["files"] == {"indexed": 40, "partial": 0, "skipped": 3}
    assert value["skipped"] == {"parse_failed": 3}
    assert value["set_aside"] == [
        {"repo": "shop", "path": "src/m07b.py", "reason": "parse_failed"},
        {"repo": "shop", "path": "src/m20b.py", "reason": "parse_failed: IndexError"},
        {"repo": "shop", "path": "src/m31b.py", "reason": "parse_failed"},
    ]
    assert value["languages"] == [{"language": "python", "files": 40, "symbols": 40}]
    assert value["reproducible"] is True
    again = index(*SHOP, "--exit-zero", cwd=tmp_path, program=DEADLY)
    assert again.returncode == 0
    assert "  set aside shop:src/m07b.py (parse_failed)" in again.stdout.splitlines()


def test_a_run_without_one_good_file_fails_and_publishes_nothing(tmp_path: Path) -> None:
    write(tmp_path / "bad", {"a.py": "CRASH\n", "b.py": "CRASH\n"})
    run = index("bad", "--name", "bad", "--quiet", "--exit-zero", cwd=tmp_path, program=DEADLY)
    assert run.returncode == 1
    assert run.stderr == (
        "codequarry: nothing was published, because not one of 2 files could be read "
        "(bad:a.py is parse_failed, for example)\n"
    )
    assert not (tmp_path / "out" / "latest.json").exists()


def test_files_are_never_parsed_in_the_main_process(tmp_path: Path, shop: Path) -> None:
    write(shop, {"src/pid.py": "PID = 1\n"})
    run = subprocess.Popen(
        command(*SHOP, "--jobs", "1", "--quiet", "--out", "out", program=DEADLY), cwd=tmp_path, env=environment()
    )
    assert run.wait(timeout=120) == 0
    assert int((tmp_path / "pid").read_text()) != run.pid


def test_code_in_the_current_folder_does_not_run(tmp_path: Path) -> None:
    names = ("numpy", "pyarrow", "click", "pickle", "socket", "selectors", "signal", "tree_sitter", "sitecustomize")
    write(tmp_path, {f"{name}.py": "open('ran', 'w')\nraise SystemExit(9)\n" for name in names})
    options = [".", "--name", "x", "--out", "out", "--json"]
    entry_point = [str(Path(sys.executable).with_name("codequarry")), "index", *options]
    for argv in (entry_point, command(*options, program=THREADED)):
        run = subprocess.run(
            argv,
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        assert json.loads(run.stdout)["files"]["indexed"] == len(names)
    assert not (tmp_path / "ran").exists()


class Stuck:
    """A run that holds a store and whose worker sleeps."""

    def __init__(self, folder: Path) -> None:
        write(folder / "slow", {"a.py": "SLEEP\n"})
        self.run = subprocess.Popen(
            command("slow", "--out", "out", program=DEADLY),
            cwd=folder,
            env=environment(),
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.run.stderr is not None
        for line in self.run.stderr:
            if line.startswith("extract"):
                break
        end = time.monotonic() + 60
        while not self.children() and time.monotonic() < end:
            time.sleep(0.01)
        time.sleep(0.2)

    def children(self) -> list[int]:
        """Return the processes of the run's session, but for itself."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == self.run.pid and int(stat.parent.name) != self.run.pid and fields[0] != "Z":
                found.append(int(stat.parent.name))
        return found

    def end(self) -> str:
        """Wait for the end of the run and return what it said."""
        assert self.run.stderr is not None
        with self.run:
            return "" if self.run.stderr.closed else self.run.communicate(timeout=60)[1]


@pytest.fixture
def stuck(tmp_path: Path, shop: Path) -> Iterator[Stuck]:
    assert index(*SHOP, "--quiet", cwd=tmp_path).returncode == 0
    slow = Stuck(tmp_path)
    yield slow
    if slow.run.poll() is None:
        os.killpg(slow.run.pid, signal.SIGKILL)
    slow.end()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("how", "code", "says"),
    [
        (signal.SIGINT, 130, "codequarry: interrupted"),
        (signal.SIGTERM, 75, "codequarry: stopped on request: run the same command again, and it goes on from there"),
        (signal.SIGKILL, -9, ""),
    ],
)
def test_a_signal_ends_all_processes_and_leaves_the_store(
    tmp_path: Path, stuck: Stuck, how: signal.Signals, code: int, says: str
) -> None:
    before = snapshot_digests(tmp_path / "out")
    if how == signal.SIGINT:
        os.killpg(stuck.run.pid, how)  # as a terminal does
    else:
        os.kill(stuck.run.pid, how)
    said = stuck.end()
    assert stuck.run.returncode == code
    assert "Traceback" not in said
    assert said.strip().splitlines()[-1:] == ([says] if says else [])
    end = time.monotonic() + 30
    while stuck.children() and time.monotonic() < end:
        time.sleep(0.05)
    assert stuck.children() == []
    assert snapshot_digests(tmp_path / "out") == before
    if how != signal.SIGKILL:
        assert not (tmp_path / "out" / ".staging").exists()
    again = summary(*SHOP, cwd=tmp_path)
    assert again["changes"] == {"since": again["snapshot"], "added": 0, "removed": 0, "changed": 0}
    assert not (tmp_path / "out" / ".staging").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_second_writer_waits_or_says_so(tmp_path: Path, stuck: Stuck) -> None:
    refused = index(*SHOP, "--quiet", cwd=tmp_path)
    assert refused.returncode == 1
    assert len(refused.stderr.splitlines()) == 1
    assert "--wait" in refused.stderr
    waiting = subprocess.Popen(command(*SHOP, "--out", "out", "--wait", "60", "--quiet"), cwd=tmp_path, env=environment())
    time.sleep(1)
    os.killpg(stuck.run.pid, signal.SIGKILL)
    assert waiting.wait(timeout=120) == 0


def test_a_terminal_gets_a_bar_and_a_log_gets_lines(tmp_path: Path, shop: Path) -> None:
    ours, theirs = pty.openpty()
    run = subprocess.Popen(
        command(*SHOP, "--out", "out"),
        cwd=tmp_path,
        env=environment(TERM="xterm", COLUMNS="100"),
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 120)[0]:
        try:
            shown += os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
    os.close(ours)
    with run:
        out = run.communicate(timeout=60)[0].decode()
    assert run.returncode == 0
    assert b"\x1b[" in shown
    assert b"extract: 40 files" in shown
    assert "indexed 40 of 40 files" in out
    assert "\x1b" not in out
