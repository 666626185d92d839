"""A process that loads a store, asks each query once, and tells what that took; nothing but a query's own modules is loaded.

python -c "from codequarry.pipeline.evaluation.warm import main; main()" STORE < queries.json
"""

from __future__ import annotations

import json
import resource
import sys
import time

__all__ = ["main"]


def main() -> None:
    """Print `load_ms`, `taken_ms` (CPU, one a query but for the first, which loads) and `peak_mb` as JSON."""
    from ...query import open_index

    first, *queries = json.load(sys.stdin)
    with open_index(sys.argv[1]) as index:

        def taken(*asked: str) -> float:
            start = time.process_time_ns()
            for query in asked:
                index.search(query)
            return (time.process_time_ns() - start) / 1e6

        load = taken(first, f"where is {first}")  # a name and a sentence: the second brings the vectors in
        times = [taken(query) for query in queries]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    json.dump({"load_ms": load, "taken_ms": times, "peak_mb": peak}, sys.stdout)
