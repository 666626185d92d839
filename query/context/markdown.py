"""A pack as compact Markdown: a heading an entry, its lines in a fence, no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..console import clean
from .excerpts import GAP
from .values import Block, Candidate

__all__ = ["OPENINGS", "differing", "entry", "heading", "left_out", "opening", "outline_line", "place_of"]

OPENINGS = {
    "definitions": "\n## Definitions\n",
    "related": "\n## Callers, callees, types, tests\n",
    "documents": "\n## Documents\n",
    "outline": "\n## More, by name\n",
}
"""What stands before the entries of each section."""

_TASK = 200
"""Characters of the task that the first line repeats."""

_RELATIONS = {
    "callee": "called by",
    "caller": "calls",
    "type": "used by",
    "subtype": "built on",
    "test": "tests",
    "scope": "around",
}
"""What an entry is to the definition that it was reached from."""


def opening(task: str, snapshot: str, notes: Sequence[str], room: int) -> str:
    """Return the first lines of a pack, in at most `room` characters: the task, the snapshot, and what is to be noted."""
    lines = [f"# {clean(task.strip())[:_TASK]}\n", f"\nFrom snapshot {snapshot}.\n"]
    lines += [f"Note: {clean(note)}\n" for note in notes]
    text = ""
    for line in lines:
        if len(text) + len(line) <= room:
            text += line
    return text


def heading(candidate: Candidate, several_repos: bool, lines: tuple[int, int] | None = None) -> str:
    """Return the lines around the source of an entry, with the first and the last line shown, in all their length."""
    return "".join(_frame(candidate, several_repos, lines or (candidate.start_line, candidate.end_line), "```"))


def entry(candidate: Candidate, blocks: Sequence[Block], several_repos: bool) -> str:
    """Return one entry: a heading, and its lines in a fence, each free of what could act on a terminal."""
    body = "\n".join(_body(blocks))
    above, below = _frame(candidate, several_repos, (blocks[0].start, blocks[-1].end), "````" if "```" in body else "```")
    return f"{above}{body}{below}"


def _frame(candidate: Candidate, several_repos: bool, lines: tuple[int, int], fence: str) -> tuple[str, str]:
    start, end = lines
    span = f"{start}-{end}" if end > start else str(start)
    name = "" if candidate.kind == "file" else f" {clean(candidate.name)}"
    why = ""
    if candidate.edge is not None:
        why = f", {_RELATIONS[candidate.edge.relation]} {clean(candidate.edge.via_name)}"
    if candidate.link is not None:
        why = f", linked from {clean(candidate.link.path)}:{candidate.link.line}"
    place = clean(place_of(candidate, several_repos))
    return f"\n### {place}:{span} {candidate.kind}{name}{why}\n{fence}{candidate.language or ''}\n", f"\n{fence}\n"


def _body(blocks: Sequence[Block]) -> Iterator[str]:
    for i, block in enumerate(blocks):
        if i:
            yield GAP.format(block.start)
        yield from ("\t".join(map(clean, line.split("\t"))) for line in block.lines)


def outline_line(group: Sequence[Candidate], several_repos: bool) -> str:
    """Return the line that names candidates of one file."""
    names = [f"{clean(c.name)}:{c.start_line}" for c in group if c.kind != "file"]
    return f"- {clean(place_of(group[0], several_repos))}{': ' if names else ''}{', '.join(names)}\n"


def left_out(places: Sequence[str], room: int) -> str:
    """Return the list of what had no room, in at most `room` characters: as many places as fit, and how many more."""
    return _listed("\n## Left out\n{}\n", places, room)


def differing(places: Sequence[str], room: int) -> str:
    """Return the list of files that are not the same in a checkout, in at most `room` characters."""
    return _listed("\nNot the same in the checkout: {}\n", places, room)


def _listed(pattern: str, places: Sequence[str], room: int) -> str:
    if not places:
        return ""
    for shown in range(len(places), -1, -1):
        more = f"{', ' if shown else ''}{len(places) - shown} files more" if shown < len(places) else ""
        text = pattern.format(", ".join(map(clean, places[:shown])) + more)
        if len(text) <= room:
            return text
    return ""


def place_of(candidate: Candidate, several_repos: bool) -> str:
    """Return the path, with the repository where there are several."""
    return f"{candidate.repo}:{candidate.path}" if several_repos else candidate.path
