"""Measure searches: what a process for one query costs, what a query costs once the index is loaded, and the memory.

    scripts/bench/query.py --data DIR [--symbols 20000 200000 1000000] [--index STORE...] [--runs 15] [--json]

Stores of made-up code are built below DIR once (see synthetic.py); STORE is any other. `base` is the CPU time of a process
that imports duckdb, numpy and click, connects and selects 1; `cold` that of `codequarry search`; the two take turns, so
that a busy machine is busy for both, and `excess` is the difference of their medians. Warm queries are all different,
run on one thread, and are timed in CPU too. Memory is the resident set of that process: at its peak and after the queries.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

BASE = "import duckdb, numpy, click; duckdb.connect(config={'threads': 1}).execute('SELECT 1').fetchall()"
COLD = "import sys; from codequarry.query.cli import run; raise SystemExit(run(sys.argv[1:]))"

BUDGETS = {20_000: (60, 2, 0), 200_000: (0, 10, 250), 1_000_000: (150, 30, 600)}
"""Symbols: cold excess and warm median in ms, memory in MB; 0 where none is set. On the machine that they were set on,
`import duckdb, numpy, click` and connecting took 220 ms of CPU (the column `base`): elsewhere compare ratios."""

QUERIES = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Times in CPU ms, memory in MB."""

    store: str
    symbols: int
    base: float
    cold: float
    excess: float
    load: float
    warm_p50: float
    warm_p95: float
    peak: float
    resident: float

    def line(self) -> str:
        return (
            f"{self.store:14} {self.symbols:9,} {self.base:6.0f} {self.cold:6.0f} {self.excess:7.0f} "
            f"{self.excess / self.base:6.2f} {self.load:7.0f} {self.warm_p50:6.2f} {self.warm_p95:6.2f} "
            f"{self.peak:6.0f} {self.resident:9.0f}"
        )


HEADER = (
    f"{'store':14} {'symbols':>9} {'base':>6} {'cold':>6} {'excess':>7} {'/base':>6} {'load':>7} {'p50':>6} {'p95':>6} "
    f"{'peak':>6} {'resident':>9}"
)


def child(code: str, *arguments: str) -> float:
    """Run Python code in a process of its own and return its CPU time in ms."""
    argv = (sys.executable, "-c", code, *arguments)
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, env=_environment())
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{argv} ended with {process.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1e3


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def queries(store: Path, count: int, seed: int = 3) -> list[str]:
    """Return different queries of what the store holds: names, words of names, sentences of documentation."""
    from codequarry.query import open_index
    from codequarry.query.connection import Connection
    from codequarry.schemas.terms import split_word

    chance = random.Random(seed)
    with open_index(store, resident=False) as index, Connection(index.snapshot, ("symbols",)) as connection:
        ids = sorted(chance.sample(range(index.snapshot.rows("symbols")), 8 * count))
        marks = ", ".join(map(str, ids))
        rows = connection.rows(f"SELECT name, doc FROM symbols WHERE symbol IN ({marks}) AND kind <> 'file' ORDER BY symbol")
    names = [name for name, _ in rows]
    chance.shuffle(names)
    words = [" ".join(split_word(name)) for name in names]
    sentences = [" ".join(doc.partition(".")[0].split()[:12]) for _, doc in rows if doc and len(doc.split()) > 3]
    pairs = [f"how does {a} work with {b}" for a, b in zip(words[::2], words[1::2], strict=False)]
    kinds = (names, [w for w in words if " " in w], sentences or pairs, pairs)
    mixed = [query for group in zip(*kinds, strict=False) for query in group]
    return list(dict.fromkeys(mixed or names))[:count]


def cold(store: Path, asked: Sequence[str], runs: int) -> tuple[float, float]:
    """Return the median CPU ms of the base process and of a search in a process of its own."""
    arguments = ("search", "--index", str(store), "--json")
    child(COLD, *arguments, "--", asked[0])  # writes the bytecode, and brings the pages into memory
    taken = [(child(BASE), child(COLD, *arguments, "--", query)) for query in asked[:runs]]
    base, search = (statistics.median(column) for column in zip(*taken, strict=True))
    return base, search


def warm(store: Path, asked: Sequence[str]) -> dict[str, float]:
    """Load a store and ask each query once; to be run in a process of its own."""
    from codequarry.query import open_index

    def spent(query: str) -> float:
        start = time.process_time()
        index.search(query)
        return (time.process_time() - start) * 1e3

    with open_index(store) as index:
        load = spent(asked[0])
        times = sorted(spent(query) for query in asked[1:])
        peak, resident = _memory()
    return {
        "load": load,
        "warm_p50": statistics.median(times),
        "warm_p95": times[len(times) * 95 // 100],
        "peak": peak,
        "resident": resident,
    }


def _memory() -> tuple[float, float]:
    """Return the largest and the present resident set in MB; macOS tells only the largest."""
    status = Path("/proc/self/status")
    if not status.exists():
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
        return peak, peak
    fields = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return tuple(int(fields[name].split()[0]) / 1024 for name in ("VmHWM", "VmRSS"))  # type: ignore[return-value]


def measure(store: Path, runs: int) -> Figures:
    """Measure one store."""
    from codequarry.query import open_index

    with open_index(store, resident=False) as index:
        symbols = index.snapshot.rows("symbols") - index.snapshot.rows("files")
    asked = queries(store, QUERIES)
    base, search = cold(store, asked, runs)
    argv = [sys.executable, __file__, "--warm", str(store)]
    done = subprocess.run(argv, input=json.dumps(asked), capture_output=True, text=True, env=_environment(), check=True)
    return Figures(
        store=store.name, symbols=symbols, base=base, cold=search, excess=search - base, **json.loads(done.stdout)
    )


def stores(data: Path, sizes: Sequence[int], others: Sequence[Path]) -> Iterator[Path]:
    """Yield the stores to measure; those of made-up code are built where they are missing."""
    for size in sizes:
        out = data / f"symbols-{size}"
        if not (out / "latest.json").exists():
            subprocess.run([sys.executable, __file__, "--build", str(out), "--symbols", str(size)], check=True)
        yield out
    yield from others


def _build(out: Path, size: int) -> None:
    from synthetic import make_corpus, publish

    out.mkdir(parents=True, exist_ok=True)
    publish(make_corpus(size), out)


def over(figures: Figures) -> Iterator[str]:
    """Say what is over its budget: of the smallest size that has as many symbols."""
    excess, median, memory = next((b for size, b in BUDGETS.items() if figures.symbols <= size), (0, 0, 0))
    found = (("excess", figures.excess, excess), ("p50", figures.warm_p50, median), ("peak", figures.peak, memory))
    for name, value, budget in found:
        if budget and value > budget:
            yield f"{figures.store}: {name} {value:.1f} over {budget}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--symbols", type=int, nargs="*", default=list(BUDGETS))
    parser.add_argument("--index", type=Path, nargs="*", default=[], metavar="STORE")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--warm", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--build", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.warm:
        print(json.dumps(warm(options.warm, json.load(sys.stdin))))
    elif options.build:
        _build(options.build, options.symbols[0])
    else:
        _report(parser, options)


def _report(parser: argparse.ArgumentParser, options: Any) -> None:
    if options.symbols and options.data is None:
        parser.error("give --data DIR for the stores of made-up code, or --symbols without sizes")
    found = []
    if not options.json:
        print(HEADER, flush=True)
    for store in stores(options.data, options.symbols, options.index):
        found.append(measure(store, options.runs))
        if not options.json:
            print(found[-1].line(), flush=True)
    if options.json:
        print(json.dumps([asdict(figures) for figures in found]))
        return
    for figures in found:
        for line in over(figures):
            print(line)


if __name__ == "__main__":
    main()
