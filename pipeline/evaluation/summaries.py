"""Questions that a repository asks of itself: the first sentence of a symbol's documentation, with the symbol as answer.

They are asked of an index of the same sources from which all documentation of symbols is taken out, so that the code has
to answer and not the sentence itself.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import numpy as np

from ...query.connection import Connection
from ...query.readers.files import read_files
from ...query.results import FILE_KIND
from ...query.store import Snapshot
from ...schemas.errors import StoreError
from ...schemas.tables import ROLES
from .questions import SYMBOL_LEVEL, Question

__all__ = ["LEAST_WORDS", "Documented", "ask_summaries", "documented", "summary", "without_docs", "write_sources"]

LEAST_WORDS = 4
"""A shorter sentence is hardly more than the name again."""

_REACH = 12
"""Lines above a declaration and below its name that documentation may begin at, decorators and long heads in between."""

_SENTENCE_END = re.compile(r"[.!?:](?=\s|$)|\n\s*\n")
_MARKS = " \t\n:!*#-/"
"""What may be left of comment markers at the beginning."""

_NO_QUESTION = tuple(1 << ROLES.index(role) for role in ("test", "fixture", "generated", "vendored", "non_code"))


class Documented(NamedTuple):
    """A symbol with documentation: its file, lines from 1, and whether a question may be made of it."""

    file: int
    key: str
    kind: str
    doc: str
    start_line: int
    name_line: int
    end_line: int
    is_code: bool


def documented(snapshot: Snapshot) -> tuple[list[Documented], dict[int, tuple[str, str, str]]]:
    """Return the documented symbols of a snapshot, and repo, path and text of each file by id; StoreError without texts."""
    if not snapshot.has("sources"):
        raise StoreError(f"{snapshot.folder} holds no texts, which this suite is made of: index again without --no-sources")
    with Connection(snapshot, ("symbols", "sources", "file_statistics")) as connection:
        roles = read_files(snapshot, connection)[0].roles
        sources = {
            file: (repo, path, text)
            for file, repo, path, text in connection.rows("SELECT file, repo, path, text FROM sources")
        }
        read = connection.rows(
            "SELECT file, key, kind, doc, start_line, name_line, end_line, is_test FROM symbols "
            "WHERE doc IS NOT NULL AND doc <> '' ORDER BY symbol"
        )
    no_code = np.bitwise_and(roles, sum(_NO_QUESTION)) > 0
    found = [
        Documented._make((*row, not (is_test or row[2] == FILE_KIND or bool(no_code[row[0]])))) for *row, is_test in read
    ]
    return found, sources


def summary(doc: str) -> str:
    """Return the first sentence of a documentation on one line, without its end mark."""
    doc = doc.lstrip(_MARKS)
    found = _SENTENCE_END.search(doc)
    return " ".join((doc[: found.start()] if found else doc).split())


def ask_summaries(symbols: Sequence[Documented], limit: int) -> list[Question]:
    """Return up to `limit` questions, chosen by the hash of the keys and so the same each time; a sentence asks once only."""
    asked: dict[str, Documented | None] = {}
    for symbol in symbols:
        sentence = summary(symbol.doc)
        if symbol.is_code and len(sentence.split()) >= LEAST_WORDS:
            asked[sentence] = None if sentence in asked else symbol
    chosen = [(sentence, symbol) for sentence, symbol in asked.items() if symbol is not None]
    chosen.sort(key=lambda pair: hashlib.sha256(pair[1].key.encode()).digest())
    chosen = sorted(chosen[:limit], key=lambda pair: pair[1].key.encode())
    return [Question(id=s.key, text=text, gold={s.key: 1}, level=SYMBOL_LEVEL, category=s.kind) for text, s in chosen]


def without_docs(text: str, symbols: Sequence[Documented]) -> str:
    """Return a text without the documentation of its symbols; lines stay where they are."""
    lines = text.split("\n")
    for symbol in symbols:
        told = [line.strip() for line in symbol.doc.splitlines() if line.strip()]
        at = max(symbol.start_line - 1 - len(symbol.doc.splitlines()) - _REACH, 0)
        end = min(max(symbol.name_line, symbol.start_line) + _REACH + len(symbol.doc.splitlines()) + 1, len(lines))
        if symbol.kind == FILE_KIND:
            at, end = 0, len(lines)
        for part in told:
            place = next((i for i in range(at, end) if part in lines[i]), None)
            if place is not None:
                lines[place] = lines[place].replace(part, "", 1)
                at = place
    return "\n".join(lines)


def write_sources(symbols: Sequence[Documented], sources: Mapping[int, tuple[str, str, str]], folder: Path) -> Path:
    """Write all texts without their documentation below `folder`; return the list of sources that `index --repos` takes."""
    by_file: dict[int, list[Documented]] = {}
    for symbol in symbols:
        by_file.setdefault(symbol.file, []).append(symbol)
    repos = sorted({repo for repo, _, _ in sources.values()}, key=str.encode)
    roots = {repo: folder / str(number) for number, repo in enumerate(repos)}
    for root in roots.values():
        root.mkdir(parents=True)
    for file, (repo, path, text) in sorted(sources.items()):
        if _may_be_written(path):
            target = roots[repo].joinpath(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(without_docs(text, by_file.get(file, ())), "utf-8", newline="")
    listed = folder / "repos.toml"
    listed.write_text("".join(_table(repo, roots[repo]) for repo in repos), "utf-8")
    return listed


def _may_be_written(path: str) -> bool:
    """Say whether a path stays inside its folder and rules nothing there: an artifact is not trusted."""
    parts = PurePosixPath(path).parts
    inside = bool(parts) and not PurePosixPath(path).is_absolute() and "\0" not in path
    return inside and not any(part in ("..", ".git") or _is_ignore_file(part) for part in parts)


def _is_ignore_file(name: str) -> bool:
    return name.startswith(".") and name.endswith("ignore")


def _table(repo: str, root: Path) -> str:
    return f"[[repos]]\nname = {json.dumps(repo)}\npath = {json.dumps(root.name)}\n"
