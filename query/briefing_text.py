"""A briefing as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .console import clean
from .text import count

if TYPE_CHECKING:
    from .briefing import Briefing, Named
    from .subsystems import Subsystem

__all__ = ["block", "briefing_lines"]


def block(title: str, lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines beside a title that stands once."""
    for i, line in enumerate(lines):
        yield f"{title if i == 0 else '':<10}{clean(line)}".rstrip()


def briefing_lines(found: Briefing) -> Iterator[str]:
    """Yield the blocks of a briefing; those without rows are left out."""
    several = len({part.repo for part in found.subsystems}) > 1
    if found.topic is not None:
        told = f"about {found.topic!r}" if found.matched else f"none is about {found.topic!r}; the largest"
        yield from block("parts", [f"{told}, {len(found.subsystems)} of {found.parts}"] if found.parts else [])
        yield from block("", [f"  {_part(part, several)}" for part in found.subsystems])
    elif found.parts:
        head = f"{count(found.parts, 'sub-system')}" + (", the largest" if found.parts > len(found.subsystems) else "")
        yield from block("parts", [head, *(f"  {_part(part, several)}" for part in found.subsystems)])
    yield from block("entries", [_named(row) for row in found.entry_points])
    yield from block("hubs", [f"{_named(row)}, {count(row.uses, 'caller')}" for row in found.hubs])
    if found.public:
        used = [f"  {_named(row)}, {count(row.uses, 'use')}" for row in found.surface]
        yield from block("public", [count(found.public, "declaration"), *used])
    yield from block("constants", [f"{_named(row)}, {count(row.uses, 'use')}" for row in found.constants])
    rates = [f"{100 * rate.resolved / rate.calls:.0f} % of {rate.calls:,} calls in {rate.language}" for rate in found.rates]
    yield from block("resolved", rates)


def _part(part: Subsystem, several: bool) -> str:
    place = f"{part.repo}:{part.path}" if several else part.path
    names = f"; {', '.join(part.names)}" if part.names else ""
    languages = f", {', '.join(part.languages)}" if part.languages else ""
    return f"{place}  {count(part.files, 'file')}, {count(part.symbols, 'symbol')}{languages}{names}"


def _named(row: Named) -> str:
    return f"{row.path}:{row.line}  {row.kind} {row.name}" if row.kind != "file" else row.path
