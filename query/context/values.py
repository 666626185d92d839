"""What a context pack is made of, as frozen values; none of them knows how it was found."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = [
    "BUDGET",
    "LEAST_BUDGET",
    "SECTIONS",
    "SOURCES",
    "Block",
    "Candidate",
    "EdgeOfItem",
    "Item",
    "LinkOfItem",
    "Omission",
    "Pack",
    "tokens",
]

BUDGET = 8000
"""Tokens of a pack where nothing else is asked for."""

LEAST_BUDGET = 100
"""Below this there is no room for a heading and a line of code."""

CHARACTERS = 4
"""Characters that count as one token, a convention: no tokenizer is asked."""

SECTIONS = ("definitions", "related", "documents", "outline")
"""The parts of a pack in their order."""

SOURCES = (
    "parsed_symbol",
    "lexical_scope",
    "graph_edge",
    "ranked_file",
    "source_range",
    "document_link",
    "generated_explanation",
)
"""What an item can rest on: a declaration shown whole, what encloses one, an edge of the graph, a file by its rank, exact
lines of a longer declaration, a link of a document, or words that codequarry has written itself."""


def tokens(text: str) -> int:
    """Return the tokens of a text: four characters each, rounded up."""
    return -(-len(text) // CHARACTERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Adjacent lines of a source; `start` is the number of the first, from 1."""

    start: int
    lines: tuple[str, ...]

    @property
    def end(self) -> int:
        """Number of the last line."""
        return self.start + len(self.lines) - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeOfItem:
    """The edge that leads to an item from `via`, the key of another; `line` lies in `path`, the file of the edge's source."""

    relation: str
    via: str
    via_name: str
    kind: str
    path: str
    line: int
    confidence: float
    evidence: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkOfItem:
    """The link that leads to an item: the document and line where it stands, what is written there, and how many hops away."""

    path: str
    line: int
    destination: str
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """What could be in a pack: a range of a file and why.

    `focus` are lines that matter most, `only_focus` says that no others do; `most` is the share of the budget to spend at
    most, `file` is the id of the file.
    """

    section: str
    file: int
    repo: str
    path: str
    start_line: int
    end_line: int
    kind: str
    name: str
    key: str
    language: str | None
    most: float
    focus: tuple[int, ...] = ()
    only_focus: bool = False
    edge: EdgeOfItem | None = None
    link: LinkOfItem | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One part of a pack; `source` is one of SOURCES, `text` the Markdown that stands for it.

    `file` is the id of the file, None for words that stand for none. Lines are those of the first and last line shown (of the
    whole declaration or file where none is); `blocks` are exact lines of the source, none in what is only named. `names` are
    the declarations that a line of the outline lists.
    """

    section: str
    source: str
    file: int | None
    repo: str
    path: str
    start_line: int
    end_line: int
    kind: str
    name: str
    key: str
    language: str | None
    blocks: tuple[Block, ...]
    text: str
    edge: EdgeOfItem | None = None
    link: LinkOfItem | None = None
    names: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Share of the budget that its text takes."""
        return tokens(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Omission:
    """What was found and is not in the pack; `reason` is `budget`."""

    section: str
    repo: str
    path: str
    start_line: int
    end_line: int
    name: str
    reason: str = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pack:
    """A context pack: `text` is the whole of it as Markdown, never more than `budget` tokens.

    `files` is how many files have lines in it. `complete` is False when something that was found had no room.
    """

    task: str
    snapshot: str
    budget: int
    text: str
    items: tuple[Item, ...]
    omissions: tuple[Omission, ...]
    notes: tuple[str, ...]

    @property
    def tokens(self) -> int:
        """Tokens of the text."""
        return tokens(self.text)

    @property
    def complete(self) -> bool:
        """Say whether nothing that was found is missing."""
        return not self.omissions

    @property
    def files(self) -> int:
        """Number of files that have lines in the pack."""
        return len({(item.repo, item.path) for item in self.items if item.blocks})
