"""What indexing and searching cost, at growing sizes of real and of made-up code.

Every query is different and asked once, and what is loaded at the first is told apart: no cached answer is called a search.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...query.connection import Connection
from ...query.readers.arrays import Floats
from ...query.store import Snapshot, open_snapshot
from ...schemas.errors import CodequarryError, StoreError
from ...schemas.terms import split_word
from .building import COMMAND, Spent, build, child, folder_bytes
from .made_up import write_made_up
from .summaries import documented, write_sources

__all__ = [
    "COSTS",
    "Growth",
    "Point",
    "growth",
    "measure",
    "point_of",
    "probes",
    "shares_of",
    "speed_lines",
    "write_and_measure",
]

SHARES = (0.25, 0.5)
"""Parts of a real repository that are measured beside the whole."""

_BASE = (sys.executable, "-c", "import duckdb, numpy, click; duckdb.connect(config={'threads': 1}).execute('SELECT 1')")
"""What no search in a process of its own can do without."""

_WARM = (sys.executable, "-c", "from codequarry.pipeline.evaluation.warm import main; main()")

COSTS = ("index_cpu_s", "index_peak_mb", "store_bytes", "cold_ms", "load_ms", "warm_p50_ms", "warm_p95_ms", "warm_peak_mb")
"""What is fitted against the number of symbols."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One index; times are CPU but for `index_wall_s`. `cold_ms` is a search in a process of its own, of which `base_ms` go
    to importing and connecting; `warm_` ones are those of `queries` different queries in a process that has loaded."""

    name: str
    made_up: bool
    files: int
    symbols: int
    source_bytes: int
    index_cpu_s: float
    index_wall_s: float
    index_peak_mb: float
    store_bytes: int
    base_ms: float
    cold_ms: float
    load_ms: float
    queries: int
    warm_p50_ms: float
    warm_p95_ms: float
    warm_p99_ms: float
    warm_peak_mb: float

    def to_json(self) -> dict[str, Any]:
        """Return the point as plain JSON values."""
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in asdict(self).items()}


def measure(arguments: Sequence[str], name: str, *, made_up: bool, queries: int, runs: int, jobs: int) -> Iterator[Point]:
    """Index what `codequarry index ARGUMENTS` takes and yield its point; of real code with texts, parts of it first."""
    with tempfile.TemporaryDirectory(prefix="codequarry-speed-") as folder:
        store = Path(folder, "store")
        spent = build(arguments, store, jobs=jobs)
        if not made_up:
            for share, listed in shares_of(open_snapshot(store), Path(folder)):
                part = Path(folder, f"store-{share}")
                cost = build(["--repos", str(listed)], part, jobs=jobs)
                yield point_of(part, f"{name} ({share:.0%})", cost, made_up=False, queries=queries, runs=runs)
        yield point_of(store, name, spent, made_up=made_up, queries=queries, runs=runs)


def write_and_measure(symbols: int, *, queries: int, runs: int, jobs: int) -> Iterator[Point]:
    """Yield the point of made-up code with about this many symbols."""
    with tempfile.TemporaryDirectory(prefix="codequarry-speed-") as folder:
        made = write_made_up(Path(folder, "made_up"), symbols)
        yield from measure([str(made)], f"made up {symbols}", made_up=True, queries=queries, runs=runs, jobs=jobs)


def shares_of(snapshot: Snapshot, folder: Path) -> Iterator[tuple[float, Path]]:
    """Write parts of a snapshot's texts, chosen by the hash of their paths; yield each share and its list of sources."""
    try:
        _, sources = documented(snapshot)
    except StoreError:
        return
    for share in SHARES:
        part = {file: row for file, row in sources.items() if _place(row[1]) < share}
        if part:
            yield share, write_sources((), part, folder / f"part-{share}")


def _place(path: str) -> float:
    return int.from_bytes(sha256(path.encode()).digest()[:4], "big") / 2**32


def point_of(store: Path, name: str, spent: Spent, *, made_up: bool, queries: int, runs: int) -> Point:
    """Return the point of a store that was built for what `spent` says; raises CodequarryError where there is too little to ask for."""
    snapshot = open_snapshot(store)
    asked = probes(snapshot, queries + 1)
    if len(asked) < 2:
        raise CodequarryError(f"{name} has too few symbols to ask for: measure a larger source")
    base, cold = _cold(store, asked, runs)
    warm = _warm(store, asked)
    p50, p95, p99 = np.percentile(warm["taken_ms"], [50, 95, 99]).tolist()
    with Connection(snapshot, ("files",)) as connection:
        ((size,),) = connection.rows("SELECT coalesce(sum(size), 0)::BIGINT FROM files WHERE status <> 'skipped'")
    return Point(
        name=name,
        made_up=made_up,
        files=snapshot.rows("files"),
        symbols=snapshot.rows("symbols") - snapshot.rows("files"),
        source_bytes=size,
        index_cpu_s=spent.cpu,
        index_wall_s=spent.wall,
        index_peak_mb=spent.peak,
        store_bytes=folder_bytes(snapshot.folder),
        base_ms=base,
        cold_ms=cold,
        load_ms=warm["load_ms"],
        queries=len(warm["taken_ms"]),
        warm_p50_ms=p50,
        warm_p95_ms=p95,
        warm_p99_ms=p99,
        warm_peak_mb=warm["peak_mb"],
    )


def probes(snapshot: Snapshot, count: int, seed: int = 3) -> list[str]:
    """Return up to `count` different queries of what a snapshot holds: names, words of names, sentences of documentation."""
    chance = random.Random(seed)
    total = snapshot.rows("symbols")
    ids = sorted(chance.sample(range(total), min(8 * count, total)))
    with Connection(snapshot, ("symbols",)) as connection:
        wanted = ", ".join(map(str, ids)) or "NULL"
        rows = connection.rows(
            f"SELECT name, doc FROM symbols WHERE symbol IN ({wanted}) AND kind <> 'file' ORDER BY symbol"
        )
    chance.shuffle(rows)
    words = [" ".join(split_word(name)) for name, _ in rows]
    told = [" ".join(doc.partition(".")[0].split()[:12]) for _, doc in rows if doc and len(doc.split()) > 3]
    pairs = [f"how does {a} work with {b}" for a, b in zip(words[::2], words[1::2], strict=False)]
    kinds = ([name for name, _ in rows], [text for text in words if " " in text], told, pairs)
    longest = max(map(len, kinds))
    mixed = [kind[i] for i in range(longest) for kind in kinds if i < len(kind)]
    return list(dict.fromkeys(mixed))[:count]


def _cold(store: Path, asked: Sequence[str], runs: int) -> tuple[float, float]:
    """Return the median CPU ms of the base process and of a search; the two take turns."""
    argv = (*COMMAND, "search", "--index", str(store), "--json", "--")
    _checked((*argv, asked[0]))  # writes bytecode, and brings the pages into memory
    taken = [(_checked(_BASE), _checked((*argv, query))) for query in islice(cycle(asked), runs)]
    base, cold = (statistics.median(column) for column in zip(*taken, strict=True))
    return base, cold


def _checked(argv: Sequence[str]) -> float:
    spent, code, said = child(argv)
    if code:
        raise CodequarryError(said.removeprefix("codequarry: ") or f"a search ended with exit code {code}")
    return spent.cpu * 1e3


def _warm(store: Path, asked: Sequence[str]) -> dict[str, Any]:
    done = subprocess.run(
        [*_WARM, str(store)], input=json.dumps(asked), env=os.environ.copy(), stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise CodequarryError(f"the searches of {store} ended with exit code {done.returncode}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


class Growth(NamedTuple):
    """How a cost grows with the number of symbols: as their power (the slope of a line through the logarithms), and as a
    fixed part with so much more for every thousand (the line of least squares, weighted by 1/size²: relative errors count)."""

    exponent: float
    fixed: float
    per_1000: float


def growth(points: Sequence[Point]) -> dict[str, dict[str, Growth]]:
    """Return the growth of each cost, of real and of made-up code; kinds of fewer than two sizes have none."""
    found = {}
    for kind, made_up in (("real", False), ("made_up", True)):
        own = [point for point in points if point.made_up is made_up and point.symbols]
        if len({point.symbols for point in own}) > 1:
            sizes = [point.symbols for point in own]
            found[kind] = {cost: _fitted(sizes, [getattr(point, cost) for point in own]) for cost in COSTS}
    return found


def _fitted(sizes: Sequence[int], costs: Sequence[float]) -> Growth:
    x, y = np.asarray(sizes, float), np.asarray(costs, float)
    exponent = _slope(np.log(x), np.log(np.maximum(y, 1e-9)), np.ones(len(x)))
    weights = 1 / x**2
    slope = _slope(x, y, weights)
    fixed = float(np.average(y, weights=weights) - slope * np.average(x, weights=weights))
    return Growth(round(exponent, 4), round(fixed, 4), round(1000 * slope, 4))


def _slope(x: Floats, y: Floats, weights: Floats) -> float:
    x = x - np.average(x, weights=weights)
    return float((weights * x * y).sum() / (weights * x * x).sum())


def speed_lines(points: Sequence[Point]) -> Iterator[str]:
    """Yield the points and the growth as text."""
    width = max(len(point.name) for point in points)
    yield (
        f"{'':{width}}  symbols  source MB  index CPU s   wall s  peak MB  store MB  cold ms (base)  load ms"
        "  warm p50   p95   p99 ms  peak MB"
    )
    for p in points:
        yield (
            f"{p.name:{width}} {p.symbols:8,} {p.source_bytes / 1e6:10.2f} {p.index_cpu_s:12.2f} {p.index_wall_s:8.2f} "
            f"{p.index_peak_mb:8.0f} {p.store_bytes / 1e6:9.2f} {p.cold_ms:8.0f} {f'({p.base_ms:.0f})':>7} {p.load_ms:8.0f} "
            f"{p.warm_p50_ms:9.2f} {p.warm_p95_ms:5.1f} {p.warm_p99_ms:8.1f} {p.warm_peak_mb:8.0f}"
        )
    for kind, costs in growth(points).items():
        yield f"growth of {kind.replace('_', '-')} code with the number of symbols: its power; a fixed part and more a thousand"
        for cost, found in costs.items():
            yield f"  {cost:14} {found.exponent:5.2f}  {found.fixed:12,.2f} + {found.per_1000:12,.2f}"
