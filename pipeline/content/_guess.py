"""Guess the encoding of text that is neither UTF-8 nor declared; the same bytes always give the same answer.

What tells legacy encodings apart in source code is the shape of its comments: damaged UTF-8 still holds whole sequences,
Japanese has kana, Chinese and Korean keep to the common part of their code tables, Cyrillic words have no ASCII letters.
Everything else is read as Windows-1252, in which every byte has a meaning.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

__all__ = ["guess"]

_NON_ASCII = re.compile(r"[^\x00-\x7f]")
_KANA = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_CYRILLIC = re.compile(r"[\u0400-\u045f]")
_EAST_ASIAN = re.compile(r"[\u2010-\u266f\u3000-\u30ff\u4e00-\u9fff\uff01-\uff5e]")
_FREQUENT = re.compile("[оеаинтсрвл]")
"""The ten most frequent letters of Russian, about 62 % of its running text."""

_HIGH = re.compile(rb"[\x80-\xff]")
_HIGH_RUN = re.compile(rb"[\x80-\xff]{3,}")

_FEWEST = 4
"""Characters beyond ASCII below which there is too little to tell anything by."""

_TABLE = "".join(
    bytes([b]).decode("cp1252") if b not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(b)  # as WHATWG's windows-1252
    for b in range(256)
)


def guess(data: bytes) -> tuple[str, str]:
    """Return the text and the name of the encoding it was read in; never fails."""
    damaged = data.decode("utf-8", "replace")
    broken = damaged.count("\ufffd")
    if len(_NON_ASCII.findall(damaged)) > 3 * broken:
        return damaged, "utf-8"
    for encoding, fits in _CANDIDATES:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if fits(data, text):
            return text, encoding
    return data.decode("latin-1").translate(_TABLE), "cp1252"


def _japanese(_: bytes, text: str) -> bool:
    return _share(_KANA, text) >= 0.2 and _share(_EAST_ASIAN, text) >= 0.9


def _korean(_: bytes, text: str) -> bool:
    return _share(_HANGUL, text) >= 0.9


def _common(_: bytes, text: str, *, standard: str, first: int, last: int) -> bool:
    """Tell whether most characters are in the rows of frequent ones, whose lead bytes are `first` to `last`."""
    characters = _NON_ASCII.findall(text)
    leads = "".join(characters).encode(standard, "ignore")[::2]
    return len(characters) >= _FEWEST and sum(first <= b <= last for b in leads) >= 0.7 * len(characters)


def _russian(data: bytes, text: str) -> bool:
    whole_words = sum(map(len, _HIGH_RUN.findall(data))) >= 0.7 * len(_HIGH.findall(data))
    return whole_words and _share(_CYRILLIC, text) >= 0.8 and _share(_FREQUENT, text) >= 0.4


def _share(pattern: re.Pattern[str], text: str) -> float:
    """Return the share of the characters beyond ASCII that match; 0 when there are too few."""
    count = len(_NON_ASCII.findall(text))
    return len(pattern.findall(text)) / count if count >= _FEWEST else 0.0


_CANDIDATES: tuple[tuple[str, Callable[[bytes, str], bool]], ...] = (
    ("euc_jp", _japanese),
    ("cp932", _japanese),
    ("cp949", _korean),
    ("gb18030", partial(_common, standard="gb2312", first=0xB0, last=0xD7)),
    ("cp950", partial(_common, standard="big5", first=0xA4, last=0xC6)),
    ("cp1251", _russian),
    ("koi8-r", _russian),
    ("cp866", _russian),
)
