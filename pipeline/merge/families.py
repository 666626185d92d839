"""Links of all files, family of languages by family; those of a large one are found in a process of its own.

What is linked together is held as objects, about 25 bytes for each byte of encoded references. Where that is much, it is
held by a child that ends with it, so that the merge does not inherit its memory, and several families are linked at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...schemas.errors import UsageError
from ..pool import PoolLimits, WorkerLostError, WorkerPool
from ..shards import read
from .linked import ENDS, Linked
from .linking import Kept, known_family, link_family
from .members import families_of
from .placing import PlacedShard, release

__all__ = ["IMPORTS", "Apart", "Links", "link_all"]

IMPORTS = pa.schema(
    [
        pa.field(name, type_)
        for name, type_ in zip(
            ("file", "line", "module", "target"), (pa.int32(), pa.int32(), pa.string(), pa.int32()), strict=True
        )
    ]
)
"""An import: the importing file, its line, the module as it is written, the file that it leads to, -1 if outside."""

GROWTH = 25
"""Bytes of memory for each byte of encoded references while they are linked; 14 to 22 measured on made-up code."""

KNOWN = 64 << 20
"""Encoded bytes of a family up to which this process looks for its links of earlier runs: a child costs more than that."""

_CPU_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """When and how families are linked in children: from `least` encoded bytes of one on, in at most `memory` bytes together.

    Children leave what they found in `folder`. Each is an interpreter that takes a third of a CPU second to start; below
    `least`, this process takes up to 200 MB instead.
    """

    folder: Path
    workers: int = 1
    memory: int = 1 << 40
    least: int = 8 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Edges (linked.ENDS) in no order with the numbers of all files, IMPORTS in the order of their columns, and open calls."""

    edges: NDArray[Any]
    imports: pa.Table
    unresolved: tuple[tuple[str, str, str, int], ...]


class _Place(NamedTuple):
    """A placed shard as a child finds it."""

    repo: str
    source: int
    path: Path
    first_file: int
    first_symbol: int


def link_all(shards: Sequence[PlacedShard], kept: Kept | None = None, code: str = "", apart: Apart | None = None) -> Links:
    """Resolve the references of all shards against each other; `code` is a digest of the code that does."""
    edges: list[NDArray[Any]] = [np.zeros(0, ENDS)]
    imports: list[pa.Table] = [IMPORTS.empty_table()]
    unresolved: Counter[tuple[str, str, str]] = Counter()
    for linked in _linked(shards, kept, code, apart):
        edges.append(linked.edges)
        columns = zip(*linked.imports, strict=True) if linked.imports else ((),) * len(IMPORTS)
        file, line, module, target = columns
        imports.append(pa.table([file, line, module, target], schema=IMPORTS))
        unresolved.update({key[:3]: key[3] for key in linked.unresolved})
    rows = tuple((*key, calls) for key, calls in sorted(unresolved.items()))
    order: list[tuple[str, Literal["ascending", "descending"]]] = [(name, "ascending") for name in IMPORTS.names]
    return Links(edges=np.concatenate(edges), imports=pa.concat_tables(imports).sort_by(order), unresolved=rows)


def _linked(shards: Sequence[PlacedShard], kept: Kept | None, code: str, apart: Apart | None) -> Iterator[Linked]:
    sizes: Counter[str] = Counter()
    for placed in shards:
        for family, size in families_of(placed):
            sizes[family] += size
    release(shards)
    large = sorted(family for family, size in sizes.items() if apart is not None and size >= apart.least)
    for family in list(large):
        known = known_family(shards, family, kept, code) if kept is not None and sizes[family] <= KNOWN else None
        if known is not None:
            yield known
            large.remove(family)
            del sizes[family]
    if apart is not None and large and all(placed.shard.mapped is not None for placed in shards):
        yield from _apart(shards, {family: sizes.pop(family) for family in large}, kept, code, apart)
    for family in sorted(sizes):
        yield link_family(shards, family, kept, code)
        release(shards)


def _apart(
    shards: Sequence[PlacedShard], sizes: dict[str, int], kept: Kept | None, code: str, apart: Apart
) -> Iterator[Linked]:
    """Link each family in a child, the largest first, and yield their links in the order of their names."""
    most = max(1, apart.memory // (GROWTH * max(sizes.values())))
    limits = PoolLimits(
        workers=min(apart.workers, most, len(sizes)), cpu_seconds=_CPU_SECONDS, memory_bytes=apart.memory, fresh=True
    )
    places = [_Place(p.repo, p.source, p.shard.mapped.path, p.first_file, p.first_symbol) for p in shards if p.shard.mapped]
    with WorkerPool(limits) as pool:
        order = sorted(sizes, key=lambda family: (-sizes[family], family))
        found: dict[str, Future[Path]] = {
            family: pool.submit(_link, places, family, kept, code, apart.folder / family) for family in order
        }
        for family in sorted(found):
            try:
                path = found[family].result()
            except WorkerLostError as loss:
                raise UsageError(
                    f"the code of {family} cannot be linked within the memory of this run ({loss}): "
                    "index with a larger --memory-limit"
                ) from None
            yield Linked.loads(path.read_bytes())
            path.unlink()


def _link(places: Sequence[_Place], family: str, kept: Kept | None, code: str, out: Path) -> Path:
    """Link one family of the shards at some places, and return the file of what was found; runs in a child."""
    shards = [
        PlacedShard(repo=p.repo, source=p.source, shard=read(p.path), first_file=p.first_file, first_symbol=p.first_symbol)
        for p in places
    ]
    data = link_family(shards, family, kept, code).dumps()
    partial = out.with_name(out.name + ".partial")
    partial.write_bytes(data)
    return partial.replace(out)
