"""The sub-systems of a snapshot: folders that hold a good part of its declarations, and how a topic finds some of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..schemas.terms import normalize, split_word, words
from .connection import Connection

__all__ = ["SYNONYMS", "Subsystem", "divide", "matching", "wanted_words"]

_LARGE = 0.15
"""A folder with more than this share of its repository's declarations is divided further, if it has folders of its own."""

_SMALL = 0.01
"""A folder with less than this share is named with the folder around it."""

_DEPTH = 5
"""Folders deep that are looked at; below, names are about details."""

_LEAST = 0.4
"""Score below which a sub-system is not about a topic: a tenth of its names hold a synonym, or half as many a word of it."""

_MAIN = 3
"""Declarations that a sub-system is described by: those that most others use."""

SYNONYMS = (
    "auth authentication authorization authorize login signin session token oauth permission permissions credential credentials",
    "database db sql storage store persistence repository migration migrations schema query orm",
    "config configuration settings options preferences env",
    "test tests testing spec specs fixture fixtures mock",
    "cli command commands terminal shell console args",
    "http api server web rest route routes router routing endpoint request response handler handlers",
    "client sdk connector connectors fetch",
    "ui frontend view views component components widget page pages dashboard",
    "log logs logging logger trace tracing telemetry metrics analytics diagnostics",
    "cache caching memoize",
    "queue scheduler schedule worker workers job jobs task tasks executor runtime",
    "parser parse parsing lexer lexing syntax ast grammar tokenizer",
    "error errors exception exceptions failure panic",
    "doc docs documentation guide guides tutorial",
    "build ci release deploy deployment packaging scripts",
    "crypto encryption encrypt tls ssl hash secret secrets",
    "network net socket sockets tcp udp stream streams io",
    "file files filesystem fs path paths directory",
    "model models entity entities types",
    "search index indexing query ranking retrieval",
    "plugin plugins extension extensions addon middleware",
    "time timer timers clock date delay timeout",
    "sync lock locks mutex concurrency channel channels atomic",
    "format formatter printing print pretty render renderer template templates",
)
"""Words that stand for each other in names of folders; a judgement, kept short."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subsystem:
    """A folder (`.` for what lies beside the others) with what it holds; `names` are its most used declarations."""

    repo: str
    path: str
    files: int
    symbols: int
    languages: tuple[str, ...]
    names: tuple[str, ...]


class _Folder:
    """A folder under construction: its own counts and those of all below."""

    __slots__ = ("children", "files", "languages", "path", "symbols")

    def __init__(self, path: str) -> None:
        self.path = path
        self.children: dict[str, _Folder] = {}
        self.files = self.symbols = 0
        self.languages: Counter[str] = Counter()

    def add(self, parts: Sequence[str], language: str | None, files: int, symbols: int) -> None:
        """Count files of a folder that lies `parts` below."""
        self.files += files
        self.symbols += symbols
        if language is not None and symbols:
            self.languages[language] += symbols
        if parts:
            path = f"{self.path}/{parts[0]}" if self.path != "." else parts[0]
            self.children.setdefault(parts[0], _Folder(path)).add(parts[1:], language, files, symbols)


def divide(connection: Connection) -> list[Subsystem]:
    """Return the sub-systems of all repositories, in the order of repository and path; no two overlap."""
    rows = connection.rows(
        "SELECT repo, regexp_replace(path, '/?[^/]*$', '') AS folder, language, count(*) FILTER (kind = 'file') AS files, "
        "count(*) FILTER (kind <> 'file') AS symbols FROM symbols GROUP BY ALL ORDER BY ALL NULLS FIRST"
    )
    roots: dict[str, _Folder] = {}
    for repo, folder, language, files, symbols in rows:
        parts = folder.split("/")[:_DEPTH] if folder else []
        roots.setdefault(repo, _Folder(".")).add(parts, language, files, symbols)
    chosen = {(repo, folder.path): folder for repo, root in roots.items() for folder in _divided(root, max(root.symbols, 1))}
    main = _main_names(connection, chosen)
    return [
        Subsystem(
            repo=repo,
            path=path,
            files=folder.files,
            symbols=folder.symbols,
            languages=tuple(name for name, _ in sorted(folder.languages.items(), key=lambda pair: (-pair[1], pair[0]))[:3]),
            names=tuple(main.get((repo, path), ())),
        )
        for (repo, path), folder in sorted(chosen.items())
    ]


def _divided(folder: _Folder, total: int) -> list[_Folder]:
    """Return the folders that a folder is made of: itself, or its larger children and itself without them."""
    large = [child for child in folder.children.values() if child.symbols >= _SMALL * total and child.symbols > 0]
    if not large or (folder.symbols <= _LARGE * total and folder.path != "."):
        return [folder] if folder.symbols else []
    rest = _Folder(folder.path)
    rest.files = folder.files - sum(child.files for child in large)
    rest.symbols = folder.symbols - sum(child.symbols for child in large)
    rest.languages = Counter(folder.languages)
    for child in large:
        rest.languages.subtract(child.languages)
    rest.languages = +rest.languages
    found = [part for child in large for part in _divided(child, total)]
    return [*([rest] if rest.symbols else []), *found]


def _main_names(connection: Connection, chosen: Mapping[tuple[str, str], object]) -> dict[tuple[str, str], list[str]]:
    """Return the names of the most used declarations of each sub-system."""
    if not connection.has("edges_in"):
        return {}
    rows = connection.rows(
        "SELECT symbols.repo, path, name FROM symbols JOIN edges_in USING (symbol) WHERE NOT is_test AND kind NOT IN "
        "('file', 'section', 'key', 'field', 'enum_member') ORDER BY degree DESC, symbol LIMIT 5000"
    )
    out: dict[tuple[str, str], list[str]] = {}
    for repo, path, name in rows:
        owner = _owner(repo, path, chosen)
        names = out.setdefault(owner, []) if owner is not None else []
        if owner is not None and len(names) < _MAIN and name not in names:
            names.append(name)
    return out


def _owner(repo: str, path: str, chosen: Mapping[tuple[str, str], object]) -> tuple[str, str] | None:
    """Return the innermost of the chosen folders that holds a path."""
    folder = path.rpartition("/")[0]
    while folder:
        if (repo, folder) in chosen:
            return repo, folder
        folder = folder.rpartition("/")[0]
    return (repo, ".") if (repo, ".") in chosen else None


def wanted_words(topic: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a topic, and those that stand for them."""
    own = frozenset(part.lower() for word in words(normalize(topic)) for part in (word, *split_word(word)))
    others = frozenset(word for line in SYNONYMS if not own.isdisjoint(line.split()) for word in line.split())
    return own, others - own


def matching(connection: Connection, parts: Sequence[Subsystem], topic: str) -> list[Subsystem]:
    """Return the sub-systems that a topic is about, best first: by the words of their paths, then by names of declarations.

    A word of the topic counts more than a synonym. Empty where nothing matches.
    """
    own, others = wanted_words(topic)
    if not own:
        return []
    hits = _name_hits(connection, parts, own, others)
    scored = [(_path_score(part, own, others) + hits.get((part.repo, part.path), 0.0), part) for part in parts]
    found = [(score, part) for score, part in scored if score >= _LEAST]
    return [part for _, part in sorted(found, key=lambda pair: (-round(pair[0], 9), pair[1].repo, pair[1].path))]


def _path_score(part: Subsystem, own: frozenset[str], others: frozenset[str]) -> float:
    """Return 3 for each word of the topic on the path, 1.5 for a synonym; the last folder counts twice."""
    folders = part.path.lower().split("/")
    score = 0.0
    for place, folder in enumerate(folders):
        on_path = set(re.findall(r"[^\W_]+", folder))
        weight = 2.0 if place == len(folders) - 1 else 1.0
        score += weight * (3.0 * len(on_path & own) + 1.5 * bool(on_path & others))
    return score


def _name_hits(
    connection: Connection, parts: Sequence[Subsystem], own: frozenset[str], others: frozenset[str]
) -> dict[tuple[str, str], float]:
    """Return for each sub-system the share of its declarations whose names hold a word, from 0 to 2; synonyms count half."""
    chosen = {(part.repo, part.path): part for part in parts}
    rows = connection.rows(
        "SELECT repo, path, count(*) FILTER (regexp_matches(lower(name), $1)), count(*) FILTER (regexp_matches(lower(name), $2)) "
        "FROM symbols WHERE kind <> 'file' GROUP BY repo, path ORDER BY repo, path",
        [_pattern(own), _pattern(others)],
    )
    sums: Counter[tuple[str, str]] = Counter()
    for repo, path, with_own, with_others in rows:
        owner = _owner(repo, path, chosen)
        if owner is not None and (with_own or with_others):
            sums[owner] += 2 * with_own + with_others
    return {owner: min(2.0, 4.0 * count / max(chosen[owner].symbols, 20)) for owner, count in sums.items()}


def _pattern(wanted: Iterable[str]) -> str:
    """Return an expression for names that hold one of the words; words of three letters and less must stand alone."""
    listed = sorted(wanted)
    return "|".join(re.escape(word) if len(word) > 3 else rf"\b{re.escape(word)}\b" for word in listed) or r"[^\s\S]"
