"""The case pack as typed values; README.md beside this file says what every key means."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

__all__ = [
    "HERE",
    "PACK",
    "Case",
    "Edge",
    "Heading",
    "Link",
    "Pair",
    "Query",
    "Root",
    "SourceText",
    "Split",
    "WantedFile",
    "WantedSymbol",
    "load",
    "load_all",
]

HERE = Path(__file__).parent
PACK = HERE / "pack"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedFile:
    """A row of `files`; `status` and `reason` list what is right, `absent` among the statuses allows no row."""

    path: str
    status: tuple[str, ...]
    reason: tuple[str, ...] = ()
    lines: int | None = None
    language: str | None = None
    generated: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedSymbol:
    """A row of `symbols`; empty tuples and None accept anything."""

    name: tuple[str, ...]
    kind: tuple[str, ...] = ()
    qualified: tuple[str, ...] = ()
    path: str | None = None
    start: int | None = None
    name_line: int | None = None
    end: int | None = None
    end_tolerance: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """What the source text between a symbol's bytes holds and does not hold."""

    path: str
    name: str
    has: str
    has_not: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """One search: its text or raw bytes, more options, and what its answer must be."""

    q: str = ""
    bytes: str | None = None
    options: tuple[str, ...] = ()
    exit: tuple[int, ...] = (0,)
    top: str | None = None
    top_path: tuple[str, ...] = ()
    min_hits: int = 0
    max_hits: int = 10**9
    says: str | None = None
    or_note: str | None = None
    repeat: int = 1
    terms_add_up: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """A folder of the tree that is indexed by itself; `head`: the commit is the one that git says."""

    root: str
    indexed: tuple[str, ...]
    absent: tuple[str, ...] = ()
    head: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """An edge between two ends, each `path`, `path:qualified_name` or `qualified_name`."""

    from_: str
    to: str
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The link numbered `n` in the text of a document: where it leads, None if nowhere inside the repository."""

    n: int
    to: str | None = None
    or_: str | None = None
    broken: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading and its line."""

    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A text and the splits of it that are right."""

    text: str
    ok: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A function's name and a query that must find it."""

    name: str
    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case; every field but the first four is an expectation, and an empty one expects nothing."""

    name: str
    kind: str
    why: str
    tree: str | None = None
    root: str = ""
    seconds: int = 120
    plan: str | None = None
    damage: str | None = None
    expect: str | None = None
    files: tuple[WantedFile, ...] = ()
    indexed: tuple[str, ...] | None = None
    indexed_count: int | None = None
    absent: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    symbols: tuple[WantedSymbol, ...] = ()
    no_symbols: tuple[Mapping[str, str], ...] = ()
    rows: Mapping[str, int] = field(default_factory=dict)
    across_files: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    symbols_max: int | None = None
    term_max_length: int | None = None
    no_terms: tuple[str, ...] = ()
    sources: tuple[SourceText, ...] = ()
    unknown: tuple[str, ...] = ()
    dirty: bool | None = None
    summary: tuple[str, ...] = ()
    roots: tuple[Root, ...] = ()
    queries: tuple[Query, ...] = ()
    edges: tuple[Edge, ...] = ()
    no_edges: tuple[Edge, ...] = ()
    links: tuple[Link, ...] = ()
    links_from: str | None = None
    no_links: tuple[int, ...] = ()
    anchors: Mapping[str, str] = field(default_factory=dict)
    headings: tuple[Heading, ...] = ()
    no_headings: tuple[int, ...] = ()
    heading_counts: Mapping[str, int] = field(default_factory=dict)
    splits: tuple[Split, ...] = ()
    pairs: tuple[Pair, ...] = ()

    @property
    def folder(self) -> Path:
        return PACK / self.name


_ROWS: dict[str, type[Any]] = {
    "files": WantedFile,
    "symbols": WantedSymbol,
    "sources": SourceText,
    "roots": Root,
    "queries": Query,
    "edges": Edge,
    "no_edges": Edge,
    "links": Link,
    "headings": Heading,
    "splits": Split,
    "pairs": Pair,
}
_MANY = {"name", "kind", "qualified"}  # of a symbol: one word or a list of them


def load_all() -> list[Case]:
    """Return every case, by name."""
    return [load(path.parent) for path in sorted(PACK.glob("*/case.toml"))]


def load(folder: Path) -> Case:
    """Read one case; an unknown key is a TypeError, so that no expectation is lost to a typing error."""
    value = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
    for key, kind in _ROWS.items():
        if key in value:
            value[key] = tuple(_row(kind, row) for row in value[key])
    return Case(name=folder.name, **{k: _frozen(v) for k, v in value.items()})


def _row(kind: type[T], row: dict[str, Any]) -> T:
    names = {f.name for f in fields(kind)}  # type: ignore[arg-type]  # every row type is a dataclass
    clean = {(f"{k}_" if f"{k}_" in names else k): _frozen(v) for k, v in row.items()}
    if kind is WantedSymbol:
        clean.update({k: (v,) for k, v in clean.items() if k in _MANY and isinstance(v, str)})
    return kind(**clean)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
