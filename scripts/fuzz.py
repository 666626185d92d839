"""Send broken files of every language through the pool that an index run uses, and report what goes wrong.

    scripts/fuzz.py [--inputs N] [--seed N] [--language ID ...] [--corpus FOLDER ...] [--keep FOLDER] [--jobs N] [--slow S]

Inputs are made from the cases of the tests and of `--corpus`: cut, with flipped bits, nested deeply, with huge literals,
spliced, random. Input number n depends on the seed and n alone. Among them stand healthy files, whose symbols must come
back. Reported, each with its number: crashes (a worker died), hangs (a worker ran out of its CPU seconds), faults (an
exception of ours), lost neighbours; with `--slow`, inputs that took more CPU seconds than that. Each input goes alone once more
if its batch was lost, as in a run. Exit 1 if anything was found; `--keep` writes the inputs that did it.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from codequarry.pipeline.batch import decode
from codequarry.pipeline.extract import Limits
from codequarry.pipeline.languages import LANGUAGES, detect
from codequarry.pipeline.pool import PoolLimits, WorkerLostError, WorkerPool
from codequarry.pipeline.worker import Extracted, FileTask, blank, extract

CASES = Path(__file__).parent.parent / "tests" / "pipeline" / "languages" / "cases"
NEIGHBOUR = FileTask("python", "neighbour.py", b"def neighbour():\n    return 1\n")

REFUSED = "parse_failed: budget"
"""The reason of a file that costs more than it may: that is as it should be."""

BATCH = 32
"""Inputs in a batch; every eighth file of it is a healthy one."""

POOL = PoolLimits(workers=2, cpu_seconds=10.0, memory_bytes=768 << 20)
"""As for files of one megabyte in an index run."""

OPENERS = (
    *(
        "(",
        "[",
        "{",
        "<",
        "((",
        "[[",
        "{{",
        "f(",
        "a.",
        "!",
        "-",
        "*",
        "/*",
        "(*",
        "<!--",
        "'",
        '"',
        "`",
        "\\",
        "$(",
        "x ? ",
    ),
    *("<div>", "> ", "- ", "  - ", "a: {", "if (x) ", "#if X\n", "begin ", "do ", "let x = ", "fn f() {", "class A {"),
)
CLOSERS = {"(": ")", "[": "]", "{": "}", "<": ">"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzzed:
    """One input: its number, how it was made, and the file."""

    number: int
    way: str
    task: FileTask


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What an input did: `crash`, `hang`, `fault`, `lost neighbour` or `slow`, with what is known of it."""

    kind: str
    number: int
    detail: str


Way = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


def _cut(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start = rnd.randrange(len(data)) if rnd.random() < 0.3 else 0
    return data[start : rnd.randrange(start, len(data)) + 1]


def _flip(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    out = bytearray(data)
    for _n in range(rnd.choice((1, 3, 10, 1 + len(data) // 20))):
        out[rnd.randrange(len(out))] ^= 1 << rnd.randrange(8)
    return bytes(out)


def _nest(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    mark, times = rnd.choice(OPENERS), rnd.choice((50, 50, 300, 300, 3_000, 3_000, 20_000))
    lines = "\n" if rnd.random() < 0.2 else ""
    closer = CLOSERS.get(mark, "") if rnd.random() < 0.6 else ""
    at = rnd.randrange(len(data))
    return data[:at] + ((mark + lines) * times + (closer + lines) * times).encode() + data[at:]


def _huge(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    size = rnd.choice((1_000, 1_000, 10_000, 10_000, 100_000, 300_000))
    filler = rnd.choice(
        ("a", "0", " ", "\t", "a b ", "a,", "\\", "é", "\n", "'a' + ", "a=", "1+", "x;", "\r\n", "-", "=", "`", "#")
    )
    opener, closer = rnd.choice(
        (('"', '"'), ("'", "'"), ("`", "`"), ('"""', '"""'), ("/*", "*/"), ("", ""), ("x = ", ";"), ("# ", ""))
    )
    at = rnd.randrange(len(data))
    return data[:at] + (opener + filler * (size // len(filler)) + closer).encode() + data[at:]


def _splice(rnd: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    other = rnd.choice(others)
    start = rnd.randrange(len(other))
    at = rnd.randrange(len(data))
    return data[:at] + other[start : start + rnd.randrange(1, 2_000)] + data[at + rnd.randrange(50) :]


def _repeat(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    start = rnd.randrange(len(data))
    piece = data[start : start + rnd.choice((1, 2, 5, 20, 100))]
    return data[:start] + piece * min(rnd.choice((10, 1_000, 20_000)), 200_000 // max(len(piece), 1)) + data[start:]


def _bytes(rnd: random.Random, _: bytes, __: Sequence[bytes]) -> bytes:
    return rnd.randbytes(rnd.choice((1, 10, 1_000, 20_000)))


def _text(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    tokens = [*data.split(b" "), *(bytes((b,)) for b in b"\n{}()\"'#;:<>\t"), b"/*", b"*/"]
    return b" ".join(rnd.choice(tokens) for _n in range(rnd.choice((5, 50, 2_000))))


WAYS: dict[str, Way] = {
    "cut": _cut,
    "flip": _flip,
    "nest": _nest,
    "huge": _huge,
    "splice": _splice,
    "repeat": _repeat,
    "bytes": _bytes,
    "text": _text,
}


def read_seeds(folders: Sequence[Path]) -> dict[str, list[tuple[str, bytes]]]:
    """Return the files to start from by language: their names and bytes, in the order of their paths."""
    seeds: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
    for path in sorted(CASES.rglob("*.in")):
        seeds[path.parent.name].append((path.stem, path.read_bytes()))
    for path in (p for folder in folders for p in sorted(folder.rglob("*")) if p.is_file() and ".git" not in p.parts):
        data = path.read_bytes()
        language = detect(path.as_posix(), data[:65536])
        if language is not None and 0 < len(data) <= 200_000:
            seeds[language].append((path.name, data))
    return {language: seeds[language] for language in sorted(seeds) if language in LANGUAGES}


def inputs(seeds: dict[str, list[tuple[str, bytes]]], count: int, seed: int) -> Iterator[Fuzzed]:
    """Yield `count` inputs; languages take turns."""
    languages = list(seeds)
    everything = [data for files in seeds.values() for _, data in files if data]
    for number in range(count):
        rnd = random.Random(f"{seed}:{number}")
        language = languages[number % len(languages)]
        name, data = rnd.choice(seeds[language])
        way = rnd.choice(list(WAYS))
        broken = WAYS[way](rnd, data or b"\n", everything)
        if rnd.random() < 0.2:
            second = rnd.choice(("cut", "flip"))
            way, broken = f"{way}+{second}", WAYS[second](rnd, broken or b"\n", everything)
        yield Fuzzed(number=number, way=way, task=FileTask(language, name, broken))


def run(
    fuzzed: Iterator[Fuzzed], pool: WorkerPool, limits: Limits, jobs: int, slow: float = float("inf")
) -> Iterator[tuple[list[Fuzzed], list[Finding]]]:
    """Yield the inputs batch by batch, in order, with what was found among them; `jobs` batches are under way at once."""
    waiting: deque[_Sent] = deque()
    while batch := list(islice(fuzzed, BATCH)):
        waiting.append(_send(batch, pool, limits))
        if len(waiting) > jobs:
            sent = waiting.popleft()
            yield sent.batch, list(_findings(sent, pool, limits, slow))
    for sent in waiting:
        yield sent.batch, list(_findings(sent, pool, limits, slow))


class _Sent(NamedTuple):
    """A batch under way: its inputs, the owner of each file that was sent (None for a neighbour), and the answer."""

    batch: list[Fuzzed]
    owners: list[Fuzzed | None]
    future: Future[Extracted]


def _send(batch: list[Fuzzed], pool: WorkerPool, limits: Limits) -> _Sent:
    owners: list[Fuzzed | None] = []
    for place, one in enumerate(batch):
        owners += [None, one] if place % 8 == 0 else [one]
    tasks = [owner.task if owner is not None else NEIGHBOUR for owner in owners]
    return _Sent(batch, owners, pool.submit(extract, tasks, limits))


def _findings(sent: _Sent, pool: WorkerPool, limits: Limits, slow: float) -> Iterator[Finding]:
    """Judge a batch; if its worker was lost, each input with a neighbour of its own, and then that neighbour alone.

    Not halved, as a run does it: an input that hangs would use up its time again at every step.
    """
    batch, first = sent.batch, sent.batch[0]
    try:
        extracted = sent.future.result()
        yield from _judge(extracted, sent.owners, first.number)
        for owner, seconds in zip(sent.owners, extracted.seconds, strict=True):
            if owner is not None and seconds > slow:
                detail = f"{owner.task.language} {owner.way} {len(owner.task.data)} bytes: {seconds:.1f} s of CPU"
                yield Finding(kind="slow", number=owner.number, detail=detail)
    except WorkerLostError as loss:
        if len(batch) > 1:
            for again in [_send([one], pool, limits) for one in batch]:
                yield from _findings(again, pool, limits, slow)
            return
        kind = "hang" if loss.reason == "timeout" else "crash"
        size = len(first.task.data)
        yield Finding(kind=kind, number=first.number, detail=f"{first.task.language} {first.way} {size} bytes: {loss}")
        try:
            yield from _judge(pool.submit(extract, [NEIGHBOUR], limits).result(), [None], first.number)
        except WorkerLostError as next_loss:
            yield Finding(kind="lost neighbour", number=first.number, detail=f"the next worker: {next_loss}")


def _judge(extracted: Extracted, owners: list[Fuzzed | None], number: int) -> Iterator[Finding]:
    """Look at the facts of a batch: neighbours must have their symbol, and no file may have failed by an exception."""
    facts = decode(extracted.facts)
    names = facts.symbols.column("name").to_pylist()
    at = 0
    for owner, row in zip(owners, facts.files.select(["reason", "symbols"]).to_pylist(), strict=True):
        own, reason = names[at : at + row["symbols"]], row["reason"]
        at += row["symbols"]
        if owner is None and "neighbour" not in own:
            yield Finding(kind="lost neighbour", number=number, detail=f"in the batch from input {number} on: {reason}")
        if owner is not None and reason is not None and reason.startswith("parse_failed") and reason != REFUSED:
            yield Finding(kind="fault", number=owner.number, detail=f"{owner.task.language} {owner.way}: {reason}")


def main() -> None:
    """Make the inputs, run them, print findings as they come and a count at the end."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("--inputs", type=int, default=10_000)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--language", nargs="*", default=[])
    arguments.add_argument("--corpus", nargs="*", type=Path, default=[])
    arguments.add_argument("--keep", type=Path)
    arguments.add_argument("--jobs", type=int, default=POOL.workers)
    arguments.add_argument("--slow", type=float, default=float("inf"), help="CPU seconds")
    args = arguments.parse_args()
    seeds = {name: files for name, files in read_seeds(args.corpus).items() if not args.language or name in args.language}
    if not seeds:
        sys.exit("fuzz: no file to start from; name known languages or a folder with --corpus")
    counts: Counter[str] = Counter()
    limits = PoolLimits(workers=args.jobs, cpu_seconds=POOL.cpu_seconds, memory_bytes=POOL.memory_bytes)
    with WorkerPool(limits) as pool:
        for language in seeds:
            pool.prepare(extract, [blank(language)], Limits())
        for batch, findings in run(inputs(seeds, args.inputs, args.seed), pool, Limits(), args.jobs, args.slow):
            counts["inputs"] += len(batch)
            for finding in findings:
                counts[finding.kind] += 1
                print(f"{finding.kind} {finding.number}: {finding.detail}", flush=True)
                _keep(args.keep, batch, finding)
    print(", ".join(f"{counts[kind]} {kind}" for kind in ("inputs", "crash", "hang", "fault", "lost neighbour")))
    sys.exit(1 if counts.total() > counts["inputs"] else 0)


def _keep(folder: Path | None, batch: list[Fuzzed], finding: Finding) -> None:
    one = next((f for f in batch if f.number == finding.number), None)
    if folder is not None and one is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{finding.number}-{one.task.language}-{one.task.basename}").write_bytes(one.task.data)


if __name__ == "__main__":
    main()
