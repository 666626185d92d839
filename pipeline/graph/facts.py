"""What one file says about names, from its tree alone: the input of linking.

Nothing here depends on the file's path or on other files. Scopes and definitions point at each other by position;
position 0 of `scopes` is the file itself. Bytes are offsets into the UTF-8 of the text, lines count from 1.

An *expression chain* is an expression reduced to what its type depends on: a base and postfix steps.
Bases: a name, or a type between back-quotes (`` `Foo` ``: some value of that type). Steps: `.name` member, `()` call,
`[]` index, `~` awaited, `@` element of an iteration, `%` entered by `with`, `^2` third part of a tuple.
`app.make(x)[0].run` is `app.make()[].run`. The empty chain is unknown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from sys import intern
from typing import Any, NamedTuple

__all__ = [
    "ROWS",
    "Base",
    "Definition",
    "FileReferences",
    "Import",
    "Reference",
    "Scope",
    "columns_of",
    "decode",
    "encode",
    "language_of",
]


class Scope(NamedTuple):
    """A region with its own names; `kind` is `file`, `function`, `class` or `lambda`; `definition` names it or is -1."""

    kind: str
    parent: int
    definition: int
    start: int
    end: int


class Definition(NamedTuple):
    """A name bound in a scope.

    `kind` is a kind of function or class, `type`, `variable`, `field`, `property`, `parameter`, `prototype`, `impl`,
    `anonymous` (a class without name) or `return` (a value that the function returns, or yields when named `yield`).
    `type` is the declared type's text (for a function, what it returns), `value` a chain, `inner` the scope it opens or -1,
    `flags` blank-separated modifiers and decorators, `arity` the number of parameters or -1, `symbol` a position in the
    file's symbols or -1. `owner` is the text of the type a method is declared on outside of its class body, after `@:` that
    of the type that an extension is for.
    """

    scope: int
    name: str
    kind: str
    line: int
    byte: int
    type: str
    value: str
    inner: int
    flags: str
    arity: int
    owner: str
    symbol: int


class Import(NamedTuple):
    """One imported name; `name` is empty for a whole module, `*` for all its names; `alias` is empty when nothing is bound.

    `kind` is `import`, `from`, `export` (re-exported), `require`, `include`, `package`, `module` (declares a
    child) or `build` (the condition under which the file is compiled).
    """

    scope: int
    kind: str
    module: str
    name: str
    alias: str
    line: int
    byte: int


class Reference(NamedTuple):
    """Uses of a name in one scope that mean the same; `line` and `byte` are the first one's.

    `kind` is `call`, `bare` (a call if it is a function that the name means), `macro`, `type`, `value` or `decorator`;
    `arity` is the number of arguments or -1.
    """

    scope: int
    kind: str
    chain: str
    arity: int
    line: int
    byte: int
    sites: int = 1


class Base(NamedTuple):
    """A base of the class whose scope is `scope`; `relation` is `extends`, `implements` or `embeds`; `type` is its text."""

    scope: int
    relation: str
    type: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReferences:
    """All of one file; `language` is the grammar's name."""

    language: str
    scopes: tuple[Scope, ...]
    definitions: tuple[Definition, ...]
    imports: tuple[Import, ...]
    references: tuple[Reference, ...]
    bases: tuple[Base, ...]


_OPENING = b'{"language":"'
ROWS: tuple[tuple[str, Any], ...] = (
    ("scopes", Scope),
    ("definitions", Definition),
    ("imports", Import),
    ("references", Reference),
    ("bases", Base),
)
"""The parts of a file's facts, in the order that they are encoded in, and what each consists of."""


def encode(facts: FileReferences) -> bytes:
    """Return compact bytes, one array a column, for a cache or a worker's answer; the references are a line of their own."""
    columns = {name: list(zip(*getattr(facts, name), strict=True)) for name, _ in ROWS}
    references = columns.pop("references")
    return _line({"language": facts.language, **columns}) + b"\n" + _line(references)


def _line(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def columns_of(data: bytes, *, references: bool = True) -> dict[str, Any]:
    """Return the columns of facts that `encode` made bytes of, by part, and the language; references only if they are wanted."""
    head, _, rest = data.partition(b"\n")
    columns: dict[str, Any] = json.loads(head)
    columns["references"] = json.loads(rest) if references else ()
    return columns


def language_of(data: bytes) -> str:
    """Return the language of facts that `encode` made bytes of, without reading the rest."""
    start = len(_OPENING)
    return data[start : data.index(b'"', start)].decode()


def decode(data: bytes, *, references: bool = True) -> FileReferences:
    """Return the facts that `encode` made bytes of; references only if they are wanted."""
    raw = columns_of(data, references=references)
    rows: dict[str, Any] = {
        name: tuple(map(partial(tuple.__new__, row), zip(*map(_shared, raw[name]), strict=True))) for name, row in ROWS
    }
    return FileReferences(language=raw["language"], **rows)


def _shared(column: list[Any]) -> Iterable[Any]:
    """Return a column whose equal texts are one object in all files: most are names and kinds that come again and again."""
    return map(intern, column) if isinstance(column[0], str) else column
