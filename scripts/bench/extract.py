"""Print megabytes a CPU second by language: parse alone, extraction of symbols, and all that a worker finds in a file.

    scripts/bench/extract.py FOLDER... [--language ID ...] [--megabytes N] [--repeat N]

Files are read first and not timed; the garbage collector is off, as it is in the workers. Of N repeats the fastest counts,
since other work on the machine can only make a run slower. The last two columns are what extraction and all facts
(references, tokens and links too) take as multiples of the parse alone of the same files in the same process: unlike the
rates they hardly depend on the machine or its load. A file that is parsed anew, repaired after errors, is parsed alone once.
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
from codequarry.pipeline.worker import FileTask, facts_of

HEAD = f"{'language':<12} {'files':>6} {'MB':>6} {'symbols':>8} {'parse':>6} {'symbols':>8} {'all':>6} MB/s {'x parse':>8} {'x parse':>8}"


def main() -> None:
    """Read the files below the folders, time them by language, print one line each."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--language", nargs="*", default=[])
    arguments.add_argument("--megabytes", type=float, default=4, help="at most so much of each language")
    arguments.add_argument("--repeat", type=int, default=3)
    args = arguments.parse_args()
    gc.disable()
    print(HEAD)
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
    alone, extraction, everything = _best(
        repeat,
        lambda: [parse(data, language) for data, _ in kept],
        lambda: [file_facts(data, language, name, limits) for data, name in kept],
        lambda: [facts_of(FileTask(language, name, data), limits) for data, name in kept],
    )
    print(
        f"{language:<12} {len(kept):>6} {size:>6.2f} {sum(len(fact.symbols) for fact in facts):>8} "
        f"{size / alone:>6.1f} {size / extraction:>8.1f} {size / everything:>6.1f}      "
        f"{extraction / alone:>8.2f} {everything / alone:>8.2f}",
        flush=True,
    )


def _best(repeat: int, *works: Callable[[], object]) -> list[float]:
    """Return the least CPU seconds of each, in turn, so that a slow minute is one of all."""
    times = [[_seconds(work) for work in works] for _ in range(repeat)]
    return [min(column) for column in zip(*times, strict=True)]


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
