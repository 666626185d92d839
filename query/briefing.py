"""What a newcomer should know of a snapshot: its sub-systems, entry points, hubs, public surface and shared constants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from .connection import Connection
from .subsystems import Subsystem, divide, matching

__all__ = ["Briefing", "Named", "Rate", "brief"]

_SHOWN = 10
"""Rows of each list: a briefing is read from the first line to the last."""

_ENTRY_FILES = (
    "__main__.py manage.py wsgi.py asgi.py cli.py index.js index.ts main.js main.ts main.tsx server.js server.ts main.rs lib.rs "
    "main.go Main.java Program.cs main.c main.cpp main.swift Main.kt"
).split()
"""Base names by which a program or a package is entered, a convention of its language."""

_ASIDE = (
    r"(^|/)(tests?|testing|spec|__tests__|examples?|samples?|bench(es|marks?)?|docs?|fixtures?|testdata|vendor|third_party)/"
)
"""Folders that hold no entry of the product itself."""

_TYPES = ("class", "struct", "interface", "trait", "enum", "protocol", "record", "type", "type_alias", "object", "union")
_CALLABLE = ("function", "method", "constructor", "macro")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A symbol or file of note; `uses` is the number of edges that lead to it."""

    repo: str
    path: str
    line: int
    kind: str
    name: str
    uses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How many calls of a language lead to a symbol, of those that may: calls out of the sources and of values are left out."""

    language: str
    resolved: int
    calls: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The lists are cut to ten rows; `parts` is the number of all sub-systems and `public` of all public declarations."""

    topic: str | None
    matched: bool
    parts: int
    subsystems: tuple[Subsystem, ...]
    entry_points: tuple[Named, ...]
    hubs: tuple[Named, ...]
    public: int
    surface: tuple[Named, ...]
    constants: tuple[Named, ...]
    rates: tuple[Rate, ...]

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)


def brief(connection: Connection, calls: Mapping[str, tuple[int, Mapping[str, int]]], topic: str | None = None) -> Briefing:
    """Look a snapshot over; `calls` are, by language, those resolved and the others by reason.

    With a `topic`, the sub-systems are those that match it or a synonym, or, where none does, the ten largest.
    """
    parts = divide(connection)
    found = matching(connection, parts, topic) if topic else []
    largest = sorted(parts, key=lambda part: (-part.symbols, part.repo, part.path))
    ((public,),) = connection.rows(f"SELECT count(*) FROM symbols WHERE {_PUBLIC}")
    return Briefing(
        topic=topic,
        matched=bool(found),
        parts=len(parts),
        subsystems=tuple((found or largest)[:_SHOWN]),
        entry_points=tuple(_entry_points(connection)),
        hubs=tuple(_hubs(connection)),
        public=public,
        surface=tuple(_used(connection, f"{_PUBLIC} AND kind IN ({_listed(_TYPES + _CALLABLE)})")),
        constants=tuple(_used(connection, "kind IN ('constant', 'variable') AND parent IS NULL AND NOT is_test")),
        rates=tuple(_rates(calls)),
    )


_COLUMNS = "repo, path, start_line, kind, coalesce(qualified_name, name)"
_PUBLIC = "visibility = 'public' AND parent IS NULL AND kind <> 'file' AND NOT is_test AND kind NOT IN ('section', 'key')"


def _entry_points(connection: Connection) -> list[Named]:
    rows = connection.rows(
        f"SELECT {_COLUMNS}, 0 FROM symbols WHERE NOT is_test AND NOT regexp_matches(path, $1) AND ("
        f"(kind IN ('function', 'method') AND name IN ('main', 'Main')) OR (kind = 'file' AND name IN ({_listed(_ENTRY_FILES)})))"
        " ORDER BY kind = 'file', length(path) - length(replace(path, '/', '')), symbol",
        [_ASIDE],
    )
    seen: set[tuple[str, str]] = set()
    out = []
    for row in rows:  # a file whose main was named stands already
        if row[:2] not in seen:
            seen.add(row[:2])
            out.append(_named(row))
    return out[:_SHOWN]


def _hubs(connection: Connection) -> list[Named]:
    """Return the declarations that most others call; tests do not count as callers."""
    if not connection.has("edges"):
        return []
    rows = connection.rows(
        f"WITH called AS (SELECT dst, count(*) AS uses FROM {connection.source('edges')} e JOIN symbols s ON s.symbol = e.src "
        "WHERE e.kind = 'calls' AND NOT s.is_test GROUP BY dst ORDER BY uses DESC, dst LIMIT 200) "
        f"SELECT {_COLUMNS}, uses FROM called JOIN symbols ON symbol = dst WHERE NOT is_test ORDER BY uses DESC, symbol LIMIT {_SHOWN}"
    )
    return list(map(_named, rows))


def _used(connection: Connection, where: str) -> list[Named]:
    """Return the declarations with the most edges that lead to them."""
    if not connection.has("edges_in"):
        return []
    rows = connection.rows(
        "WITH used AS (SELECT symbol, degree - 1 AS uses FROM edges_in WHERE degree > 1) "  # one is from what contains it
        f"SELECT {_COLUMNS}, uses FROM symbols JOIN used USING (symbol) WHERE {where} ORDER BY uses DESC, symbol LIMIT {_SHOWN}"
    )
    return list(map(_named, rows))


def _rates(calls: Mapping[str, tuple[int, Mapping[str, int]]]) -> list[Rate]:
    rates = []
    for language, (resolved, others) in sorted(calls.items()):
        missed = sum(count for reason, count in others.items() if reason not in ("external", "value"))
        if resolved + missed:
            rates.append(Rate(language=language, resolved=resolved, calls=resolved + missed))
    return sorted(rates, key=lambda rate: (-rate.calls, rate.language))


def _named(row: Sequence[Any]) -> Named:
    repo, path, line, kind, name, uses = row
    return Named(repo=repo, path=path, line=line, kind=kind, name=name, uses=uses)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)
