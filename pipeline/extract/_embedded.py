"""Put the symbols of parts of a text, each read by itself, back into the whole text."""

from __future__ import annotations

from collections.abc import Iterable

from ..facts import SymbolFact

__all__ = ["merged", "shifted"]


def shifted(symbols: tuple[SymbolFact, ...], offset: int, lines: int) -> tuple[SymbolFact, ...]:
    """Return the symbols of a part that begins `offset` bytes and `lines` line ends into the text."""
    return tuple(
        symbol._replace(
            start_line=symbol.start_line + lines,
            end_line=symbol.end_line + lines,
            name_line=symbol.name_line + lines,
            start_byte=symbol.start_byte + offset,
            end_byte=symbol.end_byte + offset,
            body_start=symbol.body_start + offset,
        )
        for symbol in symbols
    )


def merged(parts: Iterable[tuple[SymbolFact, ...]]) -> tuple[SymbolFact, ...]:
    """Return the symbols of all parts ordered by (start, -end), their parents renumbered."""
    joined: list[SymbolFact] = []
    for part in parts:
        first = len(joined)
        joined += [s._replace(parent=s.parent + first) if s.parent >= 0 else s for s in part]
    order = sorted(range(len(joined)), key=lambda i: (joined[i].start_byte, -joined[i].end_byte, i))
    place = {old: new for new, old in enumerate(order)}
    return tuple(s._replace(parent=place[s.parent]) if s.parent >= 0 else s for s in (joined[old] for old in order))
