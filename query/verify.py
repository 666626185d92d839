"""Check a snapshot against its manifest, byte by byte and then row by row, and name everything that is wrong."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ..schemas import layout
from ..schemas.errors import CodequarryError, DamagedError
from ..schemas.manifest import Part
from ..schemas.tables import BLOCK_ROWS, EDGE_KINDS, EVIDENCE, FILE_FIELDS, SYMBOL_FIELDS, TABLES, Table
from .connection import Connection, Limits
from .meaning import load_encoder
from .readers._load_symbols import load_symbols
from .readers.decode import BadBlobError, gather
from .readers.files import read_files
from .readers.neighbours import load_adjacency
from .readers.vectors import LookupVectors
from .store import AGAIN, Snapshot, open_snapshot

__all__ = ["Fault", "Report", "verify"]

_CHUNK = 1 << 20
_TERMS = 8192


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that is wrong: the file as it stands in the snapshot (`TABLE/PART`), what is wrong, and what to do."""

    file: str
    problem: str
    remedy: str = AGAIN

    def __str__(self) -> str:
        return f"{self.file}: {self.problem}: {self.remedy}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was checked and what is wrong with it."""

    snapshot: str
    files: int
    bytes: int
    rows: int
    faults: tuple[Fault, ...]

    def raise_if_damaged(self) -> None:
        """Raise DamagedError with every fault, if there is any."""
        if self.faults:
            raise DamagedError("; ".join(map(str, self.faults)))


def verify(path: str | os.PathLike[str]) -> Report:
    """Check the id, every part's size and sha256, and, where those are right, row counts, columns and ids.

    The content is not looked at where a hash is wrong already: it would only repeat the same fault in other words.
    Raises what `open_snapshot` raises where there is no manifest to check against.
    """
    snapshot = open_snapshot(path, check_parts=False)
    faults = [*_identity(snapshot), *_strangers(snapshot)]
    parts = [(table, part) for table, info in sorted(snapshot.manifest.tables.items()) for part in info.parts]
    faults += [fault for table, part in parts for fault in _bytes(snapshot, table, part)]
    if not faults:
        faults += _content(snapshot)
    return Report(
        snapshot=snapshot.id,
        files=len(parts) + 1,
        bytes=sum(part.bytes for _, part in parts),
        rows=sum(part.rows for _, part in parts),
        faults=tuple(faults),
    )


def _identity(snapshot: Snapshot) -> Iterator[Fault]:
    """A snapshot inside a store is called by its id; elsewhere a folder may have any name."""
    name = snapshot.folder.name
    if snapshot.folder.parent.name == layout.SNAPSHOTS and name != snapshot.id:
        problem = f"its sha256 begins with {snapshot.id}, not with the folder's name {name}"
        yield Fault(file=layout.MANIFEST, problem=problem)


def _strangers(snapshot: Snapshot) -> Iterator[Fault]:
    """Yield files that the manifest does not know."""
    known = {layout.MANIFEST} | {f"{t}/{p.name}" for t, info in snapshot.manifest.tables.items() for p in info.parts}
    for folder, inner, names in sorted(os.walk(snapshot.folder)):
        links = [name for name in inner if Path(folder, name).is_symlink()]
        for name in sorted([*names, *links]):
            place = Path(folder, name).relative_to(snapshot.folder).as_posix()
            if place not in known:
                yield Fault(file=place, problem="is not in the manifest", remedy="remove it: nothing reads it")


def _bytes(snapshot: Snapshot, table: str, part: Part) -> Iterator[Fault]:
    file = f"{table}/{part.name}"
    digest, size = hashlib.sha256(), 0
    try:
        with open(layout.part_path(snapshot.folder, table, part.name), "rb") as stream:
            while block := stream.read(_CHUNK):
                digest.update(block)
                size += len(block)
    except FileNotFoundError:
        yield Fault(file=file, problem="is missing")
        return
    except (OSError, DamagedError) as error:
        yield Fault(file=file, problem=f"cannot be read ({getattr(error, 'strerror', None) or 'it is a link'})")
        return
    if size != part.bytes:
        yield Fault(file=file, problem=f"has {size} bytes, not {part.bytes}")
    elif digest.hexdigest() != part.sha256:
        yield Fault(file=file, problem="has another sha256 than the manifest says")


def _content(snapshot: Snapshot) -> Iterator[Fault]:
    with Connection(snapshot, limits=Limits(threads=1)) as connection:
        for name, info in sorted(snapshot.manifest.tables.items()):
            if name in TABLES:
                yield from _table(connection, snapshot, TABLES[name], info.rows)
        for check in (_statistics, _symbol_ids, _postings, _edges, _neighbours, _vectors):
            yield from check(connection, snapshot)


def _table(connection: Connection, snapshot: Snapshot, table: Table, rows: int) -> Iterator[Fault]:
    """Check the number of rows, nulls and the range of ids of one table."""
    spaces = {"file": snapshot.rows("files"), "symbol": snapshot.rows("symbols")}
    whole = [c for c in table.columns if not c.nullable]
    ids = [c for c in table.columns if c.space in spaces and c.type == "int32"]
    measures = [
        "count(*)",
        *(f"count(*) - count({c.name})" for c in whole),
        *(f"coalesce(min({c.name}), 0)" for c in ids),
        *(f"coalesce(max({c.name}), 0)" for c in ids),
    ]
    (found,) = connection.rows(f"SELECT {', '.join(measures)} FROM {connection.source(table.name)}")
    if found[0] != rows:
        yield _fault(snapshot, table.name, f"holds {found[0]} rows, not {rows}")
    for column, nulls in zip(whole, found[1:], strict=False):
        if nulls:
            yield _fault(snapshot, table.name, f"holds {nulls} nulls in {column.name}")
    low, high = found[1 + len(whole) : 1 + len(whole) + len(ids)], found[1 + len(whole) + len(ids) :]
    for column, smallest, largest in zip(ids, low, high, strict=True):
        if smallest < 0 or largest >= max(spaces[str(column.space)], 1):
            yield _fault(snapshot, table.name, f"holds values of {column.name} out of the range of {column.space} ids")


def _symbol_ids(connection: Connection, snapshot: Snapshot) -> Iterator[Fault]:
    """Ids are dense and in the order of rows; a file's own row is where `files` says."""
    for table, column in (("files", "file"), ("symbols", "symbol")):
        total = snapshot.rows(table)
        (found,) = connection.rows(f"SELECT count(DISTINCT {column}) FROM {table}")
        if found[0] != total:
            yield _fault(snapshot, table, f"holds {found[0]} distinct values of {column}, not {total}")
    (wrong,) = connection.rows(
        "SELECT count(*) FROM files JOIN symbols USING (symbol) WHERE symbols.file <> files.file OR symbols.kind <> 'file'"
    )
    if wrong[0]:
        yield _fault(snapshot, "files", f"names {wrong[0]} symbols that are not the file's own row")


def _statistics(connection: Connection, snapshot: Snapshot) -> Iterator[Fault]:
    try:
        read_files(snapshot, connection)
    except DamagedError:
        yield _fault(snapshot, "file_statistics", "does not hold the columns of all files")
    try:
        load_symbols(snapshot, connection)
    except DamagedError:
        yield _fault(snapshot, "symbol_statistics", "does not hold the columns of all symbols")


def _postings(connection: Connection, snapshot: Snapshot) -> Iterator[Fault]:
    """Decode every posting: ids rise within their range, planes are as long as ids, terms rise."""
    last = ""
    statement = "SELECT term, df, symbols, frequencies, file_df, files, file_frequencies FROM postings"
    for chunk in connection.chunks(statement, _TERMS):
        terms, df, symbols, planes, file_df, files, file_planes = zip(*chunk, strict=True)
        problem = _posting_problem(snapshot, last, terms, (df, symbols, planes), (file_df, files, file_planes))
        if problem:
            yield _fault(snapshot, "postings", problem)
            return
        last = terms[-1]


def _edges(connection: Connection, snapshot: Snapshot) -> Iterator[Fault]:
    (twice,) = connection.rows(f"SELECT count(*) - count(DISTINCT (src, kind, dst)) FROM {connection.source('edges')}")
    if twice[0]:
        yield _fault(snapshot, "edges", f"holds {twice[0]} rows that say the same again")


def _neighbours(connection: Connection, snapshot: Snapshot) -> Iterator[Fault]:
    """Decode the neighbours of every symbol, and see that both tables hold as many as there are edges."""
    for table in ("edges_out", "edges_in"):
        if not snapshot.has(table):
            continue
        try:
            edges = load_adjacency(table, snapshot, connection)
        except DamagedError:
            yield _fault(snapshot, table, "does not hold neighbours of symbols")
            continue
        if len(edges.others) != snapshot.rows("edges"):
            yield _fault(snapshot, table, f"holds {len(edges.others)} edges, not {snapshot.rows('edges')}")
        elif len(edges.kinds) and (edges.kinds.max() >= len(EDGE_KINDS) or edges.evidence.max() >= len(EVIDENCE)):
            yield _fault(snapshot, table, "holds numbers of kinds or evidence that there are not")


def _vectors(connection: Connection, snapshot: Snapshot) -> Iterator[Fault]:
    """See that every symbol has a vector, where there are any, and that the model beside them is theirs."""
    if not snapshot.has("vectors"):
        return
    dimensions = snapshot.manifest.model.dimensions
    try:
        held = LookupVectors(snapshot, connection).cosines(np.zeros(dimensions, np.float32))
        (blocks,) = connection.rows("SELECT count(*) FROM vectors")[0]
        if blocks != -(-len(held) // BLOCK_ROWS):
            yield _fault(snapshot, "vectors", f"holds {blocks} blocks, not those of {len(held)} symbols")
    except DamagedError:
        yield _fault(snapshot, "vectors", "does not hold the vectors of all symbols")
    try:
        load_encoder(snapshot)
    except CodequarryError as error:
        file = f"{layout.ENCODERS}/{snapshot.manifest.model.sha256}"
        yield Fault(file=file, problem=str(error), remedy="index again, which replaces the model")


def _posting_problem(
    snapshot: Snapshot, last: str, terms: tuple[str, ...], symbols: tuple[Any, ...], files: tuple[Any, ...]
) -> str:
    order = [last.encode(), *(term.encode() for term in terms)]
    if any(a >= b for a, b in pairwise(order) if a):
        return f"has terms out of order near {terms[0]!r}"
    try:
        held = gather(symbols[1], symbols[2], len(SYMBOL_FIELDS), snapshot.rows("symbols"))
        places = gather(files[1], files[2], len(FILE_FIELDS), snapshot.rows("files"))
    except BadBlobError as error:
        return f"is wrong near {terms[0]!r} ({error})"
    if np.any(np.diff(held.starts) > np.array(symbols[0])) or np.any(np.diff(places.starts) != np.array(files[0])):
        return f"has document frequencies that do not fit near {terms[0]!r}"
    return ""


def _fault(snapshot: Snapshot, table: str, problem: str) -> Fault:
    parts = snapshot.manifest.tables[table].parts
    names = ", ".join(f"{table}/{part.name}" for part in parts) if len(parts) <= 3 else f"{table}/*.parquet"
    return Fault(file=names, problem=problem)
