"""What an indexed tree must look like: one function an expectation, each from a case and its tables to faults."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from ._case import Case, Edge, WantedFile, WantedSymbol
from ._product import Product, Row

__all__ = ["COLUMNS", "EDGES", "HEADINGS", "LINKS", "TREE", "Rule", "dotted"]

Rule = Callable[[Case, Product], Iterable[str]]

COLUMNS = {
    "files": "file repo path language status reason lines size generated vendored encoding",
    "symbols": "symbol key repo path language kind name qualified_name signature doc start_line end_line name_line "
    "start_byte end_byte parent is_test",
    "sources": "repo path text",
    "postings": "term df symbols frequencies",
}
"""The least columns that a view promises."""

_COARSER = {
    "record": {"class", "struct"},
    "struct": {"class"},
    "trait": {"interface"},
    "protocol": {"interface"},
    "object": {"class", "module"},
    "constructor": {"method", "function"},
    "method": {"function"},
    "constant": {"variable", "field"},
    "property": {"field", "method"},
    "field": {"property", "variable"},
    "type_alias": {"type"},
    "union": {"struct", "class"},
    "namespace": {"module"},
    "module": {"namespace"},
    "enum": {"class", "type"},
    "extension": {"class", "struct", "interface", "protocol", "trait", "enum", "impl"},
    "macro": {"function"},
}
_ASIDE = {"import", "parameter", "local", "file", "package"}


def dotted(name: str | None) -> str:
    """Return a qualified name with `.` for every separator that languages use."""
    return re.sub(r"::|[#/]", ".", name or "")


# --- files


def _columns(case: Case, product: Product) -> Iterator[str]:
    for view in ("files", "symbols"):
        rows = product.rows(view)
        gone = [c for c in COLUMNS[view].split() if rows and c not in rows[0]]
        if gone:
            yield f"view {view} has no column {', '.join(gone)}"


def _files(case: Case, product: Product) -> Iterator[str]:
    rows = {r["path"]: r for r in product.rows("files")}
    for wanted in case.files:
        row = rows.get(wanted.path)
        if row is None:
            if "absent" not in wanted.status:
                yield f"{wanted.path}: no row"
        elif not _read_before_it_changed(case, row):
            yield from (f"{wanted.path}: {fault}" for fault in _file_faults(wanted, row))


def _file_faults(wanted: WantedFile, row: Row) -> Iterator[str]:
    if row["status"] not in wanted.status:
        yield f"status {row['status']} ({row['reason']}), not {' or '.join(wanted.status)}"
    elif wanted.reason and row["status"] == "skipped" and _slug(row) not in wanted.reason:
        yield f"reason {row['reason']}, not {' or '.join(wanted.reason)}"
    for key in ("lines", "language", "generated"):
        value = getattr(wanted, key)
        if value is not None and row[key] != value:
            yield f"{key} {row[key]}, not {value}"


def _read_before_it_changed(case: Case, row: Row) -> bool:
    return (case.folder / "during.sh").exists() and row["status"] in ("indexed", "partial")


def _slug(row: Row) -> str:
    return str(row["reason"] or "").split(":")[0]


def _listed(case: Case, product: Product) -> Iterator[str]:
    found = product.indexed()
    if case.indexed is not None and found != sorted(case.indexed):
        yield f"indexed {found}, not {sorted(case.indexed)}"
    if case.indexed_count is not None and len(found) != case.indexed_count:
        yield f"{len(found)} files are indexed, not {case.indexed_count}"
    paths = {r["path"] for r in product.rows("files")}
    yield from (f"{path} has a row" for path in case.absent if path in paths)


def _skipped(case: Case, product: Product) -> Iterator[str]:
    counts = Counter(_slug(r) for r in product.rows("files") if r["status"] == "skipped")
    yield from (f"{counts[s]} files skipped as {s}, not {n}" for s, n in case.skipped.items() if counts[s] != n)


def _reasons(case: Case, product: Product) -> Iterator[str]:
    yield from (f"{r['path']} is {r['status']} without a reason" for r in product.rows("files")
                if r["status"] != "indexed" and not r["reason"])  # fmt: skip


def _paths(case: Case, product: Product) -> Iterator[str]:
    for path in product.indexed():
        if "\\" in path or path.startswith(("/", "./")):
            yield f"{path!r} is no POSIX path inside the repository"
        elif not (case.folder / "during.sh").exists() and not os.path.lexists(product.tree / path):
            yield f"{path!r} is no path of the tree"


def _utf8(case: Case, product: Product) -> Iterator[str]:
    for view in ("files", "symbols"):
        if re.search("[\ud800-\udfff]", json.dumps(product.rows(view), ensure_ascii=False)):
            yield f"view {view} holds half a surrogate pair"


# --- symbols


def _symbols(case: Case, product: Product) -> Iterator[str]:
    rows, used = product.rows("symbols") if case.symbols else [], set[int]()
    for wanted in case.symbols:
        candidates = [
            (len(faults), i, faults)
            for i, row in enumerate(rows)
            if i not in used and row["name"] in wanted.name and wanted.path in (None, row["path"])
            for faults in [list(_symbol_faults(wanted, row))]
        ]
        label = f"{wanted.path or ''}:{wanted.name_line or wanted.start or ''} {wanted.name[0]}"
        if not candidates:
            yield f"{label}: no row"
            continue
        _, best, faults = min(candidates)
        used.add(best)
        yield from (f"{label}: {fault}" for fault in faults)


def _symbol_faults(wanted: WantedSymbol, row: Row) -> Iterator[str]:
    kinds = {*wanted.kind, *(coarse for kind in wanted.kind for coarse in _COARSER.get(kind, ()))}
    if kinds and row["kind"] not in kinds:
        yield f"kind {row['kind']}, not {wanted.kind[0]}"
    if wanted.qualified and dotted(row["qualified_name"]) not in {dotted(q) for q in wanted.qualified}:
        yield f"qualified_name {row['qualified_name']}, not {wanted.qualified[0]}"
    if wanted.name_line not in (None, row["name_line"]):
        yield f"name_line {row['name_line']}, not {wanted.name_line}"
    if wanted.start is not None and not wanted.start <= row["start_line"] <= (wanted.name_line or wanted.start):
        yield f"start_line {row['start_line']}, not {wanted.start}"
    if wanted.end is not None and abs(row["end_line"] - wanted.end) > wanted.end_tolerance:
        yield f"end_line {row['end_line']}, not {wanted.end}"


def _declared(product: Product) -> list[Row]:
    """The rows of `symbols` that a person would count: no imports, parameters, locals, and no rows for files."""
    rows = product.rows("symbols")
    inside = {(r["path"], dotted(r["qualified_name"])) for r in rows if r["kind"] in ("function", "method", "constructor")}

    def is_local(row: Row) -> bool:
        owner = dotted(row["qualified_name"]).rpartition(".")[0]
        return row["kind"] in ("variable", "constant") and (row["path"], owner) in inside

    return [r for r in rows if r["kind"] not in _ASIDE and not is_local(r)]


def _named(product: Product, key: str) -> list[Row]:
    return [r for r in _declared(product) if dotted(r["qualified_name"]) == key or ("." not in key and r["name"] == key)]


def _counts(case: Case, product: Product) -> Iterator[str]:
    for key, wanted in case.rows.items():
        if len(_named(product, key)) != wanted:
            yield f"{len(_named(product, key))} rows of {key}, not {wanted}"
    for key in case.across_files:
        if len({r["path"] for r in _named(product, key)}) < 2:
            yield f"{key} is not in two files"
    for key in case.tests:
        if not any(r["is_test"] for r in _named(product, key)):
            yield f"{key} is not flagged as a test"
    if case.symbols_max is not None and len(_declared(product)) > case.symbols_max:
        yield f"{len(_declared(product))} symbols, at most {case.symbols_max} are real"


def _no_symbols(case: Case, product: Product) -> Iterator[str]:
    for unwanted in case.no_symbols:
        found = [r for r in product.rows("symbols") if all(r[k] == v for k, v in unwanted.items())]
        yield from (f"{r['kind']} {r['name']} at {r['path']}:{r['start_line']} is none" for r in found)


def _identity(case: Case, product: Product) -> Iterator[str]:
    rows = product.rows("symbols")
    for column in ("symbol", "key"):
        twice = [value for value, n in Counter(r[column] for r in rows).items() if n > 1]
        yield from (f"{column} {value} stands twice" for value in twice)
    yield from (f"{r['kind']} at {r['path']}:{r['start_line']} has no name" for r in rows if not r["name"].strip())


def _sources(case: Case, product: Product) -> Iterator[str]:
    for wanted in case.sources:
        texts = {r["path"]: r["text"] for r in product.rows("sources")}
        row = next((r for r in product.rows("symbols") if (r["path"], r["name"]) == (wanted.path, wanted.name)), None)
        text = texts[wanted.path].encode()[row["start_byte"] : row["end_byte"]].decode() if row else ""
        if wanted.has not in text or (wanted.has_not is not None and wanted.has_not in text):
            yield f"{wanted.path} {wanted.name}: the source is {text[:80]!r}"


def _terms(case: Case, product: Product) -> Iterator[str]:
    if not case.no_terms and case.term_max_length is None:
        return
    for row in product.rows("postings", "DISTINCT term"):
        term = row["term"]
        if any(unwanted.lower() in term.lower() for unwanted in case.no_terms):
            yield f"term {term[:40]!r}"
        if case.term_max_length is not None and len(term) > case.term_max_length:
            yield f"a term of {len(term)} characters"


def _provenance(case: Case, product: Product) -> Iterator[str]:
    if not case.unknown and case.dirty is None:
        return
    source = product.source()
    yield from (f"{key} is {source[key]!r}, not unknown" for key in case.unknown if source[key] is not None)
    if case.dirty is not None and source["dirty"] is not case.dirty:
        yield f"dirty is {source['dirty']!r}, not {case.dirty}"


TREE: tuple[Rule, ...] = (
    _columns, _files, _listed, _skipped, _reasons, _paths, _utf8, _symbols, _counts, _no_symbols, _identity, _sources,
    _terms, _provenance,
)  # fmt: skip
"""Rules of every case that indexes a tree; each looks only at what its case expects."""


# --- headings, edges, links


def _headings(case: Case, product: Product) -> Iterator[str]:
    rows = [r for r in product.rows("symbols") if r["kind"] in ("heading", "section")]
    at = {r["name_line"]: r["name"].replace("`", "") for r in rows}
    yield from (f"line {h.line}: {at.get(h.line)!r}, not {h.text!r}" for h in case.headings if at.get(h.line) != h.text)
    yield from (f"line {line} is no heading" for line in case.no_headings if line in at)
    counts = Counter(r["path"] for r in rows)
    yield from (f"{p}: {counts[p]} headings, not {n}" for p, n in case.heading_counts.items() if counts[p] != n)


def _edges(case: Case, product: Product) -> Iterator[str]:
    yield from (f"no edge {_shown(e)}" for e in case.edges if not _between(product, e))
    yield from (f"wrong edge {_shown(e)}" for e in case.no_edges if _between(product, e))


def _between(product: Product, edge: Edge) -> list[Row]:
    paths = {r["path"] for r in product.rows("files")}

    def end(text: str) -> tuple[str | None, str | None]:
        path, colon, name = text.rpartition(":")
        if colon:
            return path, name
        return (text, None) if text in paths else (None, text)

    (from_path, from_name), (to_path, to_name) = end(edge.from_), end(edge.to)
    kinds = {"imports", "reexports"} if edge.kind == "imports" else {edge.kind}
    return [
        r
        for r in product.rows("edges")
        if (edge.kind is None or r["kind"] in kinds)
        and r["kind"] != "contains"
        and from_path in (None, r["src_path"])
        and to_path in (None, r["dst_path"])
        and from_name in (None, dotted(r["src_qualified_name"]))
        and to_name in (None, dotted(r["dst_qualified_name"]))
    ]


def _shown(edge: Edge) -> str:
    return f"{edge.kind or 'of any kind'} {edge.from_} -> {edge.to}"


def _links(case: Case, product: Product) -> Iterator[str]:
    assert case.links_from is not None
    rows = [r for r in product.rows("doc_links") if r["path"] == case.links_from]
    text = (product.tree / case.links_from).read_text(encoding="utf-8").split("\n")

    def line_of(n: int) -> int:
        return next(i for i, t in enumerate(text, 1) if re.search(rf"(?<![\w.=]){n}(?![\w.%])", t))

    found = Counter((r["line"], r["target"].rstrip("/")) for r in rows if r["target"])
    need, may = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for link in case.links:
        outside = link.to is None or ":" in link.to or link.to.endswith(".png")
        for target in filter(None, (link.to, link.or_)):
            (may if outside else need)[line_of(link.n), target.rstrip("/")] += 1
    yield from (f"line {line}: no link to {target}" for line, target in (need - found))
    yield from (f"line {line}: a link too many to {target}" for line, target in (found - need - may))
    broken = {r["line"] for r in rows if r["broken"]}
    yield from (f"link {k.n} is not marked as broken" for k in case.links if k.broken and line_of(k.n) not in broken)
    for n, anchor in case.anchors.items():
        if not any(r["line"] == line_of(int(n)) and r["anchor"] == anchor for r in rows):
            yield f"link {n} has no anchor {anchor}"


HEADINGS: tuple[Rule, ...] = (_headings,)
EDGES: tuple[Rule, ...] = (_edges,)
LINKS: tuple[Rule, ...] = (_links,)
