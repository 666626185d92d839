"""Print what terms, shards, merge and tables cost for a repository: CPU seconds, bytes, and bytes a byte of source.

    scripts/bench/tables.py FOLDER... [--repeat N] [--layouts]

Facts are extracted first and not timed. Of N repeats the fastest counts: other work on the machine can only make a run
slower. `--layouts` writes the large tables with other page sizes and compression levels too, and times point look-ups.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from codequarry.pipeline import batch
from codequarry.pipeline.assemble import assemble
from codequarry.pipeline.extract import Limits, file_facts
from codequarry.pipeline.facts import FileFacts
from codequarry.pipeline.languages import detect
from codequarry.pipeline.merge import MergeSource, merge
from codequarry.pipeline.shards import Shard, ShardFile, read, write
from codequarry.pipeline.sources import ListingOptions, SourceRequest, open_source
from codequarry.pipeline.terms.lexicon import Lexicon
from codequarry.schemas.tables import POSTINGS, SOURCES, SYMBOLS, Table

_BATCH = 1 << 20

_LOOKUPS = {"symbols": 30, "postings": 5, "sources": 10}
"""Rows that one query asks for, spread over the table."""


def main() -> None:
    """Index each folder step by step, and print a line a step."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    arguments.add_argument("folders", nargs="+", type=Path)
    arguments.add_argument("--repeat", type=int, default=5)
    arguments.add_argument("--layouts", action="store_true")
    args = arguments.parse_args()
    gc.disable()
    for folder in args.folders:
        with TemporaryDirectory() as place:
            _report(folder, Path(place), args.repeat, args.layouts)


def _report(folder: Path, place: Path, repeat: int, layouts: bool) -> None:
    files, facts = _facts(folder)
    size = sum(len(f.text.encode()) for f in facts if f.text is not None) / 1e6
    batches = list(_batches(facts))
    terms, encoded = _best(repeat, lambda: _encode(batches))
    assembling, shard = _best(repeat, lambda: assemble(files, [batch.decode(data) for data in encoded]))
    staging, staged = _best(repeat, lambda: _stage(place / "shard", shard))
    numbers = iter(range(repeat))
    merging, merged = _best(repeat, lambda: merge([MergeSource(repo="r", shards=(staged,))], place / str(next(numbers))))
    print(f"{folder.name}: {len(files)} files, {size:.1f} MB, {merged.statistics['symbols']} symbols")
    for name, seconds in (("terms", terms), ("assemble", assembling), ("stage", staging), ("merge", merging)):
        print(f"  {name:<18} {seconds:6.3f} s  {size / seconds:6.1f} MB/s")
    parts = {name: sum(part.bytes for part in info.parts) / 1e6 for name, info in merged.tables.items()}
    for name, megabytes in sorted(parts.items(), key=lambda item: -item[1]):
        print(f"  {name:<18} {megabytes:6.2f} MB {megabytes / size:7.3f} of source")
    print(f"  {'all':<18} {sum(parts.values()):6.2f} MB {sum(parts.values()) / size:7.3f} of source")
    if layouts:
        for table in (SYMBOLS, POSTINGS, SOURCES):
            _layouts(table, pq.read_table(place / "0" / table.name / "00000.parquet"), place, repeat)


def _facts(folder: Path) -> tuple[list[ShardFile], list[FileFacts]]:
    source = open_source(SourceRequest(name="r", location=folder), ListingOptions())
    files, facts = [], []
    for content in source.read(source.entries):
        if content.data is not None:
            path = content.entry.path
            language = detect(path, content.data[:65536])
            files.append(ShardFile(path, len(content.data), content.blob, content.entry.vendored))
            facts.append(file_facts(content.data, language, path.rpartition("/")[2], Limits()))
    return files, facts


def _batches(facts: Sequence[FileFacts]) -> Any:
    held: list[FileFacts] = []
    for fact in facts:
        held.append(fact)
        if sum(len(f.text or "") for f in held) >= _BATCH:
            yield held
            held = []
    yield held


def _encode(batches: Sequence[Sequence[FileFacts]]) -> list[bytes]:
    batch._LEXICON = Lexicon()  # as in a new process
    return [batch.encode(facts) for facts in batches]


def _stage(path: Path, shard: Shard) -> Shard:
    write(path, shard)
    return read(path)


def _layouts(table: Table, rows: pa.Table, place: Path, repeat: int) -> None:
    print(f"  {table.name:<10} {'page rows':>9} {'level':>5} {'write ms':>9} {'bytes':>10} {'look-up ms':>10}")
    path = place / "layout.parquet"
    for page_rows in (1, 8, 64) if table is SOURCES else (64, 128, 256, 512, 1024):
        for level in (1, 3):
            writing, _ = _best(repeat, lambda n=page_rows, z=level: _write(table, rows, path, n, z))  # type: ignore[misc]
            finding = _look_up(table, rows, path, repeat)
            figures = f"{writing * 1e3:>9.1f} {path.stat().st_size:>10} {finding * 1e3:>10.1f}"
            print(f"  {'':<10} {page_rows:>9} {level:>5} {figures}")


def _write(table: Table, rows: pa.Table, path: Path, page_rows: int, level: int) -> None:
    pq.write_table(
        rows,
        path,
        row_group_size=table.row_group,
        compression="zstd",
        compression_level=level,
        use_dictionary=list(table.coded),  # type: ignore[arg-type]  # the stubs know only bool
        write_statistics=list(table.pruned),
        write_page_index=True,
        write_batch_size=page_rows,
        max_rows_per_page=page_rows,
        data_page_size=(1 << 31) - 1,
        store_schema=False,
    )


def _look_up(table: Table, rows: pa.Table, path: Path, repeat: int) -> float:
    """Return the seconds of one query over a file that DuckDB has not seen before, without connecting."""
    count = _LOOKUPS[table.name]
    wanted = [rows[table.order[0]][i * rows.num_rows // count].as_py() for i in range(count)]
    query = f"SELECT * FROM '{path}' WHERE {table.order[0]} IN ({', '.join(map(repr, wanted))})"
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        return _best(repeat * 3, lambda: connection.execute(query).fetchall())[0]


def _best(repeat: int, work: Callable[[], Any]) -> tuple[float, Any]:
    best, result = float("inf"), None
    for _ in range(repeat):
        start = time.process_time()
        result = work()
        best = min(best, time.process_time() - start)
    return best, result


if __name__ == "__main__":
    main()
