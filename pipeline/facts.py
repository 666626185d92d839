"""What is known of one file from its bytes alone: the values that extraction hands on.

Nothing here depends on the file's path, on other files or on the machine, so facts can be cached by content.
Lines count from 1 by LF only; bytes are offsets into the UTF-8 of the decoded text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .graph.facts import FileReferences
from .graph.tokens import Token
from .links.marks import Mark

__all__ = ["FileFacts", "SymbolFact"]


class SymbolFact(NamedTuple):
    """One declaration; a tuple and not a dataclass because an index run makes one a symbol.

    `qualified_name` joins the owners inside the file with `.`; `signature` is the declaration's head on one line;
    `doc` is the text of its doc comment without markers; `parent` is a position in the file's list or -1;
    `decorators` are names without `@` or brackets; `body_start` is the byte where the body begins (`end_byte` if none).
    """

    kind: str
    name: str
    qualified_name: str
    signature: str
    doc: str
    start_line: int
    end_line: int
    name_line: int
    start_byte: int
    end_byte: int
    body_start: int
    parent: int
    is_test: bool
    visibility: str
    decorators: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """The result of looking at one file's bytes.

    `language` is the one that was used, which content may decide (a C++ header named `.h`), None where there is none.
    `embedded` is the language of the code in it, where that is another, as in a notebook or a page with scripts.
    `status` is `indexed`, `partial` or `skipped`; `reason` is a slug of SPEC.md, then perhaps `: detail`.
    `doc` describes the file itself (a module's docstring, a package comment).
    `references` is the input of linking, None where the language has none; `marks` are the links and anchors of a document,
    `tokens` what the text of code may share with other code.
    `text` is None when skipped; `symbols` are ordered by (start_byte, -end_byte) without the row of the file itself.
    """

    status: str
    reason: str | None
    encoding: str | None
    generated: bool
    lines: int | None
    text: str | None
    symbols: tuple[SymbolFact, ...]
    language: str | None = None
    embedded: str | None = None
    doc: str = ""
    references: FileReferences | None = None
    marks: tuple[Mark, ...] = ()
    tokens: tuple[Token, ...] = ()
