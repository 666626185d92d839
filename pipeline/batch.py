"""A batch: the facts and terms of a run of files as Arrow tables, as workers return them and caches keep them.

Nothing in it depends on paths, on other files or on what a process has seen before. Rows are in the order of the files;
each file row says how many rows of the other tables are its own, and numbers within a file count from the file's first
row, so any run of files can be cut out and put beside others. Only `vocabulary` is shared: postings point into it.

The symbols of a file begin with the row of kind `file` that stands for itself; its name, the base name, is still empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..schemas.tables import SYMBOL_FIELDS
from .facts import FileFacts, SymbolFact
from .graph.facts import encode as encode_references
from .graph.tokens import Token
from .links.marks import encode as encode_marks
from .terms.counting import Counts, count
from .terms.lexicon import Lexicon
from .vocabulary import unify

__all__ = ["FILE_KIND", "TEXT_FIELDS", "FactsBatch", "concatenate", "cut", "decode", "dump", "encode", "facts_batch"]

TEXT_FIELDS = ("names", "text")
"""Fields of a file that its bytes decide; the others of schemas.tables.FILE_FIELDS come from its path."""

FILE_KIND = "file"

_NULLABLE = {
    *("reason", "language", "encoding", "lines", "text", "references", "marks"),
    *("qualified_name", "signature", "doc", "parent", "decorators", "vector"),
}


def _schema(**columns: pa.DataType) -> pa.Schema:
    return pa.schema([pa.field(name, type_, nullable=name in _NULLABLE) for name, type_ in columns.items()])


FILES = _schema(
    status=pa.string(),
    reason=pa.string(),
    language=pa.string(),
    encoding=pa.string(),
    generated=pa.bool_(),
    lines=pa.int32(),
    text=pa.string(),
    references=pa.binary(),
    marks=pa.binary(),
    symbols=pa.int32(),
    symbol_postings=pa.int32(),
    file_postings=pa.int32(),
    tokens=pa.int32(),
    **{f"{field}_length": pa.int32() for field in TEXT_FIELDS},
)
SYMBOLS = _schema(
    kind=pa.string(),
    name=pa.string(),
    qualified_name=pa.string(),
    signature=pa.string(),
    doc=pa.string(),
    start_line=pa.int32(),
    end_line=pa.int32(),
    name_line=pa.int32(),
    start_byte=pa.int32(),
    end_byte=pa.int32(),
    body_start=pa.int32(),
    parent=pa.int32(),
    is_test=pa.bool_(),
    visibility=pa.string(),
    decorators=pa.string(),
    name_parts=pa.uint8(),
    postings=pa.int32(),
    vector=pa.binary(),
    **{f"{field}_length": pa.int32() for field in SYMBOL_FIELDS},
)
VOCABULARY = _schema(term=pa.string())
SYMBOL_POSTINGS = _schema(term=pa.int32(), **{field: pa.uint8() for field in SYMBOL_FIELDS})
TOKENS = _schema(symbol=pa.int32(), kind=pa.uint8(), text=pa.string(), line=pa.int32())
FILE_POSTINGS = _schema(term=pa.int32(), **{field: pa.uint8() for field in TEXT_FIELDS}, holders=pa.int32())

_LEXICON = Lexicon()
"""One a process: most words of a file have been seen in the files before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsBatch:
    """Six tables: files, their symbols, terms, tokens, and postings in the orders (file, symbol, term) and (file, term).

    `symbols.parent` and `tokens.symbol` are rows among the file's symbols, a parent perhaps null; `vector` is
    float16; `term` is a row of `vocabulary`; `holders` how many of the file's symbols have the term in any field.
    """

    files: pa.Table
    symbols: pa.Table
    vocabulary: pa.Table
    symbol_postings: pa.Table
    file_postings: pa.Table
    tokens: pa.Table


_SCHEMAS = (FILES, SYMBOLS, VOCABULARY, SYMBOL_POSTINGS, FILE_POSTINGS, TOKENS)


def facts_batch(facts: Sequence[FileFacts], vectors: NDArray[np.float16] | None = None) -> FactsBatch:
    """Return the facts of some files, with their terms counted, as one batch.

    `vectors` has a row for each file and then each of its symbols (vectors.fields); without them there are none.
    """
    counts = count(facts, _LEXICON)
    return FactsBatch(
        files=_files(facts, counts),
        symbols=_symbols(facts, counts, vectors),
        vocabulary=_table(VOCABULARY, term=counts.vocabulary),
        symbol_postings=_table(SYMBOL_POSTINGS, term=counts.symbols.terms, **_planes(SYMBOL_FIELDS, counts.symbols.planes)),
        file_postings=_table(
            FILE_POSTINGS,
            term=counts.files.terms,
            holders=counts.files.holders,
            **_planes(TEXT_FIELDS, counts.files.planes),
        ),
        tokens=_tokens(facts),
    )


def encode(facts: Sequence[FileFacts], vectors: NDArray[np.float16] | None = None) -> bytes:
    """Return the batch of some files as bytes: one Arrow IPC stream a table, one after the other."""
    return dump(facts_batch(facts, vectors))


def dump(batch: FactsBatch) -> bytes:
    """Return a batch as bytes, see `encode`."""
    sink = pa.BufferOutputStream()
    for field in fields(batch):
        table = getattr(batch, field.name)
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
    return sink.getvalue().to_pybytes()


def decode(data: bytes | pa.Buffer) -> FactsBatch:
    """Return the batch that `encode` made bytes of, without copying them."""
    source = pa.BufferReader(data)
    return FactsBatch(**{field.name: pa.ipc.open_stream(source).read_all() for field in fields(FactsBatch)})


def concatenate(batches: Sequence[FactsBatch]) -> FactsBatch:
    """Return the batches as one, their files in order; the vocabulary is the sorted union."""
    distinct = {id(batch.vocabulary): batch.vocabulary for batch in batches}  # pieces of one batch share theirs
    vocabulary, found = unify([terms["term"] for terms in distinct.values()])
    place_of = dict(zip(distinct, found, strict=True))
    places = [place_of[id(batch.vocabulary)] for batch in batches]
    return FactsBatch(
        files=pa.concat_tables([batch.files for batch in batches] or [FILES.empty_table()]),
        symbols=pa.concat_tables([batch.symbols for batch in batches] or [SYMBOLS.empty_table()]),
        vocabulary=pa.table([vocabulary], schema=VOCABULARY),
        symbol_postings=_renumbered(SYMBOL_POSTINGS, [batch.symbol_postings for batch in batches], places),
        file_postings=_renumbered(FILE_POSTINGS, [batch.file_postings for batch in batches], places),
        tokens=pa.concat_tables([batch.tokens for batch in batches] or [TOKENS.empty_table()]),
    )


def cut(batch: FactsBatch, start: int, stop: int) -> FactsBatch:
    """Return the files `start` to `stop` (exclusive) of a batch, without copying; the vocabulary stays whole."""

    def rows(table: pa.Table, counts: str) -> pa.Table:
        ends = np.cumsum(batch.files[counts].to_numpy(), dtype=np.int64)
        first, last = (int(ends[i - 1]) if i else 0 for i in (start, stop))
        return table.slice(first, last - first)

    return FactsBatch(
        files=batch.files.slice(start, stop - start),
        symbols=rows(batch.symbols, "symbols"),
        vocabulary=batch.vocabulary,
        symbol_postings=rows(batch.symbol_postings, "symbol_postings"),
        file_postings=rows(batch.file_postings, "file_postings"),
        tokens=rows(batch.tokens, "tokens"),
    )


def _files(facts: Sequence[FileFacts], counts: Counts) -> pa.Table:
    rows = np.array([len(file.symbols) + 1 for file in facts], np.int64)
    postings = np.append(0, np.cumsum(counts.symbols.counts, dtype=np.int64))
    ends = np.cumsum(rows)
    return _table(
        FILES,
        **{name: [getattr(file, name) for file in facts] for name in FILES.names[:7]},
        references=[file.references and encode_references(file.references) for file in facts],
        marks=[encode_marks(file.marks) for file in facts],
        symbols=rows.astype(np.int32),
        symbol_postings=(postings[ends] - postings[ends - rows]).astype(np.int32),
        file_postings=counts.files.counts,
        tokens=[len(file.tokens) for file in facts],
        **{f"{field}_length": counts.file_lengths[i] for i, field in enumerate(TEXT_FIELDS)},
    )


def _symbols(facts: Sequence[FileFacts], counts: Counts, vectors: NDArray[np.float16] | None) -> pa.Table:
    rows = [row for file in facts for row in (_file_row(file), *file.symbols)]
    columns: dict[str, Any] = dict(zip(SymbolFact._fields, zip(*rows, strict=True), strict=True)) if rows else {}
    for name in ("signature", "doc"):
        columns[name] = [value or None for value in columns.get(name, ())]
    columns["qualified_name"] = [None if row.kind == FILE_KIND else row.qualified_name for row in rows]
    columns["decorators"] = [" ".join(names) or None for names in columns.get("decorators", ())]
    columns["parent"] = [None if parent < 0 else parent + 1 for parent in columns.get("parent", ())]
    return _table(
        SYMBOLS,
        **{name: columns.get(name, ()) for name in SymbolFact._fields},
        name_parts=counts.name_parts,
        postings=counts.symbols.counts,
        vector=[None] * len(rows) if vectors is None else [row.tobytes() for row in vectors],
        **{f"{field}_length": counts.symbol_lengths[i] for i, field in enumerate(SYMBOL_FIELDS)},
    )


def _tokens(facts: Sequence[FileFacts]) -> pa.Table:
    rows = [token for file in facts for token in file.tokens]
    columns: dict[str, Any] = dict(zip(Token._fields, zip(*rows, strict=True), strict=True)) if rows else {}
    columns["symbol"] = np.array(columns.get("symbol", ()), np.int32) + 1
    return _table(TOKENS, **{name: columns.get(name, ()) for name in Token._fields})


def _file_row(file: FileFacts) -> SymbolFact:
    """Return the row that stands for a file among its symbols: from its first line and byte to its last."""
    size = len((file.text or "").encode())
    return SymbolFact(
        kind=FILE_KIND,
        name="",
        qualified_name="",
        signature="",
        doc=file.doc,
        start_line=1,
        end_line=max(file.lines or 1, 1),
        name_line=1,
        start_byte=0,
        end_byte=size,
        body_start=size,
        parent=-1,
        is_test=False,
        visibility="public",
        decorators=(),
    )


def _table(schema: pa.Schema, **columns: Any) -> pa.Table:
    return pa.table([pa.array(columns[field.name], field.type) for field in schema], schema=schema)


def _planes(names: Sequence[str], planes: NDArray[np.uint8]) -> dict[str, NDArray[np.uint8]]:
    return dict(zip(names, planes, strict=True))


def _renumbered(schema: pa.Schema, tables: Sequence[pa.Table], places: Sequence[NDArray[np.int32]]) -> pa.Table:
    """Concatenate postings whose terms are numbered anew; `places` maps the terms of each table."""
    renumbered = [
        table.set_column(0, schema.field(0), pa.array(place[table["term"].to_numpy()]))
        for table, place in zip(tables, places, strict=True)
    ]
    return pa.concat_tables(renumbered or [schema.empty_table()])
