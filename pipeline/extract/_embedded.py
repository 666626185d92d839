"""Put the symbols of parts of a text, each read by itself, back into the whole text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..facts import SymbolFact
from ..graph.references import supported
from ..languages import Region

__all__ = ["merged", "scripts", "shifted"]

_WIDER = {"javascript": 0, "jsx": 1, "typescript": 2, "tsx": 3}
"""Each can be read as any that comes later, but for `typescript` as `tsx`, where few texts differ."""

_NOT_BLANK = re.compile(rb"[^\r\n]")


def scripts(data: bytes, regions: Sequence[Region]) -> tuple[str, bytes] | None:
    """Return the language of the parts with code, and a text of the same length that holds nothing else.

    None where references are known for no part, or for parts in languages that can't be read as one.
    """
    code = [region for region in regions if supported(region.language)]
    languages = {region.language for region in code}
    if not languages or (len(languages) > 1 and not languages <= _WIDER.keys()):
        return None
    text = bytearray(_NOT_BLANK.sub(b" ", data))
    for region in code:
        text[region.start : region.end] = region.code if region.code is not None else data[region.start : region.end]
        if region.language in _WIDER and text[region.end : region.end + 1] == b" ":
            text[region.end : region.end + 1] = b";"  # so that the last statement of a script is not carried on by the next
    return max(languages, key=lambda language: (_WIDER.get(language, 0), language)), bytes(text)


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
