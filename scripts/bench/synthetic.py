"""Make the tables of a store of any size: seeded, with the shape of real code, vectorised.

Identifiers of one to four words are drawn from a pool; a symbol is a name and a body of identifiers, twenty symbols a
file, twelve files a folder. Words and identifiers follow Zipf's law, vocabularies grow as Heaps' law says.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from codequarry.pipeline.parquet import TableWriter, arrow_schema
from codequarry.query.stems import stem
from codequarry.query.store import NEEDED
from codequarry.schemas import layout
from codequarry.schemas.manifest import Manifest, SourceInfo, digest, dump
from codequarry.schemas.tables import BLOCK_ROWS, EDGE_KINDS, EVIDENCE, FILE_FIELDS, SYMBOL_FIELDS, TABLES

__all__ = ["KINDS", "LANGUAGES", "Corpus", "make_corpus", "publish"]

KINDS = ("class", "constant", "field", "file", "function", "method")
LANGUAGES = ("go", "python", "rust", "typescript")
REPOS = ("alpha", "beta", "gamma")

SYMBOLS_A_FILE = 20
FILES_A_FOLDER = 12
CALLS_A_SYMBOL = 4
_FILE_KIND = KINDS.index("file")
_SYLLABLES = [c + v for c in "bcdfghjklmnprstvz" for v in "aeiou"]

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Arrow tables of one store and what its manifest must say; `words` are the vocabulary, the most frequent first."""

    tables: dict[str, pa.Table]
    statistics: dict[str, Any]
    sources: tuple[SourceInfo, ...]
    words: list[str]
    names: list[str]


def make_corpus(symbols: int, seed: int = 7) -> Corpus:
    """Return a corpus with this many symbols."""
    rng = np.random.default_rng(seed)
    files = max(symbols // SYMBOLS_A_FILE, 1)
    words = _words(int(6 * symbols**0.75) + 200)
    pool = _Pool(rng, words, int(symbols * 0.7) + 50)
    file_of = np.sort(rng.integers(0, files, symbols))
    layout = _Layout(symbols, files, file_of)
    fields = _symbol_fields(rng, pool, symbols)
    vocabulary = sorted({*pool.terms, *(t for w in _path_words(files, words) for t in w)}, key=str.encode)
    index = _Indexed(vocabulary, pool, layout, fields, _path_words(files, words))
    tables = {
        "symbols": _symbols_table(rng, pool, layout, fields, words),
        "files": _files_table(layout, words),
        "sources": _sources_table(layout, pool, fields, words),
        "postings": index.postings(),
        "symbol_statistics": index.symbol_statistics(rng),
        "file_statistics": index.file_statistics(),
    }
    tables |= _calls(rng, layout)
    sources = tuple(SourceInfo(repo=r, commit=None, branch=None, dirty=None) for r in REPOS)
    return Corpus(tables=tables, statistics=index.statistics(), sources=sources, words=words, names=pool.names)


def publish(corpus: Corpus, out: Path) -> None:
    """Write a store that holds the corpus, and no links."""
    staging = out / layout.STAGING / "new"
    tables = {}
    empty = {name: arrow_schema(TABLES[name]).empty_table() for name in NEEDED}
    for name, rows in (empty | corpus.tables).items():
        with TableWriter(staging, TABLES[name]) as writer:
            writer.append(rows)
        tables[name] = writer.info
    manifest = Manifest(
        versions={"codequarry": "synthetic"},
        options={},
        sources=corpus.sources,
        tables=tables,
        statistics=corpus.statistics,
        kinds=KINDS,
        languages=LANGUAGES,
    )
    data = dump(manifest)
    (staging / layout.MANIFEST).write_bytes(data)
    folder = out / layout.SNAPSHOTS / layout.snapshot_id(digest(data))
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging.rename(folder)
    (out / layout.LATEST).write_bytes(layout.dump_latest(folder.name))


def _words(count: int) -> list[str]:
    """Return distinct stems of two or three syllables; a word that the stemmer changes is stemmed."""
    n = len(_SYLLABLES)
    raw = (
        _SYLLABLES[i % n] + _SYLLABLES[(i // n * 7 + i) % n] + (_SYLLABLES[i // n % n] if i >= n else "") + "k"
        for i in range(count)
    )
    return list(dict.fromkeys(stem(list(raw))))


def _zipf(rng: np.random.Generator, size: int, values: int, shift: float) -> Array:
    """Draw ranks below `values` with probability proportional to 1/(rank+shift)."""
    weights = np.cumsum(1.0 / (np.arange(values) + shift))
    return np.searchsorted(weights, rng.random(size) * weights[-1]).astype(np.int64)


class _Pool:
    """Identifiers: for each its words, its name and its terms (parts, then the joined form)."""

    def __init__(self, rng: np.random.Generator, words: list[str], count: int) -> None:
        parts = rng.choice([1, 2, 3, 4], count, p=[0.2, 0.4, 0.3, 0.1])
        drawn = _zipf(rng, int(parts.sum()), len(words), 20.0)
        starts = np.concatenate([[0], np.cumsum(parts)])
        self.names: list[str] = []
        rows: list[list[str]] = []
        for i in range(count):
            own = [words[j] for j in drawn[starts[i] : starts[i + 1]]]
            self.names.append("_".join(own))
            joined = stem(["".join(own)]) if len(own) > 1 else []
            rows.append([*own, *joined])
        self.terms = sorted({t for row in rows for t in row}, key=str.encode)
        self.rows = rows
        self.distinct = np.array([len(set(r[:-1] if len(r) > 1 else r)) for r in rows], np.int64)


class _Layout:
    """Where symbols and files stand: ids of file rows and of symbols in one order, a file's own row first."""

    def __init__(self, symbols: int, files: int, file_of: Array) -> None:
        self.files = files
        self.file_of_symbol = file_of
        self.symbol_id = np.arange(symbols) + file_of + 1
        counts = np.bincount(file_of, minlength=files)
        self.file_row = np.concatenate([[0], np.cumsum(counts + 1)[:-1]])
        self.counts = counts
        self.rows = symbols + files
        self.file = np.repeat(np.arange(files), counts + 1)
        self.folder = np.arange(files) // FILES_A_FOLDER
        self.repo = np.minimum(np.arange(files) * len(REPOS) // files, len(REPOS) - 1)


def _symbol_fields(rng: np.random.Generator, pool: _Pool, symbols: int) -> dict[str, tuple[Array, Array]]:
    """Return for each field the (symbol, identifier) pairs it holds."""
    count = len(pool.names)
    lengths = np.clip(rng.lognormal(1.3, 0.8, symbols).astype(np.int64), 1, 200)
    body = np.repeat(np.arange(symbols), lengths)
    own = np.arange(symbols)
    name = rng.permutation(np.arange(symbols) % count)
    documented = own[rng.random(symbols) < 0.3]
    doc = np.repeat(documented, 5)
    signature = np.repeat(own, 1)
    return {
        "name": (own, name),
        "container": (own, name[(own // 8) * 8]),
        "signature": (np.concatenate([own, signature]), np.concatenate([name, _zipf(rng, len(signature), count, 50.0)])),
        "doc": (doc, _zipf(rng, len(doc), count, 50.0)),
        "body": (np.concatenate([own, body]), np.concatenate([name, _zipf(rng, len(body), count, 50.0)])),
    }


def _path_words(files: int, words: list[str]) -> list[list[str]]:
    """Return for each file the words of its base name and, last, that of its folder."""
    n = len(words)
    return [[words[(i * 31) % n], words[(i // FILES_A_FOLDER * 17) % n]] for i in range(files)]


class _Indexed:
    """Term ids, and counts a (term, symbol) and (term, file) in planes."""

    def __init__(self, vocabulary: list[str], pool: _Pool, layout: _Layout, fields: Any, paths: list[list[str]]) -> None:
        self.vocabulary, self.layout, self.fields = vocabulary, layout, fields
        self.pool = pool
        number = {t: i for i, t in enumerate(vocabulary)}
        self.starts = np.concatenate([[0], np.cumsum([len(r) for r in pool.rows])])
        self.flat = np.array([number[t] for r in pool.rows for t in r], np.int64)
        self.lengths = np.zeros((len(SYMBOL_FIELDS), layout.rows), np.int64)
        pairs = {field: self._expand(p, *fields[field]) for p, field in enumerate(SYMBOL_FIELDS)}
        self.symbol_keys, self.symbol_planes = self._group([pairs[f] for f in SYMBOL_FIELDS], layout.rows)
        self.file_lengths = np.zeros((len(FILE_FIELDS), layout.files), np.int64)
        self.file_keys, self.file_planes = self._group(self._file_pairs(pairs, number, paths), layout.files)

    def _expand(self, plane: int, symbol: Array, identifier: Array) -> tuple[Array, Array]:
        """Turn (symbol, identifier) pairs into (term, symbol id) pairs."""
        sizes = self.starts[identifier + 1] - self.starts[identifier]
        offsets = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        terms = self.flat[np.repeat(self.starts[identifier], sizes) + offsets]
        ids = self.layout.symbol_id[np.repeat(symbol, sizes)]
        self.lengths[plane] = np.bincount(ids, minlength=self.layout.rows)
        return terms, ids

    def _file_pairs(self, pairs: Any, number: dict[str, int], paths: list[list[str]]) -> list[tuple[Array, Array]]:
        own = np.arange(self.layout.files)
        base = np.array([number[p[0]] for p in paths], np.int64)
        folder = np.array([number[p[1]] for p in paths], np.int64)
        names = pairs["name"][0], self.layout.file[pairs["name"][1]]
        text = pairs["body"][0], self.layout.file[pairs["body"][1]]
        out = [(base, own), (folder, own), names, text]
        for plane, (_, ids) in enumerate(out):
            self.file_lengths[plane] = np.bincount(ids, minlength=self.layout.files)
        return out

    @staticmethod
    def _group(pairs: list[tuple[Array, Array]], width: int) -> tuple[Array, Array]:
        """Return the sorted distinct keys term * width + id, and counts (fields, keys) capped at 255."""
        counted = [np.unique(terms * width + ids, return_counts=True) for terms, ids in pairs]
        keys = np.unique(np.concatenate([k for k, _ in counted]))
        planes = np.zeros((len(pairs), len(keys)), np.uint8)
        for plane, (own, counts) in enumerate(counted):
            planes[plane, np.searchsorted(keys, own)] = np.minimum(counts, 255)
        return keys, planes

    def postings(self) -> pa.Table:
        """Return the table `postings`."""
        ids, planes, df = self._blobs(self.symbol_keys, self.symbol_planes, self.layout.rows)
        file_ids, file_planes, file_df = self._blobs(self.file_keys, self.file_planes, self.layout.files)
        return pa.table(
            {
                "term": pa.array(self.vocabulary, pa.string()),
                "df": pa.array(self._with_paths(df), pa.int32()),
                "symbols": pa.array(ids, pa.binary()),
                "frequencies": pa.array(planes, pa.binary()),
                "file_df": pa.array(file_df, pa.int32()),
                "files": pa.array(file_ids, pa.binary()),
                "file_frequencies": pa.array(file_planes, pa.binary()),
            }
        )

    def _with_paths(self, df: Array) -> Array:
        """Add the symbols of the files whose path holds a term, without those that hold it anyway (an upper bound)."""
        on_path = (self.file_planes[0] > 0) | (self.file_planes[1] > 0)
        term, file = np.divmod(self.file_keys[on_path], self.layout.files)
        extra = np.bincount(term, weights=self.layout.counts[file], minlength=len(self.vocabulary)).astype(np.int64)
        return np.minimum(df + extra, self.layout.rows - self.layout.files)

    def _blobs(self, keys: Array, planes: Array, width: int) -> tuple[list[bytes], list[bytes], Array]:
        terms, ids = np.divmod(keys, width)
        bounds = np.searchsorted(terms, np.arange(len(self.vocabulary) + 1))
        deltas = np.diff(ids, prepend=0).astype("<i4")
        first = bounds[:-1][np.diff(bounds) > 0]
        deltas[first] = ids[first]
        raw, cuts = deltas.tobytes(), (bounds * 4).tolist()
        blobs = [raw[a:b] for a, b in itertools.pairwise(cuts)]
        edges = bounds.tolist()
        packed = [planes[:, a:b].tobytes() for a, b in itertools.pairwise(edges)]
        return blobs, packed, np.diff(bounds)

    def symbol_statistics(self, rng: np.random.Generator) -> pa.Table:
        """Return the table `symbol_statistics`."""
        layout = self.layout
        kind, flags = _kinds(layout), np.where(rng.random(layout.rows) < 0.6, 1, 0).astype(np.uint8)
        lines = np.maximum(self.lengths[4] // 3, 1)
        parts = np.ones(layout.rows, np.int64)
        parts[layout.symbol_id] = self.pool.distinct[self.fields["name"][1]]
        return _blocks(
            layout.rows,
            file=layout.file.astype("<i4"),
            kind=kind.astype(np.uint8),
            flags=flags,
            lines=lines.astype("<i4"),
            name_parts=np.minimum(parts, 255).astype(np.uint8),
            callers=(rng.zipf(2.0, layout.rows) % 1000 - 1).astype("<i4"),
            degree=(rng.zipf(2.0, layout.rows) % 1000).astype("<i4"),
            lengths=np.minimum(self.lengths, 65535).astype("<u2"),
        )

    def file_statistics(self) -> pa.Table:
        """Return the table `file_statistics`."""
        layout = self.layout
        return _blocks(
            layout.files,
            symbol=layout.file_row.astype("<i4"),
            language=(layout.folder % len(LANGUAGES)).astype(np.uint8),
            repo=layout.repo.astype("<u2"),
            directory=layout.folder.astype("<i4"),
            roles=np.where(layout.folder % 9 == 4, 1, 0).astype(np.uint8),
            lengths=self.file_lengths.astype("<i4"),
        )

    def statistics(self) -> dict[str, Any]:
        """Return the statistics of the manifest."""
        return {
            "files": self.layout.files,
            "symbols": self.layout.rows - self.layout.files,
            "symbol_lengths": [int(v) for v in self.lengths.sum(1)],
            "file_lengths": [int(v) for v in self.file_lengths.sum(1)],
        }


def _calls(rng: np.random.Generator, layout: _Layout) -> dict[str, pa.Table]:
    """Return the tables of edges: calls, half to symbols nearby, half to any, some of which nearly everything calls."""
    own = layout.symbol_id
    src = np.repeat(np.arange(len(own)), CALLS_A_SYMBOL)
    near = src + rng.integers(-2 * SYMBOLS_A_FILE, 2 * SYMBOLS_A_FILE, len(src))
    far = rng.permutation(len(own))[(len(own) ** rng.random(len(src))).astype(np.int64) - 1]
    dst = np.clip(np.where(rng.random(len(src)) < 0.5, near, far), 0, len(own) - 1)
    pairs = np.unique(src * len(own) + dst)
    src, dst = own[pairs // len(own)], own[pairs % len(own)]
    count = len(src)
    edges = {
        "src": pa.array(src, pa.int32()),
        "dst": pa.array(dst, pa.int32()),
        "repo": [REPOS[layout.repo[f]] for f in layout.file[src]],
        "kind": pa.repeat("calls", count),
        "evidence": pa.repeat("direct", count),
        "confidence": pa.array(np.full(count, 0.98, np.float32)),
        "rule": pa.repeat("import", count),
        "line": pa.array(np.ones(count), pa.int32()),
        "sites": pa.array(np.ones(count), pa.int32()),
        "detail": pa.nulls(count, pa.string()),
    }
    return {
        "edges": pa.table(edges),
        "edges_out": _adjacency(src, dst, layout),
        "edges_in": _adjacency(dst, src, layout),
    }


def _adjacency(ends: Array, others: Array, layout: _Layout) -> pa.Table:
    order = np.lexsort((others, ends))
    ends, others = ends[order], others[order]
    symbols, first = np.unique(ends, return_index=True)
    deltas = np.diff(others, prepend=0)
    deltas[first] = others[first]
    raw, bounds = deltas.astype("<i4").tobytes(), np.append(first, len(ends)).tolist()
    counts = np.diff(bounds)
    calls, direct, sure = (bytes([value]) for value in (EDGE_KINDS.index("calls"), EVIDENCE.index("direct"), 98))
    return pa.table(
        {
            "symbol": pa.array(symbols, pa.int32()),
            "repo": [REPOS[layout.repo[f]] for f in layout.file[symbols]],
            "degree": pa.array(counts, pa.int32()),
            "others": pa.array([raw[4 * a : 4 * b] for a, b in itertools.pairwise(bounds)], pa.binary()),
            "kinds": pa.array([calls * n for n in counts.tolist()], pa.binary()),
            "evidence": pa.array([direct * n for n in counts.tolist()], pa.binary()),
            "confidences": pa.array([sure * n for n in counts.tolist()], pa.binary()),
        }
    )


def _kinds(layout: _Layout) -> Array:
    kind = np.full(layout.rows, KINDS.index("function"))
    kind[np.arange(layout.rows) % 7 == 3] = KINDS.index("class")
    kind[np.arange(layout.rows) % 5 == 2] = KINDS.index("method")
    kind[np.arange(layout.rows) % 11 == 6] = KINDS.index("constant")
    kind[layout.file_row] = _FILE_KIND
    return kind


def _blocks(rows: int, **columns: Array) -> pa.Table:
    starts = range(0, max(rows, 1), BLOCK_ROWS)
    data: dict[str, Any] = {"block": pa.array(range(len(starts)), pa.int32())}
    for name, values in columns.items():
        data[name] = pa.array([np.ascontiguousarray(values[..., s : s + BLOCK_ROWS]).tobytes() for s in starts], pa.binary())
    return pa.table(data)


def _paths(layout: _Layout, words: list[str]) -> list[str]:
    return [
        f"{folder}{layout.folder[i]:05d}/{base}_{i}.{LANGUAGES[layout.folder[i] % len(LANGUAGES)]}"
        for i, (base, folder) in enumerate(_path_words(layout.files, words))
    ]


def _symbols_table(rng: np.random.Generator, pool: _Pool, layout: _Layout, fields: Any, words: list[str]) -> pa.Table:
    paths, kinds = _paths(layout, words), _kinds(layout)
    names = [p.rpartition("/")[2] for p in (paths[f] for f in layout.file)]
    qualified: list[str | None] = [None] * layout.rows
    signature: list[str | None] = [None] * layout.rows
    for own, row, identifier, container in zip(
        fields["name"][0].tolist(),
        layout.symbol_id.tolist(),
        fields["name"][1].tolist(),
        fields["container"][1].tolist(),
        strict=True,
    ):
        names[row] = pool.names[identifier]
        qualified[row] = f"{pool.names[container]}.{names[row]}" if own % 3 else names[row]
        signature[row] = f"def {names[row]}({pool.names[container]}: int, other: str) -> None"
    repos = [REPOS[layout.repo[f]] for f in layout.file]
    lines = np.arange(layout.rows) - layout.file_row[layout.file]
    file_paths = [paths[f] for f in layout.file]
    keys = [f"{r}:{p}" if q is None else f"{r}:{p}#{q}" for r, p, q in zip(repos, file_paths, qualified, strict=True)]
    language = [LANGUAGES[layout.folder[f] % len(LANGUAGES)] for f in layout.file]
    start = (lines * 4 + 1).astype(np.int32)
    return pa.table(
        {
            "symbol": pa.array(np.arange(layout.rows), pa.int32()),
            "key": keys,
            "repo": repos,
            "path": file_paths,
            "file": pa.array(layout.file, pa.int32()),
            "language": language,
            "kind": [KINDS[k] for k in kinds],
            "name": names,
            "qualified_name": pa.array(qualified, pa.string()),
            "signature": pa.array(signature, pa.string()),
            "doc": pa.array([None] * layout.rows, pa.string()),
            "start_line": start,
            "end_line": pa.array(start + 3, pa.int32()),
            "name_line": start,
            "start_byte": pa.array(lines * 40, pa.int32()),
            "end_byte": pa.array(lines * 40 + 40, pa.int32()),
            "parent": pa.array([None] * layout.rows, pa.int32()),
            "is_test": pa.array(np.zeros(layout.rows, bool)),
            "visibility": ["public"] * layout.rows,
            "decorators": pa.array([None] * layout.rows, pa.string()),
        }
    )


def _files_table(layout: _Layout, words: list[str]) -> pa.Table:
    n = layout.files
    return pa.table(
        {
            "file": pa.array(range(n), pa.int32()),
            "repo": [REPOS[r] for r in layout.repo],
            "path": _paths(layout, words),
            "language": [LANGUAGES[f % len(LANGUAGES)] for f in layout.folder],
            "status": ["indexed"] * n,
            "reason": pa.array([None] * n, pa.string()),
            "lines": pa.array(layout.counts * 4 + 1, pa.int32()),
            "size": pa.array(layout.counts * 40, pa.int64()),
            "generated": pa.array(np.zeros(n, bool)),
            "vendored": pa.array(np.zeros(n, bool)),
            "encoding": ["utf-8"] * n,
            "blob": pa.array([None] * n, pa.string()),
            "symbol": pa.array(layout.file_row, pa.int32()),
        }
    )


def _sources_table(layout: _Layout, pool: _Pool, fields: Any, words: list[str]) -> pa.Table:
    identifier = fields["name"][1]
    bounds = np.concatenate([[0], np.cumsum(layout.counts)])
    texts = [
        "".join(f"\ndef {pool.names[j]}():\n    return 1\n\n" for j in identifier[bounds[f] : bounds[f + 1]])
        for f in range(layout.files)
    ]
    return pa.table(
        {
            "file": pa.array(range(layout.files), pa.int32()),
            "repo": [REPOS[r] for r in layout.repo],
            "path": _paths(layout, words),
            "text": texts,
        }
    )
