"""Fill a budget with candidates: sections in their order, each up to its share, no line of a file twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from .excerpts import excerpt
from .markdown import OPENINGS, entry, heading, left_out, outline_line, place_of
from .values import CHARACTERS, Block, Candidate, Item, Omission, Pack

__all__ = ["Texts", "fill"]

Texts = Callable[[Iterable[int]], Mapping[int, str]]
"""Gives the texts of files by their ids, those that there are."""

_ROUNDS = (("definitions", 0.55), ("related", 0.72), ("documents", 0.84), ("definitions", 0.90), ("outline", 0.96))
"""Sections in the order in which they are filled, and the share of the budget that is spent when each is done: what a section
leaves over falls to the later ones, and first to more definitions."""

_LIST = 0.98
"""Share that is spent when the list of what was left out stands; the rest is for what a checkout has changed."""

_TAIL = 100
"""Characters that are always kept for both: each can at least say how many files it is about."""

_SEEN = 0.7
"""A candidate of which this share of lines is shown already says nothing new."""

_LEAST = 40
"""Characters of source below which an entry is not worth its heading."""

_ENOUGH = 600
"""Characters that any entry may take, however small the budget is: about a dozen lines, for less says little."""

_NAMES = 6
"""Declarations of one file that a line of the outline names."""


class _Filling:
    """A pack under construction: what is in it, what lines it shows, what room is left."""

    def __init__(self, characters: int, opening: str, pattern: re.Pattern[str] | None, *, several_repos: bool) -> None:
        self.characters = characters
        self.used = len(opening)
        self.items: dict[str, list[Item]] = {}
        self.done: set[int] = set()
        self._shown: dict[int, set[int]] = {}
        self._pattern = pattern
        self._several = several_repos

    def try_candidate(self, number: int, candidate: Candidate, lines: Sequence[str], limit: float) -> None:
        """Put a candidate in if it has room below `limit`, a share of the budget; mark it done if it is shown already."""
        shown = self._shown.setdefault(candidate.file, set())
        wanted = candidate.focus if candidate.only_focus else range(candidate.start_line, candidate.end_line + 1)
        if sum(line in shown for line in wanted) > _SEEN * len(wanted):
            self.done.add(number)
            return
        room = self._room(candidate.section, limit)
        most = max(int(candidate.most * self.characters), _ENOUGH)
        room = min(room, most) - len(heading(candidate, self._several))
        if room < (_LEAST if candidate.only_focus else min(_ENOUGH // 2, self._length(candidate, lines))):
            return
        blocks = excerpt(
            lines,
            candidate.start_line,
            candidate.end_line,
            room,
            self._pattern,
            candidate.focus,
            only_focus=candidate.only_focus,
            hidden=shown,
        )
        if not blocks:
            return
        item = _item(candidate, entry(candidate, blocks, self._several), blocks)
        if len(item.text) <= self._room(candidate.section, limit):  # escapes and a longer fence were not reckoned with
            self.done.add(number)
            shown.update(n for block in blocks for n in range(block.start, block.end + 1))
            self._add(item)

    @staticmethod
    def _length(candidate: Candidate, lines: Sequence[str]) -> int:
        """Return how many characters the range of a candidate has, _ENOUGH if it has more."""
        length = 0
        for line in islice(lines, candidate.start_line - 1, candidate.end_line):
            length += len(line) + 1
            if length > _ENOUGH:
                return _ENOUGH
        return length

    def add_outline(self, group: Sequence[Candidate], limit: float) -> bool:
        """Name the candidates of one file on a line, if there is room."""
        named = group[:_NAMES]
        text = outline_line(named, self._several)
        if len(text) > self._room("outline", limit):
            return False
        item = _item(named[0], text)
        names = tuple(candidate.name for candidate in named)
        self._add(replace(item, section="outline", source="ranked_file", names=names, edge=None, link=None))
        return True

    def _room(self, section: str, limit: float) -> int:
        opening = 0 if section in self.items else len(OPENINGS[section])
        return min(int(limit * self.characters), self.characters - _TAIL) - self.used - opening

    def _add(self, item: Item) -> None:
        opening = 0 if item.section in self.items else len(OPENINGS[item.section])
        self.items.setdefault(item.section, []).append(item)
        self.used += opening + len(item.text)


def fill(
    pack: Pack, candidates: Sequence[Candidate], texts: Texts, pattern: re.Pattern[str] | None, *, several_repos: bool
) -> Pack:
    """Return the pack, which holds its opening words only, with as many candidates as fit, best first in each section."""
    filling = _Filling(pack.budget * CHARACTERS, pack.text, pattern, several_repos=several_repos)
    left: list[Candidate] = []
    for section, limit in _ROUNDS:
        waiting = [(i, c) for i, c in enumerate(candidates) if i not in filling.done]
        if section == "outline":
            left = _outline(filling, [c for _, c in waiting], limit)
        else:
            _section(filling, [(i, c) for i, c in waiting if c.section == section], texts, limit)
    text = "".join(
        [pack.text, *(part for name, items in _ordered(filling) for part in [OPENINGS[name], *(i.text for i in items)])]
    )
    places = list(dict.fromkeys(place_of(c, several_repos) for c in left))
    text += left_out(places, min(int(_LIST * filling.characters), filling.characters - _TAIL // 2) - len(text))
    return replace(
        pack,
        text=text,
        items=(*pack.items, *(item for _, items in _ordered(filling) for item in items)),
        omissions=tuple(map(_omission, left)),
    )


_BATCH = 24
"""Files whose texts are asked for at once: about what a section has room for."""


def _section(filling: _Filling, waiting: Sequence[tuple[int, Candidate]], texts: Texts, limit: float) -> None:
    for start in range(0, len(waiting), _BATCH):
        batch = waiting[start : start + _BATCH]
        if filling.used > (limit - 0.01) * filling.characters:
            return
        found = texts(dict.fromkeys(candidate.file for _, candidate in batch))
        lines = {file: text.split("\n") for file, text in found.items()}
        for number, candidate in batch:
            if candidate.file in lines:
                filling.try_candidate(number, candidate, lines[candidate.file], limit)


def _outline(filling: _Filling, waiting: Sequence[Candidate], limit: float) -> list[Candidate]:
    """Name what is not shown, a line a file, and return what had no room even for that."""
    groups: dict[int, list[Candidate]] = {}
    for candidate in waiting:
        groups.setdefault(candidate.file, []).append(candidate)
    left: list[Candidate] = []
    for group in groups.values():
        named = filling.add_outline(group, limit)
        left += group[_NAMES:] if named else group
    return left


def _ordered(filling: _Filling) -> list[tuple[str, list[Item]]]:
    return [(name, filling.items[name]) for name in OPENINGS if name in filling.items]


def _item(candidate: Candidate, text: str, blocks: tuple[Block, ...] = ()) -> Item:
    return Item(
        section=candidate.section,
        source=_source(candidate, blocks),
        file=candidate.file,
        repo=candidate.repo,
        path=candidate.path,
        start_line=blocks[0].start if blocks else candidate.start_line,
        end_line=blocks[-1].end if blocks else candidate.end_line,
        kind=candidate.kind,
        name=candidate.name,
        key=candidate.key,
        language=candidate.language,
        blocks=blocks,
        text=text,
        edge=candidate.edge,
        link=candidate.link,
    )


def _source(candidate: Candidate, blocks: Sequence[Block]) -> str:
    if candidate.edge is not None:
        return "lexical_scope" if candidate.edge.relation == "scope" else "graph_edge"
    if candidate.link is not None:
        return "document_link"
    if candidate.kind == "file":
        return "ranked_file"
    whole = len(blocks) == 1 and blocks[0].start == candidate.start_line and blocks[0].end == candidate.end_line
    return "parsed_symbol" if whole else "source_range"


def _omission(candidate: Candidate) -> Omission:
    return Omission(
        section=candidate.section,
        repo=candidate.repo,
        path=candidate.path,
        start_line=candidate.start_line,
        end_line=candidate.end_line,
        name=candidate.name,
    )
