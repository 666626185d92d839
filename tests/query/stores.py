"""Write small but whole stores from plain values, following schemas.tables to the letter, so that readers can be tested."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
from codequarry.pipeline.parquet import PART_BYTES, TableWriter, arrow_schema
from codequarry.query.stems import stem
from codequarry.schemas import layout
from codequarry.schemas.manifest import Manifest, SourceInfo, TableInfo, digest, dump
from codequarry.schemas.tables import BLOCK_ROWS, EDGE_KINDS, EVIDENCE, FILE_FIELDS, ROLES, SYMBOL_FIELDS, TABLES, Table
from codequarry.schemas.terms import split_word, terms

__all__ = ["EdgeSpec", "FileSpec", "LinkSpec", "SymbolSpec", "arrow_table", "build_store", "publish", "write_table"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolSpec:
    """One declaration of a test store; `lines` are inclusive, from 1."""

    name: str
    lines: tuple[int, int]
    kind: str = "function"
    qualified_name: str | None = None
    signature: str = ""
    doc: str = ""
    visibility: str = "public"
    is_test: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSpec:
    """One file of a test store; `roles` are names of schemas.tables.ROLES."""

    path: str
    text: str
    language: str | None = "python"
    symbols: tuple[SymbolSpec, ...] = ()
    roles: tuple[str, ...] = ()
    status: str = "indexed"
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeSpec:
    """One edge of a test store, between qualified names or paths that occur once."""

    src: str
    dst: str
    kind: str = "calls"
    confidence: float = 0.98
    line: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkSpec:
    """One documentation link of a test store; `path` and `target` are paths that occur once."""

    path: str
    line: int
    destination: str
    target: str | None = None
    anchor: str | None = None
    broken: bool = False
    form: str = "inline"


_Link = tuple[int, int, int, float, int]
"""Source, target, kind, confidence and line of an edge."""


@dataclass(slots=True)
class _Rows:
    """Rows under construction, a list a table."""

    tables: dict[str, list[dict[str, Any]]]
    symbol_fields: list[tuple[list[str], ...]]
    file_fields: list[tuple[list[str], ...]]
    symbol_file: list[int]
    specs: list[SymbolSpec | None]
    files: list[FileSpec]
    repo_of_file: list[int]


def build_store(
    out: Path,
    repos: Mapping[str, Sequence[FileSpec]],
    *,
    part_rows: int | None = None,
    with_sources: bool = True,
    commits: Mapping[str, str] | None = None,
    edges: Sequence[EdgeSpec] = (),
    doc_links: Sequence[LinkSpec] = (),
    neighbor_terms: Mapping[str, Mapping[str, int]] | None = None,
) -> Path:
    """Write a published store at `out` and return its snapshot folder.

    `part_rows` splits tables into several parts; `neighbor_terms` are weights by term and qualified name.
    """
    rows = _collect(repos)
    kinds = tuple(sorted({r["kind"] for r in rows.tables["symbols"]}))
    languages = tuple(sorted({f.language for f in rows.files if f.language}))
    tables = rows.tables
    tables["postings"] = _postings(rows)
    links = _links(rows, edges)
    tables["edges"] = [_edge(*link, rows) for link in links]
    tables["edges_out"] = _adjacency([(src, dst, *rest) for src, dst, *rest in links], rows)
    tables["edges_in"] = _adjacency([(dst, src, *rest) for src, dst, *rest in links], rows)
    tables["imports"] = []
    tables["neighbor_terms"] = _neighbor_terms(rows, neighbor_terms or {})
    tables["doc_links"] = [_doc_link(number, link, rows) for number, link in enumerate(doc_links)]
    tables["symbol_statistics"] = _symbol_statistics(rows, kinds, links)
    tables["file_statistics"] = _file_statistics(rows, languages)
    if not with_sources:
        del tables["sources"]
    arrow = {name: arrow_table(TABLES[name], tables[name]) for name in tables}
    return publish(
        out,
        arrow,
        sources=tuple(
            SourceInfo(repo=repo, commit=(commits or {}).get(repo), branch=None, dirty=None) for repo in sorted(repos)
        ),
        statistics=_statistics(rows),
        kinds=kinds,
        languages=languages,
        part_rows=part_rows,
    )


def _neighbor_terms(rows: _Rows, terms: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
    ids = {row["qualified_name"]: row["symbol"] for row in rows.tables["symbols"]}
    out = []
    for term in sorted(terms, key=str.encode):
        found = sorted((ids[name], weight) for name, weight in terms[term].items())
        symbols = np.diff([0, *(symbol for symbol, _ in found)]).astype("<i4").tobytes()
        weights = bytes(weight for _, weight in found)
        out.append({"term": term, "df": len(found), "symbols": symbols, "frequencies": weights})
    return out


def publish(
    out: Path,
    tables: Mapping[str, pa.Table],
    *,
    sources: tuple[SourceInfo, ...],
    statistics: dict[str, Any],
    kinds: tuple[str, ...],
    languages: tuple[str, ...],
    part_rows: int | None = None,
) -> Path:
    """Write Arrow tables, their manifest and `latest.json`; returns the snapshot folder."""
    staging = out / layout.STAGING / "new"
    info = {name: write_table(staging, TABLES[name], table, part_rows) for name, table in tables.items()}
    data = dump(
        Manifest(
            versions={"codequarry": "test"},
            options={},
            sources=sources,
            tables=info,
            statistics=statistics,
            kinds=kinds,
            languages=languages,
        )
    )
    (staging / layout.MANIFEST).write_bytes(data)
    name = layout.snapshot_id(digest(data))
    folder = out / layout.SNAPSHOTS / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging.rename(folder)
    staging.parent.rmdir()
    (out / layout.LATEST).write_bytes(layout.dump_latest(name))
    return folder


def arrow_table(table: Table, rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Make an Arrow table of plain rows."""
    return pa.Table.from_pylist([dict(row) for row in rows], schema=arrow_schema(table))


def write_table(snapshot: Path, table: Table, data: pa.Table, part_rows: int | None = None) -> TableInfo:
    """Write one table into its folder, in one part or in parts of `part_rows` rows."""
    step = part_rows or max(data.num_rows, 1)
    with TableWriter(snapshot, table, part_bytes=PART_BYTES if part_rows is None else 8) as writer:
        for start in range(0, data.num_rows, step):
            writer.append(data.slice(start, step))
            if part_rows is not None:
                writer.end_group()
    return writer.info


def _collect(repos: Mapping[str, Sequence[FileSpec]]) -> _Rows:
    rows = _Rows({"files": [], "symbols": [], "sources": []}, [], [], [], [], [], [])
    for number, repo in enumerate(sorted(repos)):
        for spec in sorted(repos[repo], key=lambda f: f.path.encode()):
            _add_file(rows, repo, number, spec)
    return rows


def _add_file(rows: _Rows, repo: str, repo_number: int, spec: FileSpec) -> None:
    file, first = len(rows.files), len(rows.specs)
    path = PurePosixPath(spec.path)
    lines = spec.text.splitlines(keepends=True)
    rows.tables["files"].append(
        {
            "file": file,
            "repo": repo,
            "path": spec.path,
            "language": spec.language,
            "status": spec.status,
            "reason": spec.reason,
            "lines": len(lines),
            "size": len(spec.text.encode()),
            "generated": "generated" in spec.roles,
            "vendored": "vendored" in spec.roles,
            "encoding": "utf-8",
            "blob": None,
            "symbol": first,
        }
    )
    if spec.status != "skipped":
        rows.tables["sources"].append({"file": file, "repo": repo, "path": spec.path, "text": spec.text})
    whole = SymbolSpec(name=path.name, lines=(1, max(len(lines), 1)), kind="file")
    seen: Counter[str] = Counter()
    for symbol in (whole, *sorted(spec.symbols, key=lambda s: (s.lines[0], -s.lines[1]))):
        _add_symbol(rows, repo, file, spec, symbol, lines, seen)
    searchable = spec.status != "skipped"
    stem_of = path.name
    rows.files.append(spec)
    rows.repo_of_file.append(repo_number)
    rows.file_fields.append(
        (
            stem(terms(stem_of)),
            stem(terms(" ".join(path.parts[:-1]))),
            stem(terms(" ".join(s.name for s in spec.symbols))) if searchable else [],
            stem(terms(spec.text)) if searchable else [],
        )
    )


def _add_symbol(
    rows: _Rows, repo: str, file: int, spec: FileSpec, symbol: SymbolSpec, lines: list[str], seen: Counter[str]
) -> None:
    is_file = symbol.kind == "file"
    qualified = None if is_file else symbol.qualified_name or symbol.name
    seen[qualified or ""] += 1
    suffix = f"~{seen[qualified or '']}" if seen[qualified or ""] > 1 else ""
    start, end = symbol.lines[0] - 1, symbol.lines[1]
    body = "".join(lines[start:end])
    before = len("".join(lines[:start]).encode())
    rows.tables["symbols"].append(
        {
            "symbol": len(rows.specs),
            "key": _key(repo, spec.path, qualified, suffix),
            "repo": repo,
            "path": spec.path,
            "file": file,
            "language": spec.language,
            "kind": symbol.kind,
            "name": symbol.name,
            "qualified_name": qualified,
            "signature": symbol.signature or None,
            "doc": symbol.doc or None,
            "start_line": start + 1,
            "end_line": end,
            "name_line": start + 1,
            "start_byte": before,
            "end_byte": before + len(body.encode()),
            "parent": None,
            "is_test": symbol.is_test,
            "visibility": symbol.visibility,
            "decorators": None,
        }
    )
    container = (qualified or "").removesuffix(symbol.name)
    fields = (symbol.name, container, symbol.signature, symbol.doc, body)
    rows.symbol_fields.append(tuple([] if is_file else stem(terms(text)) for text in fields))
    rows.symbol_file.append(file)
    rows.specs.append(None if is_file else symbol)


def _key(repo: str, path: str, qualified: str | None, suffix: str) -> str:
    place = f"{repo}:{path.replace('%', '%25').replace('#', '%23')}"
    return place if qualified is None else f"{place}#{qualified}{suffix}"


def _postings(rows: _Rows) -> list[dict[str, Any]]:
    symbols = _counts(rows.symbol_fields)
    files = _counts(rows.file_fields)
    members: dict[int, list[int]] = {}
    for symbol, file in enumerate(rows.symbol_file):
        if rows.specs[symbol] is not None:
            members.setdefault(file, []).append(symbol)
    out = []
    for term in sorted({*symbols, *files}, key=str.encode):
        own, places = symbols.get(term, {}), files.get(term, {})
        holders = set(own)
        for file, planes in places.items():
            if planes[0] or planes[1]:
                holders.update(members.get(file, ()))
        out.append(
            {
                "term": term,
                "df": len(holders),
                "symbols": _deltas(own),
                "frequencies": _planes(own, len(SYMBOL_FIELDS)),
                "file_df": len(places),
                "files": _deltas(places),
                "file_frequencies": _planes(places, len(FILE_FIELDS)),
            }
        )
    return out


def _counts(fields: Sequence[tuple[list[str], ...]]) -> dict[str, dict[int, list[int]]]:
    """Return term -> id -> occurrences a field."""
    out: dict[str, dict[int, list[int]]] = {}
    for number, texts in enumerate(fields):
        for field, words in enumerate(texts):
            for word, n in Counter(words).items():
                out.setdefault(word, {}).setdefault(number, [0] * len(texts))[field] = n
    return out


def _deltas(ids: Iterable[int]) -> bytes:
    return np.diff(np.array(sorted(ids), np.int32), prepend=np.int32(0)).astype("<i4").tobytes()


def _planes(counts: Mapping[int, Sequence[int]], fields: int) -> bytes:
    ordered = [counts[i] for i in sorted(counts)]
    return b"".join(bytes(min(row[field], 255) for row in ordered) for field in range(fields))


def _links(rows: _Rows, edges: Sequence[EdgeSpec]) -> list[_Link]:
    """Return the edges with ids of symbols, a file being called by its path, in the order of the table."""
    ids = {(r["qualified_name"] or r["path"]): r["symbol"] for r in rows.tables["symbols"]}
    found = [(ids[e.src], ids[e.dst], EDGE_KINDS.index(e.kind), e.confidence, e.line) for e in edges]
    return sorted(found, key=lambda link: (link[0], link[2], link[1]))


def _edge(src: int, dst: int, kind: int, confidence: float, line: int, rows: _Rows) -> dict[str, Any]:
    return {
        "src": src,
        "dst": dst,
        "repo": rows.tables["symbols"][src]["repo"],
        "kind": EDGE_KINDS[kind],
        "evidence": EVIDENCE[0],
        "confidence": confidence,
        "rule": "scope",
        "line": line,
        "sites": 1,
        "detail": None,
    }


def _adjacency(links: Sequence[tuple[Any, ...]], rows: _Rows) -> list[dict[str, Any]]:
    out = []
    for symbol in sorted({link[0] for link in links}):
        own = sorted((other, kind, confidence) for s, other, kind, confidence, _ in links if s == symbol)
        steps = np.diff(np.array([other for other, _, _ in own], np.int32), prepend=np.int32(0))
        out.append(
            {
                "symbol": symbol,
                "repo": rows.tables["symbols"][symbol]["repo"],
                "degree": len(own),
                "others": steps.astype("<i4").tobytes(),
                "kinds": bytes(kind for _, kind, _ in own),
                "evidence": bytes(len(own)),
                "confidences": bytes(round(100 * confidence) for _, _, confidence in own),
            }
        )
    return out


def _doc_link(number: int, spec: LinkSpec, rows: _Rows) -> dict[str, Any]:
    files = {row["path"]: row for row in rows.tables["files"]}
    source, target = files[spec.path], files.get(spec.target or "")
    return {
        "link": number,
        "file": source["file"],
        "repo": source["repo"],
        "path": spec.path,
        "line": spec.line,
        "form": spec.form,
        "destination": spec.destination,
        "target": spec.target,
        "target_file": target and target["file"],
        "anchor": spec.anchor,
        "broken": spec.broken,
    }


def _symbol_statistics(rows: _Rows, kinds: tuple[str, ...], links: Sequence[_Link]) -> list[dict[str, Any]]:
    calls = Counter(dst for _, dst, kind, _, _ in links if EDGE_KINDS[kind] == "calls")
    ends = Counter(end for src, dst, kind, _, _ in links if EDGE_KINDS[kind] != "contains" for end in (src, dst))
    out = []
    for block, start in enumerate(range(0, len(rows.specs), BLOCK_ROWS)):
        stop = min(start + BLOCK_ROWS, len(rows.specs))
        table = rows.tables["symbols"][start:stop]
        lengths = np.array([[min(len(f), 65535) for f in fields] for fields in rows.symbol_fields[start:stop]], "<u2")
        out.append(
            {
                "block": block,
                "file": np.array(rows.symbol_file[start:stop], "<i4").tobytes(),
                "kind": bytes(kinds.index(r["kind"]) for r in table),
                "flags": bytes((r["visibility"] == "public") | (r["is_test"] << 1) for r in table),
                "lines": np.array([r["end_line"] - r["start_line"] + 1 for r in table], "<i4").tobytes(),
                "name_parts": bytes(min(len(set(_parts(r["name"]))), 255) for r in table),
                "callers": np.array([calls[r["symbol"]] for r in table], "<i4").tobytes(),
                "degree": np.array([ends[r["symbol"]] for r in table], "<i4").tobytes(),
                "lengths": lengths.T.tobytes(),
            }
        )
    return out


def _parts(name: str) -> list[str]:
    return stem([part for word in name.split() for part in split_word(word)])


def _file_statistics(rows: _Rows, languages: tuple[str, ...]) -> list[dict[str, Any]]:
    folders = {
        p: i for i, p in enumerate(sorted({(r["repo"], str(PurePosixPath(r["path"]).parent)) for r in rows.tables["files"]}))
    }
    out = []
    for block, start in enumerate(range(0, len(rows.files), BLOCK_ROWS)):
        stop = min(start + BLOCK_ROWS, len(rows.files))
        specs, table = rows.files[start:stop], rows.tables["files"][start:stop]
        lengths = np.array([[len(f) for f in fields] for fields in rows.file_fields[start:stop]], "<i4")
        out.append(
            {
                "block": block,
                "symbol": np.array([r["symbol"] for r in table], "<i4").tobytes(),
                "language": bytes(languages.index(f.language) if f.language else 255 for f in specs),
                "repo": np.array(rows.repo_of_file[start:stop], "<u2").tobytes(),
                "directory": np.array(
                    [folders[r["repo"], str(PurePosixPath(r["path"]).parent)] for r in table], "<i4"
                ).tobytes(),
                "roles": bytes(sum(1 << ROLES.index(role) for role in f.roles) for f in specs),
                "lengths": lengths.T.tobytes(),
            }
        )
    return out


def _statistics(rows: _Rows) -> dict[str, Any]:
    def totals(fields: Sequence[tuple[list[str], ...]], n: int) -> list[int]:
        return [sum(len(f[i]) for f in fields) for i in range(n)]

    return {
        "files": len(rows.files),
        "symbols": sum(spec is not None for spec in rows.specs),
        "symbol_lengths": totals(rows.symbol_fields, len(SYMBOL_FIELDS)),
        "file_lengths": totals(rows.file_fields, len(FILE_FIELDS)),
    }
