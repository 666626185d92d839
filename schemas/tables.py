"""Every table of a snapshot as plain data: column, type word, unit, nullability and id space.

Type words are `int32`, `int64`, `float32`, `bool`, `string` and `bytes`. Blobs (`bytes`) hold little-endian arrays whose
element type is in the column's `unit`. Ids are dense from 0 and valid for one snapshot only; id spaces are `file` and
`symbol`. SPEC.md is the normative text and says the same in words.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "BLOCK_ROWS",
    "EDGE_KINDS",
    "EVIDENCE",
    "FILE_FIELDS",
    "FORMAT_VERSION",
    "ROLES",
    "SCALE_UNIT",
    "SYMBOL_FIELDS",
    "TABLES",
    "Column",
    "Table",
]

FORMAT_VERSION = 1

BLOCK_ROWS = 4096
"""Symbols or files in one row of a statistics table: 16 KB of int32, a page or two."""

SYMBOL_FIELDS = ("name", "container", "signature", "doc", "body")
"""Fields of a symbol in the order of their planes in `postings.frequencies`; `container` is the qualified name without
the name itself. The path is a field of the file: every symbol of a file shares it."""

FILE_FIELDS = ("basename", "directory", "names", "text")
"""Fields of a file in the order of their planes in `postings.file_frequencies`; `names` are those of its symbols."""

ROLES = ("test", "example", "docs", "fixture", "benchmark", "vendored", "generated", "non_code")
"""Roles of a file by its path and content; bit i of `file_statistics.roles` is role i."""

EDGE_KINDS = (
    "contains", "calls", "imports", "extends", "implements", "overrides", "references", "tests", "reexports",
    "shares_type", "shares_error_type", "shares_data_shape", "shares_literal", "mentions",
)  # fmt: skip
"""Kinds of edges; a code in a blob is a position here, and later versions only append."""

EVIDENCE = ("direct", "structural", "reinforcing", "boundary", "incidental")
"""What an edge says of how its ends belong together; a code in a blob is a position here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column; `space` names the id space of an id, `unit` what a number or blob element counts."""

    name: str
    type: str
    nullable: bool = False
    unit: str | None = None
    space: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table; rows are in the total order of `order`.

    Row groups hold `row_group` rows and pages `page_rows`, the same rows in every column, so that a look-up by a column of
    `pruned`, the only ones with minimum and maximum, reads one page a column. Columns of `coded` have a dictionary.
    """

    name: str
    columns: tuple[Column, ...]
    order: tuple[str, ...]
    pruned: tuple[str, ...]
    coded: tuple[str, ...] = ()
    row_group: int = 32768
    page_rows: int = 256


def _c(name: str, type_: str, unit: str | None = None, *, null: bool = False, space: str | None = None) -> Column:
    return Column(name=name, type=type_, nullable=null, unit=unit, space=space)


FILES = Table(
    name="files",
    order=("file",),
    pruned=("file", "repo", "path", "symbol"),
    coded=("repo", "language", "status", "reason", "encoding"),
    columns=(
        _c("file", "int32", space="file"),
        _c("repo", "string"),
        _c("path", "string"),
        _c("language", "string", null=True),
        _c("status", "string"),
        _c("reason", "string", null=True),
        _c("lines", "int32", "lines", null=True),
        _c("size", "int64", "bytes as stored in the source", null=True),
        _c("generated", "bool"),
        _c("vendored", "bool"),
        _c("encoding", "string", null=True),
        _c("blob", "string", "hex SHA-1 of the git blob", null=True),
        _c("symbol", "int32", "the file's row in symbols", space="symbol"),
    ),
)

SYMBOLS = Table(
    name="symbols",
    order=("symbol",),
    pruned=("symbol", "key", "repo", "path", "file"),
    coded=("repo", "path", "language", "kind", "visibility", "decorators"),
    columns=(
        _c("symbol", "int32", space="symbol"),
        _c("key", "string"),
        _c("repo", "string"),
        _c("path", "string"),
        _c("file", "int32", space="file"),
        _c("language", "string", null=True),
        _c("kind", "string"),
        _c("name", "string"),
        _c("qualified_name", "string", null=True),
        _c("signature", "string", null=True),
        _c("doc", "string", null=True),
        _c("start_line", "int32", "line, from 1"),
        _c("end_line", "int32", "line, from 1, inclusive"),
        _c("name_line", "int32", "line, from 1"),
        _c("start_byte", "int32", "offset in the UTF-8 of sources.text"),
        _c("end_byte", "int32", "offset in the UTF-8 of sources.text, exclusive"),
        _c("parent", "int32", null=True, space="symbol"),
        _c("is_test", "bool"),
        _c("visibility", "string"),
        _c("decorators", "string", "decorator names, blank-separated", null=True),
    ),
)

SOURCES = Table(
    name="sources",
    order=("file",),
    pruned=("file", "repo", "path"),
    coded=("repo",),
    row_group=1024,
    page_rows=8,
    columns=(
        _c("file", "int32", space="file"),
        _c("repo", "string"),
        _c("path", "string"),
        _c("text", "string"),
    ),
)

POSTINGS = Table(
    name="postings",
    order=("term",),
    pruned=("term",),
    columns=(
        _c("term", "string"),
        _c("df", "int32", "symbols that hold the term in any field or in their file's path"),
        _c("symbols", "bytes", "int32 differences of ascending symbol ids, the first from 0", space="symbol"),
        _c("frequencies", "bytes", "uint8 planes, one a symbol field, each as long as symbols, capped at 255"),
        _c("file_df", "int32", "files"),
        _c("files", "bytes", "int32 differences of ascending file ids, the first from 0", space="file"),
        _c("file_frequencies", "bytes", "uint8 planes, one a file field, each as long as files, capped at 255"),
    ),
)

SYMBOL_STATISTICS = Table(
    name="symbol_statistics",
    order=("block",),
    pruned=("block",),
    row_group=64,
    page_rows=1,
    columns=(
        _c("block", "int32", f"first symbol id / {BLOCK_ROWS}"),
        _c("file", "bytes", "int32", space="file"),
        _c("kind", "bytes", "uint8 index into manifest.kinds"),
        _c("flags", "bytes", "uint8 bits: 1 public, 2 test"),
        _c("lines", "bytes", "int32 lines"),
        _c("name_parts", "bytes", "uint8 distinct parts of the name"),
        _c("callers", "bytes", "int32 symbols that call it"),
        _c("degree", "bytes", "int32 edges of the code graph at either end, contains left out"),
        _c("lengths", "bytes", "uint16 planes of terms, one a symbol field, capped at 65535"),
    ),
)

FILE_STATISTICS = Table(
    name="file_statistics",
    order=("block",),
    pruned=("block",),
    row_group=64,
    page_rows=1,
    columns=(
        _c("block", "int32", f"first file id / {BLOCK_ROWS}"),
        _c("symbol", "bytes", "int32 id of the file's row in symbols", space="symbol"),
        _c("language", "bytes", "uint8 index into manifest.languages, 255 none"),
        _c("repo", "bytes", "uint16 index into manifest.sources"),
        _c("directory", "bytes", "int32 dense number of the file's folder"),
        _c("roles", "bytes", "uint8 bits, see ROLES"),
        _c("lengths", "bytes", "int32 planes of terms, one a file field"),
    ),
)

EDGES = Table(
    name="edges",
    order=("src", "kind", "dst"),
    pruned=("src",),
    coded=("repo", "kind", "evidence", "rule", "detail"),
    columns=(
        _c("src", "int32", space="symbol"),
        _c("dst", "int32", space="symbol"),
        _c("repo", "string", "of the source end"),
        _c("kind", "string"),
        _c("evidence", "string"),
        _c("confidence", "float32", "from 0 to 1"),
        _c("rule", "string", "what resolved it"),
        _c("line", "int32", "first place in the file of the source end, from 1"),
        _c("sites", "int32", "places that say the same"),
        _c("detail", "string", "what the ends share", null=True),
    ),
)


def _adjacency(name: str, order: str, other: str) -> Table:
    return Table(
        name=name,
        order=("symbol",),
        pruned=("symbol",),
        coded=("repo",),
        columns=(
            _c("symbol", "int32", space="symbol"),
            _c("repo", "string"),
            _c("degree", "int32", f"edges that {order} the symbol"),
            _c("others", "bytes", f"int32 differences of ascending symbol ids of the {other} ends, the first from 0"),
            _c("kinds", "bytes", "uint8 index into EDGE_KINDS, one an edge"),
            _c("evidence", "bytes", "uint8 index into EVIDENCE, one an edge"),
            _c("confidences", "bytes", "uint8 hundredths, one an edge"),
        ),
    )


EDGES_OUT = _adjacency("edges_out", "begin at", "target")
EDGES_IN = _adjacency("edges_in", "end at", "source")

IMPORTS = Table(
    name="imports",
    order=("src", "line", "module", "target"),
    pruned=("src", "src_path"),
    coded=("repo",),
    columns=(
        _c("src", "int32", space="file"),
        _c("repo", "string", "of the importing file"),
        _c("src_path", "string"),
        _c("module", "string", "as it is written"),
        _c("line", "int32", "line, from 1"),
        _c("target", "int32", null=True, space="file"),
        _c("target_path", "string", null=True),
    ),
)

DOC_LINKS = Table(
    name="doc_links",
    order=("link",),
    pruned=("link", "file", "repo", "path", "target_file"),
    coded=("repo", "path", "form", "target"),
    columns=(
        _c("link", "int32", "place in this order, from 0"),
        _c("file", "int32", space="file"),
        _c("repo", "string"),
        _c("path", "string"),
        _c("line", "int32", "line, from 1"),
        _c("form", "string"),
        _c("destination", "string", "as it is written"),
        _c("target", "string", "path, of a folder with `/` at the end", null=True),
        _c("target_file", "int32", null=True, space="file"),
        _c("anchor", "string", null=True),
        _c("broken", "bool"),
    ),
)

SCALE_UNIT = 2.0**-22
"""Unit of `vectors.scales`: a whole number times this is what a row of `vectors.vectors` is multiplied by."""

VECTORS = Table(
    name="vectors",
    order=("block",),
    pruned=("block",),
    row_group=64,
    page_rows=1,
    columns=(
        _c("block", "int32", f"first symbol id / {BLOCK_ROWS}"),
        _c("scales", "bytes", "uint16 units of 2**-22, one a symbol"),
        _c("vectors", "bytes", "int8 planes, one a symbol, each as long as the model has dimensions"),
    ),
)

NEIGHBOR_TERMS = Table(
    name="neighbor_terms",
    order=("term",),
    pruned=("term",),
    columns=(
        _c("term", "string"),
        _c("df", "int32", "symbols"),
        _c("symbols", "bytes", "int32 differences of ascending symbol ids, the first from 0", space="symbol"),
        _c("frequencies", "bytes", "uint8 weight from 1 to 255, one a symbol"),
    ),
)

_ALL = (
    FILES,
    SYMBOLS,
    SOURCES,
    POSTINGS,
    SYMBOL_STATISTICS,
    FILE_STATISTICS,
    EDGES,
    EDGES_OUT,
    EDGES_IN,
    IMPORTS,
    DOC_LINKS,
    NEIGHBOR_TERMS,
    VECTORS,
)
TABLES: dict[str, Table] = {t.name: t for t in _ALL}
