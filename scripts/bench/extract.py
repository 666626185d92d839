"""Print megabytes a CPU second by language: parse alone, and parse with symbols.

    scripts/bench/extract.py FOLDER... [--language ID ...] [--megabytes N] [--repeat N]

Files are read first and not timed; the garbage collector is off, as it is in the workers. Of N repeats the fastest counts,
since other work on the machine can only make a run slower. `share` is parse time over total time: unlike the rates it
hardly depends on the machine or its load.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from codequarry.pipeline.extract import Limits, file_facts, parse
from codequarry.pipeline.languages import LANGUAGES, detect


def main() -> None:
    """Read the files below the folders, time them by language, print one line each."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--language", nargs="*", default=[])
    arguments.add_argument("--megabytes", type=float, default=4, help="at most so much of each language")
    arguments.add_argument("--repeat", type=int, default=3)
    args = arguments.parse_args()
    gc.disable()
    print(f"{'language':<12} {'files':>6} {'MB':>6} {'symbols':>8} {'parse MB/s':>10} {'all MB/s':>9} {'share':>6}")
    for language, files in sorted(_read(args.folders, args.megabytes * 1e6).items()):
        if not args.language or language in args.language:
            _report(language, files, args.repeat)


def _read(folders: list[Path], limit: float) -> dict[str, list[tuple[bytes, str]]]:
    found: dict[str, list[tuple[bytes, str]]] = defaultdict(list)
    size: dict[str, int] = defaultdict(int)
    for path in (p for folder in folders for p in sorted(folder.rglob("*")) if p.is_file() and ".git" not in p.parts):
        data = path.read_bytes()
        language = detect(path.as_posix(), data[:8192])
        if language and LANGUAGES[language].grammar and len(data) < 1_000_000 and size[language] < limit:
            found[language].append((data, path.name))
            size[language] += len(data)
    return found


def _report(language: str, files: list[tuple[bytes, str]], repeat: int) -> None:
    limits = Limits()
    facts = [file_facts(data, language, name, limits) for data, name in files]
    kept = [(data, name) for (data, name), fact in zip(files, facts, strict=True) if fact.text is not None]
    size = sum(len(data) for data, _ in kept) / 1e6
    if not size:
        return
    alone = _best(repeat, lambda: [parse(data, language) for data, _ in kept])
    whole = _best(repeat, lambda: [file_facts(data, language, name, limits) for data, name in kept])
    symbols = sum(len(fact.symbols) for fact in facts)
    print(
        f"{language:<12} {len(kept):>6} {size:>6.2f} {symbols:>8} {size / alone:>10.1f} {size / whole:>9.1f} {alone / whole:>6.2f}",
        flush=True,
    )


def _best(repeat: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
