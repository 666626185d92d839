"""What runs take from each other: facts by content, whole snapshots by their inputs; never what does not fit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ._index import DEADLY, command, environment, git, index, snapshot_digests, summary, write

FILES: dict[str, str | bytes] = {
    "app/a.py": "class A:\n    def run(self):\n        return B().run()\n",
    "app/b.py": "from app.a import A\n\n\nclass B(A):\n    def run(self):\n        return A()\n",
    "lib/c.go": "package lib\n\nfunc C() int { return 1 }\n",
    "notes.md": "# Notes\n\nSee [a](app/a.py).\n",
    "pic.bin": b"\0\1\2" * 40,
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    write(tmp_path / "shop", FILES)
    return tmp_path


def run(work: Path, *args: str, code: int = 0, **more: Any) -> dict[str, Any]:
    return summary(*(args or ("shop", "--name", "shop")), "--cache", "cache", cwd=work, code=code, **more)


def fresh(work: Path, *args: str) -> dict[str, bytes]:
    """Return the snapshots of a run that knows nothing."""
    summary(*args, "--cache", "none", "--out", "fresh", cwd=work)
    return snapshot_digests(work / "fresh")


def test_known_files_give_the_same_bytes_wherever_they_are(work: Path) -> None:
    first = run(work)
    assert (first["cached"], first["published"]) == (0, True)
    shop = work / "shop"
    (shop / "moved").mkdir()
    (shop / "app/b.py").rename(shop / "moved/other.py")
    (shop / "notes.md").unlink()
    write(shop, {"app/new.py": "def new():\n    return A()\n", "copy/a.py": FILES["app/a.py"]})
    second = run(work)
    assert second["cached"] == 5  # a.py twice, b.py by its new name, c.go, and the binary file
    assert second["changes"] == {"since": first["snapshot"], "added": 3, "removed": 2, "changed": 0}
    ours = snapshot_digests(work / "out")
    theirs = fresh(work, "shop", "--name", "shop")
    assert theirs.items() <= ours.items()
    fork = summary("shop", "--name", "fork", "--cache", "cache", "--out", "out2", cwd=work)
    assert (fork["cached"], fork["slowest"]) == (6, None)


def test_the_same_inputs_publish_nothing_new(work: Path) -> None:
    first = run(work)
    times = {path: path.stat().st_mtime_ns for path in (work / "out").rglob("*") if path.is_file()}
    again = run(work)
    assert (again["published"], again["snapshot"]) == (False, first["snapshot"])
    same = ("files", "skipped", "languages", "source_bytes", "artifact_bytes", "warnings", "reproducible", "nested")
    assert {name: again[name] for name in same} == {name: first[name] for name in same}
    assert [source["state"] for source in again["sources"]] == ["unchanged"]
    del times[work / "out" / ".lock"]
    assert times == {path: path.stat().st_mtime_ns for path in times}
    assert run(work, "shop", "--name", "shop", "--fresh")["published"]
    assert run(work, "shop", "--name", "shop", "--max-file-size", "20")["published"]
    assert run(work, "shop", "--name", "shop", "--no-sources")["published"]


def test_a_damaged_snapshot_is_made_again_though_nothing_changed(work: Path) -> None:
    first = run(work)
    part = next((work / "out/snapshots" / first["snapshot"] / "sources").glob("*.parquet"))
    whole = part.read_bytes()
    part.write_bytes(whole[:40] + bytes([whole[40] ^ 1]) + whole[41:])
    again = run(work)
    assert (again["published"], again["snapshot"]) == (True, first["snapshot"])
    assert part.read_bytes() == whole
    model = next((work / "out/encoders").rglob("model.safetensors"))
    model.write_bytes(b"")
    assert run(work)["published"] is False
    assert model.stat().st_size > 1000


def test_what_other_options_made_is_not_taken(work: Path) -> None:
    run(work, "shop", "--name", "shop", "--model", "none")
    assert run(work)["cached"] == 0
    write(work / "shop", {"conf/secrets.yml": "token: ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8\n"})
    assert run(work)["skipped"] == {"binary": 1, "secret": 1}
    allowed = run(work, "shop", "--name", "shop", "--allow-secrets")
    assert (allowed["skipped"], allowed["cached"]) == ({"binary": 1}, 5)
    assert run(work)["skipped"] == {"binary": 1, "secret": 1}


def test_a_run_of_workers_fills_the_cache_and_another_publishes(work: Path) -> None:
    git(work / "shop", "init", "-q", "-b", "main")
    git(work / "shop", "add", "-A")
    git(work / "shop", "commit", "-qm", "one")
    value = run(work, "shop", "--extract-only")
    assert (value["snapshot"], value["out"], value["published"], value["artifact_bytes"]) == (None, None, False, 0)
    assert [source["state"] for source in value["sources"]] == ["extracted"]
    assert value["files"] == {"indexed": 4, "partial": 0, "skipped": 1}
    assert not (work / "out").exists()
    said = index("shop", "--extract-only", "--cache", "cache", cwd=work)
    assert said.stdout.startswith("extracted 4 of 5 files in ")
    assert "extract: 5 files, 5 of them known from earlier runs, 0 B to read" in said.stderr.splitlines()
    assert run(work, "shop")["cached"] == 5
    for refused in (("--update",), ("--remove", "shop")):
        no = index("shop", "--extract-only", *refused, cwd=work)
        assert (no.returncode, len(no.stderr.splitlines())) == (2, 1)


def test_kept_sources_are_known_too(work: Path) -> None:
    write(work / "other", {"x.py": "def x():\n    return 1\n", ".env.example": "A=1\n"})
    run(work, "shop", "other")
    git(work / "shop", "init", "-q")  # a work tree now, and its files are as they were
    updated = run(work, "shop", "--update")
    assert [source["state"] for source in updated["sources"]] == ["kept", "unchanged"]
    assert updated["cached"] == 7
    removed = run(work, "--remove", "other")
    assert (removed["cached"], removed["files"]["indexed"]) == (5 - 1, 4)  # the binary file's row is all that is kept of it
    assert fresh(work, "shop").items() <= snapshot_digests(work / "out").items()


@pytest.mark.parametrize("damage", ["flip", "cut", "foreign"])
def test_a_damaged_cache_is_made_again(work: Path, damage: str) -> None:
    first = run(work)
    (pack,) = (work / "cache/facts").rglob("*.pack")
    data = pack.read_bytes()
    pack.write_bytes({"flip": data[:99] + b"\xff\xff" + data[101:], "cut": data[:-50], "foreign": b"<html>"}[damage])
    again = index("shop", "--name", "shop", "--cache", "cache", "--out", "out2", cwd=work)
    assert again.returncode == 0
    assert "is damaged: what it held is extracted again" in again.stderr
    assert snapshot_digests(work / "out2") == snapshot_digests(work / "out")
    assert summary("shop", "--name", "fork", "--cache", "cache", "--out", "out3", cwd=work)["cached"] == 5
    assert first["snapshot"]


def test_a_file_that_no_worker_survived_is_tried_again(work: Path) -> None:
    write(work / "shop", {"app/z.py": "CRASH = 1\n"})
    broken = run(work, code=3, program=DEADLY)
    assert broken["skipped"] == {"binary": 1, "parse_failed": 1}
    good = run(work)
    assert (good["published"], good["cached"], good["set_aside"]) == (True, 5, [])


def test_a_cache_that_cannot_be_written_is_done_without_unless_it_was_named(work: Path) -> None:
    (work / "file").write_text("")
    named = index("shop", "--cache", "file/c", cwd=work)
    assert (named.returncode, len(named.stderr.splitlines())) == (1, 1)
    assert "the cache folder file/c cannot be written" in named.stderr
    default = index("shop", "--quiet", cwd=work, env={"CODEQUARRY_CACHE": str(work / "file" / "c")})
    assert default.returncode == 0
    assert default.stderr.startswith("warning: the cache folder ")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_stopped_run_goes_on_where_it_was(work: Path, how: signal.Signals) -> None:
    """Two batches are done and one hangs when the run is stopped; what was done is kept."""
    names = {f"m{i:02}.txt": f"Part {i}\n" + "more words\n" * 24000 for i in range(8)}
    write(work / "big", {**names, "z.py": "SLEEP = 1\n"})
    argv = command("big", "--out", "out", "--cache", "cache", "--jobs", "1", program=DEADLY.replace("main()", SMALL_PACKS))
    process = subprocess.Popen(argv, cwd=work, env=environment(), stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + 60
    while len(list((work / "cache").rglob("*.pack"))) < 3 and time.monotonic() < end:
        time.sleep(0.05)
    os.kill(process.pid, how)
    _, said = process.communicate(timeout=60)
    assert process.returncode == (75 if how == signal.SIGTERM else -signal.SIGKILL)
    if how == signal.SIGTERM:
        assert said.splitlines()[-1].startswith("codequarry: stopped on request: run the same command again")
    resumed = run(work, "big")
    assert resumed["cached"] >= 3
    assert fresh(work, "big") == snapshot_digests(work / "out")
    assert not (work / "out" / ".staging").exists()


SMALL_PACKS = "import codequarry.pipeline.cache.facts as facts; facts.PACK_BYTES = 1; main()"
