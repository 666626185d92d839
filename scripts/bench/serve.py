"""Put a server through many mixed calls, malformed ones and a swap of snapshots among them, beside the same calls to the library.

    scripts/bench/serve.py --first STORE --second STORE [--calls N] [--seed N] [--alone]

A copy of the first store is served; half-way its snapshot is replaced by that of the second. Every well-formed call is also
made to the library in this process, in turn, over the snapshot that answered. Prints for each tool the number of calls and
the median and 95th percentile of both in milliseconds, the memory of the server after a tenth of the calls, before the swap
and at the end, and what went wrong. With `--alone` nothing is asked of the library, for the memory in half the time.

Exit code 1 if the server died, an answer is not what it should be, memory grew by more than a tenth or the 95th percentile is
above 1.5 times the library's.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from codequarry.query.connection import Connection
from codequarry.query.graph import relations, resolve
from codequarry.query.graph.about import info
from codequarry.query.graph.related import GROUPS
from codequarry.query.serve import Shelf
from codequarry.query.store import open_snapshot

SERVER = [sys.executable, "-c", "from codequarry.query.cli import main; main()", "serve", "--index"]
MIX = {"search": 40, "lines": 5, "relations": 20, "info": 20, "context": 5, "status": 2, "malformed": 8}
GROWTH, SLOWER = 0.10, 1.5
NAMES = tuple(name for name in GROUPS if name != "overrides")

MALFORMED: tuple[dict[str, Any], ...] = (
    {"method": "tools/call", "params": {"name": "search", "arguments": {"q": "x"}}},
    {"method": "tools/call", "params": {"name": "search", "arguments": {"query": ["x"]}}},
    {"method": "tools/call", "params": {"name": "search", "arguments": {"query": "x", "limit": -1}}},
    {"method": "tools/call", "params": {"name": "search", "arguments": {"query": "(", "match": "content", "regex": True}}},
    {"method": "tools/call", "params": {"name": "info", "arguments": {"symbol": "\u0000 nowhere"}}},
    {"method": "tools/call", "params": {"name": "relations", "arguments": {}}},
    {"method": "tools/call", "params": {"name": "delete", "arguments": {}}},
    {"method": "tools/call", "params": {"arguments": {}}},
    {"method": "tools/call", "params": {"name": 5}},
    {"method": "tools/burn", "params": {}},
    {"method": "resources/read", "params": {"uri": "codequarry://nothing"}},
    {"method": "resources/read", "params": {}},
)
"""What must be answered by an error."""

NOISE = (b"nonsense\n", b"{}\n", b"[1, 2]\n", b'{"jsonrpc": "2.0"}\n', b"\xff\xfe\n", b"\n")
"""Lines that are no calls; nothing is asked of their answer but that the next call is answered."""


class Client:
    """Talks to one server over its pipes, line by line, without the time that a client library takes."""

    def __init__(self, index: Path) -> None:
        self._process = subprocess.Popen(
            [*SERVER, str(index)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._id = 0
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.ask({"method": "initialize", "params": hello})
        self.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')

    def send(self, line: bytes) -> None:
        """Write one line."""
        assert self._process.stdin is not None
        self._process.stdin.write(line)
        self._process.stdin.flush()

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a request; what the server says to other lines is passed over."""
        assert self._process.stdout is not None
        self._id += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self._id, **request}).encode() + b"\n")
        while True:
            line = self._process.stdout.readline()
            if not line:
                raise SystemExit(f"the server ended with {self._process.wait()}, asked {json.dumps(request)[:200]}")
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == self._id:
                return answer

    def resident(self) -> float:
        """Return the resident memory of the server in MB."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1000

    def close(self) -> int:
        """End the input and return the exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait()


def questions(store: Path, count: int, dice: random.Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield kinds of calls and their arguments, drawn from the names of a store."""
    with Connection(open_snapshot(store), ("symbols",)) as connection:
        rows = connection.rows(
            "SELECT key, name, coalesce(doc, signature, name) FROM symbols WHERE kind <> 'file' ORDER BY symbol"
        )
    kinds = dice.choices(list(MIX), list(MIX.values()), k=count)
    for kind in kinds:
        key, name, words = dice.choice(rows)
        sentence = " ".join(words.split()[: dice.randint(2, 9)])
        yield (
            kind,
            {
                "search": {"query": dice.choice((name, sentence)), "limit": dice.choice((5, 10, 20))},
                "lines": {"query": name, "match": "content"},
                "relations": {"symbol": dice.choice((key, name))},
                "info": {"symbol": dice.choice((key, name))},
                "context": {"task": sentence, "budget": dice.choice((1000, 4000, 8000))},
                "status": {},
                "malformed": dice.choice(MALFORMED),
            }[kind],
        )


def to_library(shelf: Shelf, kind: str, given: dict[str, Any]) -> None:
    """Make a call of the server to the library itself, down to plain values."""
    if kind in ("search", "lines"):
        shelf.index.search(given["query"], given.get("limit", 10), match=given.get("match", "auto")).to_json()
    elif kind == "context":
        shelf.packs.pack(given["task"], budget=given["budget"])
    elif kind == "status":
        shelf.status().to_json()
    elif kind == "relations":
        relations(shelf.graph, resolve(shelf.graph, given["symbol"]), NAMES, limit=10).to_json()
    else:
        info(shelf.graph, resolve(shelf.graph, given["symbol"])).to_json()


def timed(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return milliseconds and the result, or the error."""
    started = time.perf_counter()
    try:
        result = function()
    except Exception as error:  # an ambiguous or unknown name takes its time too
        result = error
    return 1000 * (time.perf_counter() - started), result


@contextmanager
def served(first: Path) -> Iterator[tuple[Path, Client]]:
    """Yield a copy of a store and a client of its server."""
    with tempfile.TemporaryDirectory(prefix="codequarry-bench-") as folder:
        store = Path(folder) / "store"
        shutil.copytree(first, store)
        client = Client(store)
        yield store, client
        if code := client.close():
            raise SystemExit(f"the server ended with {code}")


def replace(store: Path, second: Path) -> None:
    """Put another snapshot into a store as a publisher would: first the folder, then its name."""
    shutil.copytree(second / "snapshots", store / "snapshots", dirs_exist_ok=True)
    shutil.copytree(second / "encoders", store / "encoders", dirs_exist_ok=True)
    shutil.copy(second / "latest.json", store / "latest.new")
    os.replace(store / "latest.new", store / "latest.json")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--first", type=Path, required=True)
    parser.add_argument("--second", type=Path, required=True)
    parser.add_argument("--calls", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alone", action="store_true")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    times: dict[str, list[tuple[float, float]]] = defaultdict(list)
    faults: Counter[str] = Counter()
    memory: list[float] = []
    with ExitStack() as stack:
        store, client = stack.enter_context(served(options.first))
        shelves = {shelf.snapshot.id: shelf for shelf in (Shelf(options.first), Shelf(options.second))}
        live = open_snapshot(options.first).id
        seen = set()
        for number, (kind, given) in enumerate(questions(options.first, options.calls, dice)):
            if number in (options.calls // 10, options.calls // 2):
                memory.append(client.resident())
            if number == options.calls // 2:
                replace(store, options.second)
            if kind == "malformed":
                client.send(dice.choice(NOISE))
                answer = client.ask(given)
                if "error" not in answer and not answer["result"].get("isError"):
                    faults[f"not refused: {json.dumps(given)[:80]}"] += 1
                continue
            tool = "search" if kind == "lines" else kind
            call = {"method": "tools/call", "params": {"name": tool, "arguments": given}}
            spent, answer = timed(lambda: client.ask(call))  # noqa: B023  # called at once
            result = answer.get("result", {})
            live = (result.get("structuredContent") or {}).get("snapshot", live)
            seen.add(live)
            own, outcome = spent, answer
            if not options.alone:
                own, outcome = timed(lambda: to_library(shelves[live], kind, given))  # noqa: B023  # called at once
            if "result" not in answer or (result.get("isError") and not (options.alone or isinstance(outcome, Exception))):
                faults[f"{kind}: {json.dumps(answer)[:120]}"] += 1
            times[kind].append((spent, own))
        memory.append(client.resident())
        for shelf in shelves.values():
            shelf.close()
    return report(times, memory, faults, seen)


def report(times: dict[str, list[tuple[float, float]]], memory: list[float], faults: Counter[str], seen: set[str]) -> int:
    """Print the figures and return the exit code."""
    print(f"{'':10}{'calls':>7}{'p50':>9}{'library':>9}{'p95':>9}{'library':>9}{'ratio':>7}")
    every = [pair for pairs in times.values() for pair in pairs]
    for name, pairs in [*times.items(), ("all", every)]:
        values = np.array(pairs)
        p50, p95 = np.percentile(values, 50, axis=0), np.percentile(values, 95, axis=0)
        print(f"{name:10}{len(pairs):>7}{p50[0]:9.2f}{p50[1]:9.2f}{p95[0]:9.2f}{p95[1]:9.2f}{p95[0] / p95[1]:7.2f}")
    growth = memory[-1] / memory[0] - 1
    print(
        f"memory MB: {', '.join(f'{value:.0f}' for value in memory)}; growth {100 * growth:+.1f} %; snapshots seen: {len(seen)}"
    )
    for fault, count in faults.items():
        print(f"{count} times {fault}")
    ratio = np.percentile(np.array(every)[:, 0], 95) / np.percentile(np.array(every)[:, 1], 95)
    return int(bool(faults) or growth > GROWTH or ratio > SLOWER or len(seen) != 2)


if __name__ == "__main__":
    sys.exit(main())
