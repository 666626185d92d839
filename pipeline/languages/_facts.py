"""What a language is, as plain data: one `Language` row and one `.scm` query describe it in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

__all__ = [
    "BRACE_END",
    "INDENT_END",
    "DocStyle",
    "Embedded",
    "Found",
    "Language",
    "Recovery",
    "Region",
    "VisibilityRule",
    "by_line",
]

VisibilityRule = Literal["public", "underscore", "capital", "export", "modifier"]
"""How visibility is told, see pipeline/extract/_heads.py: everything public; a leading underscore; a capital initial;
an `export` where the file has one; words in the signature that `modifier` finds."""

BRACE_END = re.compile(rb"^\}.*$", re.M)
"""Where a top-level declaration ends in a language of braces: the first closing brace in column 0."""

INDENT_END = re.compile(rb"\n(?=[^\s#)\]}])")
"""Where a top-level declaration ends in a language of indentation: before the next text in column 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocStyle:
    """Where a language keeps the doc comment of a declaration.

    `lines` are the markers of line comments above it, `blocks` the openers of block comments above it (closed by
    `block_end`), the longest first; `docstring` says that a string literal first in the body is one; `module_lines`
    and `module_blocks` mark the comment at the head of a file that describes the file itself.
    """

    lines: tuple[bytes, ...] = ()
    blocks: tuple[bytes, ...] = ()
    block_end: bytes = b"*/"
    docstring: bool = False
    module_lines: tuple[bytes, ...] = ()
    module_blocks: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """How to find a top-level declaration by its first line where the parser gave up.

    `pattern` matches at the start of a line (re.M) and has one group `name`; `end` finds the end of the declaration. It is
    compiled where it is first used: a file with errors needs those of its language, and all of them take 26 ms.
    """

    kind: str
    pattern: bytes
    end: re.Pattern[bytes]


def by_line(kind: str, pattern: bytes, end: re.Pattern[bytes] = BRACE_END) -> Recovery:
    """Return a recovery rule; `pattern` is matched at the start of a line. Repeats over lines must be bounded."""
    return Recovery(kind=kind, pattern=rb"^" + pattern, end=end)


class Found(NamedTuple):
    """A declaration that a scanner found; byte offsets of all of it, of its name, and of what follows its head.

    `body` is -1 for one that owns nothing and has no head of its own.
    """

    kind: str
    start: int
    end: int
    name_start: int
    name_end: int
    body: int = -1


class Region(NamedTuple):
    """A part of a text in another language; byte offsets, and the id of a row.

    `code` is what to parse in its place, of the same length, None for the text itself.
    """

    start: int
    end: int
    language: str
    code: bytes | None = None


class Embedded(NamedTuple):
    """A text and the parts of it that are in other languages, in order and apart."""

    text: str
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language.

    `grammar` is a name in tree-sitter-language-pack, None for text that `scan` reads or that is only searched as a
    file. `queries` are the `.scm` files that make its query, in order; none means `ID.scm`. Extensions begin with a
    dot; interpreters are names in a `#!` line without version digits. Where languages share an extension, the first
    row whose `evidence` holds of the head of the file wins, else the row without evidence.
    """

    id: str
    grammar: str | None = None
    queries: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    evidence: Callable[[bytes], bool] | None = None

    doc: DocStyle = field(default_factory=DocStyle)
    decorator: re.Pattern[bytes] | None = None
    """Matches one decorator at the current position, blanks before it included; group `name` is its name."""

    prefix_words: tuple[bytes, ...] = ()
    """Words that belong to a declaration but stand just before its node: `const` before a declarator."""

    visibility: VisibilityRule = "public"
    modifier: re.Pattern[str] | None = None
    """For the rules `modifier` and `export`: searched in the signature; its groups are named by visibilities."""
    default_visibility: str = "public"
    member_visibility: tuple[tuple[str, str], ...] = ()
    """Pairs of a kind of owner and the visibility of its members without a modifier, where it is not the default."""
    open_owners: frozenset[str] = frozenset({"interface", "trait", "enum", "annotation"})
    """Kinds of owner whose members have the visibility of the owner itself."""

    test_decorator: re.Pattern[bytes] | None = None
    """Searched in the text of the decorators: the declaration and all inside it is test code."""
    test_head: re.Pattern[str] | None = None
    """Searched in the signature, to the same effect."""

    constructors: frozenset[str] = frozenset()
    """Names of methods that construct."""
    constructor_like_owner: bool = False
    """A method named as its owner constructs."""
    upper_constants: bool = False
    """Variables in UPPER_CASE are constants."""
    path_separator: bytes = b""
    """Separates owners from the name where the name itself carries them, such as `::`."""
    name_strip: tuple[bytes, ...] = ()
    """Prefixes and quotes that belong to the notation of a name, not to the name."""

    name_pattern: re.Pattern[bytes] | None = None
    """Matches the part of a captured name that is the name, from its start."""

    harmless_errors: str = ""
    """Query whose captures are error nodes that come from gaps of the grammar and cost no symbol."""
    recovery: tuple[Recovery, ...] = ()
    expand: Callable[[bytes], bytes | None] | None = None
    """Returns text of the same length in which the parser sees more than in the original, or None; see `repair`."""
    repair: Callable[[bytes], bytes | None] | None = None
    """Returns text of the same length that may parse with fewer errors, or None; tried only after errors."""
    final_newline: bool = False
    """The grammar never ends on some texts without a line feed at the end: it gets one."""
    max_depth: int | None = None
    """Deepest nesting that the grammar survives, where that is less than the general limit."""

    scan: Callable[[bytes], Iterable[Found]] | None = None
    """Finds the declarations in place of a grammar: for languages of lines, and where grammars crash or know one dialect."""
    spell: Callable[[str], str] | None = None
    """Turns the text of a captured name into the name: without markup, escapes resolved; '' for none."""
    embed: Callable[[str], Embedded] | None = None
    """Returns the text to keep of a decoded file, which all offsets refer to, and its parts in other languages."""
