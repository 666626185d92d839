"""The merge as a whole: dense ids in the order (repo, path, start byte), then one table after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ...schemas.manifest import TableInfo
from ..shards import Shard
from ..vectors import NO_MODEL, Model
from .edges import degrees, write_graph
from .families import Apart
from .graph import link_shards
from .linking import Kept
from .links import write_doc_links
from .neighbors import write_neighbor_terms
from .placing import PlacedShard, release
from .postings import write_postings
from .rows import write_files, write_sources, write_symbols
from .statistics import write_file_statistics, write_symbol_statistics
from .vectors import write_vectors

__all__ = ["MergeSource", "Merged", "merge"]

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeSource:
    """One repository: its name and its shards, in the order of their paths."""

    repo: str
    shards: tuple[Shard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """What a manifest says of the merged tables; see schemas.manifest.Manifest."""

    tables: dict[str, TableInfo]
    statistics: dict[str, Any]
    kinds: tuple[str, ...]
    languages: tuple[str, ...]


def merge(
    sources: Sequence[MergeSource],
    snapshot: Path,
    model: Model = NO_MODEL,
    *,
    with_sources: bool = True,
    kept: Kept | None = None,
    apart: Apart | None = None,
) -> Merged:
    """Write the tables of `snapshot`, a folder that holds none yet; the bytes do not depend on how repositories were cut.

    `model` made the vectors of the shards, which have none where it has no folder. What linking gave in earlier runs is found
    in `kept` where nothing of it changed, and put there otherwise; `apart` says from what size on children link.
    Sources are put in the order of their names' bytes, which is also their order in the manifest. Beside the shards, which
    may be mapped files whose pages are given back after each table, memory holds the columns of about one shard or one range
    of terms at a time, and the statistics of all symbols, some 30 bytes each.
    """
    shards = list(_placed(sorted(sources, key=lambda source: source.repo.encode())))

    def done(made: _Made) -> _Made:
        release(shards)
        return made

    tables = {
        "files": done(write_files(shards, snapshot)),
        "symbols": done(write_symbols(shards, snapshot)),
        "postings": done(write_postings(shards, snapshot)),
    }
    if with_sources:
        tables["sources"] = done(write_sources(shards, snapshot))
    graph = done(link_shards(shards, kept, apart))
    tables.update(done(write_graph(graph, shards, snapshot)))
    tables["neighbor_terms"] = done(write_neighbor_terms(graph.edges, shards, snapshot))
    tables["doc_links"] = done(write_doc_links(shards, snapshot))
    symbols = sum(shard.symbols for shard in shards)
    known = degrees(graph.edges, symbols)
    tables["symbol_statistics"], kinds, symbol_lengths = done(write_symbol_statistics(shards, known, snapshot))
    tables["file_statistics"], languages, file_lengths = done(write_file_statistics(shards, snapshot))
    if model.vectorizer is not None:
        tables["vectors"] = write_vectors(shards, model.vectorizer, snapshot)
    files = sum(shard.files for shard in shards)
    statistics = {
        "files": files,
        "symbols": symbols - files,
        "symbol_lengths": symbol_lengths,
        "file_lengths": file_lengths,
        "unresolved": [
            dict(zip(("language", "kind", "reason", "references"), row, strict=True)) for row in graph.unresolved
        ],
    }
    return Merged(tables=tables, statistics=statistics, kinds=kinds, languages=languages)


def _placed(sources: Sequence[MergeSource]) -> Iterator[PlacedShard]:
    """Give each shard the ids at which its own begin."""
    first_file = first_symbol = 0
    for number, source in enumerate(sources):
        for shard in source.shards:
            placed = PlacedShard(
                repo=source.repo, source=number, shard=shard, first_file=first_file, first_symbol=first_symbol
            )
            yield placed
            first_file += placed.files
            first_symbol += placed.symbols
