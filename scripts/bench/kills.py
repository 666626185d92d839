"""Kill, starve and damage index runs, and see that no reader ever meets half a snapshot and no run is lost.

    scripts/bench/kills.py REPO [--kills 200] [--faults 40] [--seed 1] [--jobs 2] [--work DIR]

Two trees are made of REPO: the second has some files changed, added and removed. A store holds the first; a run over the
second is killed by SIGKILL at a random moment, with the cache of the first at hand or with none. Then a reader checks the
live snapshot byte by byte and searches it, and the run is given again. What must hold: the reader sees the first or the
second snapshot whole; the final snapshot is that of a clean run, byte for byte; no process, no unpublished work and no
unfinished file is left. `--faults` as many times each: files cut off at a random size (RLIMIT_FSIZE), a flipped byte or a
truncated, removed or swapped table, two writers at once, and files that change while they are indexed; and once a source that
nobody may write to. Prints the counts and exits 1 if anything did not hold.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from codequarry.query import open_index
from codequarry.query.store import open_snapshot
from codequarry.query.verify import verify
from codequarry.schemas import layout
from codequarry.schemas.errors import CodequarryError

COMMAND = (sys.executable, "-P", "-c", "from codequarry.query.cli import main; main()")

STORE = {layout.LATEST, layout.SNAPSHOTS, layout.ENCODERS, layout.LOCK}
"""All that may lie in a store when no run is under way."""

PATIENCE = 30.0
"""Seconds in which the children of a killed run must end by themselves; a fraction of one is usual."""


class BrokenPromiseError(Exception):
    """Something that must hold did not."""


@dataclass(slots=True)
class Field:
    """Where the runs take place: two trees, their snapshots from clean runs, and copies of a store and a cache to begin from."""

    work: Path
    jobs: int
    random: random.Random
    first: str = ""
    second: str = ""
    clean: str = ""
    seconds: dict[str, float] = field(default_factory=dict)

    def path(self, name: str) -> Path:
        return self.work / name

    def reset(self, cache: str) -> None:
        """Put the store with the first snapshot in place, and the cache called `cache`."""
        for name, origin in (("store", "store-first"), ("cache", cache)):
            shutil.rmtree(self.path(name), ignore_errors=True)
            shutil.copytree(self.path(origin), self.path(name))

    def command(self, tree: str = "second") -> list[str]:
        """Return the command that indexes a tree into the store."""
        where = ("--name", "tree", "--out", str(self.path("store")), "--cache", str(self.path("cache")))
        return [*COMMAND, "index", str(self.path(tree)), *where, "--jobs", str(self.jobs)]

    def run(self, tree: str = "second", *, code: int = 0) -> str:
        """Index a tree, which must end with `code`, and return what was said on stderr."""
        ran = subprocess.run(self.command(tree), capture_output=True, text=True, check=False)
        if ran.returncode != code or "Traceback" in ran.stderr:
            raise BrokenPromiseError(f"exit {ran.returncode}, not {code}: {ran.stderr[-400:]}")
        return ran.stderr

    def live(self) -> str:
        """Read the store as a stranger does: check every byte, search; return the id of the live snapshot."""
        report = verify(self.path("store"))
        report.raise_if_damaged()
        with open_index(self.path("store")) as index:
            index.search("read the first file", k=3)
        return report.snapshot

    def check_end(self) -> None:
        """See that the store holds the clean run's snapshot, byte for byte, and nothing that does not belong."""
        live = open_snapshot(self.path("store")).id
        if live != self.second:
            raise BrokenPromiseError(f"{live} is live, not {self.second}")
        if digest(self.path("store") / layout.SNAPSHOTS / self.second) != self.clean:
            raise BrokenPromiseError("the snapshot differs from that of a clean run")
        strange = {entry.name for entry in self.path("store").iterdir()} - STORE
        strange |= set(os.listdir(self.path("store") / layout.SNAPSHOTS)) - {self.first, self.second}
        strange |= {path.name for path in self.path("cache").rglob(".partial-*")}
        if strange:
            raise BrokenPromiseError(f"left behind: {sorted(strange)}")


def digest(folder: Path) -> str:
    """Return the sha256 of the names and bytes of all files below a folder."""
    total = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        total.update(f"{path.relative_to(folder)}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def prepare(repo: Path, work: Path, jobs: int, seed: int) -> Field:
    """Make the trees, and the clean runs over them."""
    ground = Field(work=work, jobs=jobs, random=random.Random(seed))
    ignore = shutil.ignore_patterns(".git", "codequarry-*")
    shutil.copytree(repo, ground.path("first"), ignore=ignore, symlinks=True)
    shutil.copytree(repo, ground.path("second"), ignore=ignore, symlinks=True)
    change(ground.path("second"), ground.random)
    for name in ("store", "cache"):
        ground.path(name).mkdir()
    shutil.copytree(ground.path("cache"), ground.path("cache-none"))
    ground.run("first")
    ground.first = ground.live()
    shutil.copytree(ground.path("store"), ground.path("store-first"))
    shutil.copytree(ground.path("cache"), ground.path("cache-first"))
    for cache in ("cache-none", "cache-first"):
        ground.reset(cache)
        start = time.monotonic()
        ground.run()
        ground.seconds[cache] = time.monotonic() - start
        ground.second = ground.live()
        found = digest(ground.path("store") / layout.SNAPSHOTS / ground.second)
        if ground.clean not in ("", found):
            raise BrokenPromiseError("a run with the cache gives another snapshot than one without")
        ground.clean = found
    return ground


def change(tree: Path, chance: random.Random) -> None:
    """Change, add and remove about one file in fifty of a tree."""
    files = sorted(p for p in tree.rglob("*") if p.is_file() and not p.is_symlink())
    for path in chance.sample(files, max(3, len(files) // 50)):
        with path.open("ab") as file:
            file.write(b"\n")
    chance.choice(files).unlink()
    (tree / "added_by_kills.py").write_text("def added_by_kills():\n    return 1\n")


def kill_once(ground: Field) -> str:
    """Kill a run at a random moment, read, run again; returns the phase in which it was killed, by its last line."""
    cache = ground.random.choice(("cache-none", "cache-first"))
    run = killed(ground, cache)
    phase = (ground.path("said").read_text().splitlines() or ["start"])[-1].partition(":")[0]
    await_end(run.pid)
    if ground.live() not in (ground.first, ground.second):
        raise BrokenPromiseError(f"a reader saw {ground.live()}")
    ground.run()
    ground.check_end()
    return f"{phase}, {cache}"


def killed(ground: Field, cache: str) -> subprocess.Popen[bytes]:
    """Return a run that was killed; one that ended before its moment came tells that the machine has become faster."""
    while True:
        ground.reset(cache)
        with ground.path("said").open("w") as log:
            run = subprocess.Popen(ground.command(), stdout=subprocess.DEVNULL, stderr=log, start_new_session=True)
            try:
                run.wait(ground.random.uniform(0.2, 1.0) * ground.seconds[cache])
            except subprocess.TimeoutExpired:
                run.kill()
            if run.wait() == -signal.SIGKILL:
                return run
        ground.seconds[cache] *= 0.9


def await_end(session: int) -> None:
    """Wait until no process of a session is left."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not any(of_session(session)):
            return
        time.sleep(0.05)
    raise BrokenPromiseError("a child outlived its killed run")


def of_session(session: int) -> Iterator[int]:
    """Yield the processes of a session (Linux), zombies aside."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                yield int(stat.parent.name)


def starve(ground: Field) -> str:
    """Run with a limit on the size of files, as on a full disk: it fails in one sentence or ends well; the store stays whole."""
    ground.reset("cache-none")
    most = int(10 ** ground.random.uniform(2, 6.7))

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    ran = subprocess.run(ground.command(), capture_output=True, text=True, check=False, preexec_fn=limit)
    errors = [line for line in ran.stderr.splitlines() if line.startswith("codequarry: ")]
    if ran.returncode not in (0, 1) or "Traceback" in ran.stderr or len(errors) != ran.returncode:
        raise BrokenPromiseError(f"limit {most}: exit {ran.returncode}: {ran.stderr[-400:]}")
    if ground.live() != (ground.first if ran.returncode else ground.second):
        raise BrokenPromiseError(f"limit {most}: exit {ran.returncode}, but {ground.live()} is live")
    ground.run()
    ground.check_end()
    return "failed in one sentence" if ran.returncode else "was large enough"


def damage(ground: Field) -> str:
    """Damage the live snapshot: verify names the file, and the next run puts it right."""
    ground.reset("cache-first")
    ground.run()
    snapshot = ground.path("store") / layout.SNAPSHOTS / ground.second
    parts = sorted(snapshot.rglob("*.parquet"))
    part, other = ground.random.sample(parts, 2)
    data, place = bytearray(part.read_bytes()), ground.random.randrange(part.stat().st_size)
    kind = ground.random.choice(("flipped", "truncated", "removed", "swapped"))
    if kind == "flipped":
        data[place] ^= 1 << ground.random.randrange(8)
        part.write_bytes(data)
    elif kind == "truncated":
        part.write_bytes(data[:place])
    elif kind == "removed":
        part.unlink()
    else:
        part.write_bytes(other.read_bytes())
        other.write_bytes(data)
    named = {fault.file for fault in verify(ground.path("store")).faults}
    wanted = {str(p.relative_to(snapshot)) for p in ((part, other) if kind == "swapped" else (part,))}
    if named != wanted:
        raise BrokenPromiseError(f"{kind} {sorted(wanted)}: verify names {sorted(named)}")
    ground.run()
    ground.check_end()
    return kind


def race(ground: Field) -> str:
    """Start two writers at once."""
    ground.reset("cache-none")
    both = [
        subprocess.Popen([*ground.command(), *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for more in ((), ground.random.choice(((), ("--wait", "120"))))
    ]
    said = [run.communicate()[1] for run in both]
    codes = sorted(run.returncode for run in both)
    if codes not in ([0, 0], [0, 1]) or "Traceback" in "".join(said):
        raise BrokenPromiseError(f"two writers ended with {codes}: {said}")
    ground.check_end()
    return "one was refused" if codes[1] else "both ended well"


def disturb(ground: Field) -> str:
    """Change, remove and replace files of the tree while it is indexed; what comes out must be whole."""
    ground.reset("cache-none")
    shutil.rmtree(ground.path("third"), ignore_errors=True)
    shutil.copytree(ground.path("second"), ground.path("third"), symlinks=True)
    files = sorted(p for p in ground.path("third").rglob("*") if p.is_file())
    done = threading.Event()

    def meddle() -> None:
        chance = random.Random(ground.random.random())
        while not done.wait(0.002):
            path = chance.choice(files)
            with suppress(OSError):
                chance.choice((_replace, _append, Path.unlink))(path)

    thread = threading.Thread(target=meddle)
    thread.start()
    ran = subprocess.run(ground.command("third"), capture_output=True, text=True, check=False)
    done.set()
    thread.join()
    if ran.returncode not in (0, 3) or "Traceback" in ran.stderr:
        raise BrokenPromiseError(f"exit {ran.returncode}: {ran.stderr[-400:]}")
    ground.live()
    ground.run("third")  # what the disturbed run kept must not be wrong
    quiet = digest(ground.path("store") / layout.SNAPSHOTS / ground.live())
    ground.reset("cache-none")
    ground.run("third")
    if digest(ground.path("store") / layout.SNAPSHOTS / ground.live()) != quiet:
        raise BrokenPromiseError("a disturbed run left wrong facts in the cache")
    return f"exit {ran.returncode}"


def _replace(path: Path) -> None:
    path.write_bytes(os.urandom(9))


def _append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x = 1\n")


def write_protected(ground: Field) -> str:
    """Index a tree that nobody may write to."""
    ground.reset("cache-none")
    for path in [ground.path("second"), *ground.path("second").rglob("*")]:
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & ~0o222)
    before = digest(ground.path("second"))
    try:
        ground.run()
    finally:
        for path in [ground.path("second"), *ground.path("second").rglob("*")]:
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | 0o600)
    if digest(ground.path("second")) != before:
        raise BrokenPromiseError("the source was written to")
    ground.check_end()
    return "indexed"


def campaign(ground: Field, kills: int, faults: int) -> Iterator[tuple[str, str, str]]:
    """Yield what was done, how it ended, and what did not hold, empty if all did."""
    steps: list[tuple[str, Callable[[Field], str], int]] = [
        ("kill", kill_once, kills),
        ("full disk", starve, faults),
        ("damage", damage, faults),
        ("two writers", race, faults),
        ("changes underway", disturb, faults),
        ("read-only source", write_protected, min(faults, 1)),
    ]
    for name, step, times in steps:
        for number in range(times):
            try:
                yield name, step(ground), ""
            except (BrokenPromiseError, CodequarryError) as error:
                yield name, "broken", f"{name} {number}: {error}"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("repo", type=Path, metavar="REPO")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--work", type=Path, help="folder to work in, else one of the system's")
    options = parser.parse_args(argv)
    seen: Counter[tuple[str, str]] = Counter()
    broken = []
    where = tempfile.TemporaryDirectory(prefix="codequarry-kills-", dir=options.work, ignore_cleanup_errors=True)
    with where as folder, suppress(KeyboardInterrupt):  # what was found until then is told
        ground = prepare(options.repo, Path(folder), options.jobs, options.seed)
        for name, end, problem in campaign(ground, options.kills, options.faults):
            seen[name, end] += 1
            if problem:
                broken.append(problem)
            print(problem or f"{name}: {end}", flush=True)
    print()
    for (name, end), times in sorted(seen.items()):
        print(f"{name:18} {end:32} {times:4}")
    print(f"{sum(seen.values())} times, {len(broken)} broken promises")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
